// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/compat/hemi/detail/mode.hpp"
#include "amphi/execution/block.hpp"
#include "amphi/execution/thread_index.hpp"

// Where the calling thread stands in its launch, along x, as in Hemi; amphi/execution/thread_index.hpp has y,
// z and 64-bit ranks. On the CPU an automatic launch is one block of one thread per worker, and outside a
// launch there is one thread.
namespace hemi {
inline namespace AMPHI_DETAIL_HEMI_UNIT {

HEMI_DEV_CALLABLE inline unsigned int localThreadIndex() { return amphi::thread_index().x; }
HEMI_DEV_CALLABLE inline unsigned int localThreadCount() { return amphi::block_extent().x; }
HEMI_DEV_CALLABLE inline unsigned int globalBlockIndex() { return amphi::block_index().x; }
HEMI_DEV_CALLABLE inline unsigned int globalBlockCount() { return amphi::grid_extent().x; }
HEMI_DEV_CALLABLE inline unsigned int globalThreadIndex() {
  return localThreadIndex() + globalBlockIndex() * localThreadCount();
}
HEMI_DEV_CALLABLE inline unsigned int globalThreadCount() { return globalBlockCount() * localThreadCount(); }

// The threads of the block wait for each other; on the CPU too.
HEMI_DEV_CALLABLE inline void synchronize(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  amphi::this_block().sync(file, line);
}

}  // namespace AMPHI_DETAIL_HEMI_UNIT
}  // namespace hemi
