// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

#include "amphi/config/abi.hpp"

namespace amphi {

// Integral types other than bool, of 64 bits at most: what counts and indices may be.
template <class T>
concept integer = std::is_integral_v<T> && !std::is_same_v<std::remove_cv_t<T>, bool> && sizeof(T) <= 8;

template <class T>
concept arithmetic = std::is_arithmetic_v<T>;

// What can travel to a device as bytes.
template <class T>
concept trivially_copyable = std::is_trivially_copyable_v<T>;

}  // namespace amphi
