// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/compat/hemi/detail/range.hpp"
#include "amphi/compat/hemi/device_api.h"
#include "amphi/compat/hemi/hemi.h"
#include "amphi/execution/grid_stride_range.hpp"

using namespace util::lang;

template <class T>
using step_range = amphi::stride_range<T>;

namespace hemi {
inline namespace AMPHI_DETAIL_HEMI_UNIT {

// What the calling thread has to visit of [first, last). Also for bounds of two types, and for ranges that
// end near the end of their type, where Hemi's wrapped around.
template <class A, class B>
HEMI_DEV_CALLABLE auto grid_stride_range(A first, B last) {
  return amphi::grid_stride_range(first, last);
}

}  // namespace AMPHI_DETAIL_HEMI_UNIT
}  // namespace hemi
