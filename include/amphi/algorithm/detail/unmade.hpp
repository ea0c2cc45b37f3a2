// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/config/macros.hpp"

namespace amphi::detail {

// An element that is not made before it is read: it may have no default constructor.
template <class T>
union unmade {
  T value;
  AMPHI_HOST_DEVICE unmade() {}
};

}  // namespace amphi::detail
