// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/config/abi.hpp"
#include "amphi/config/macros.hpp"

// How device code reports a failed check without trapping (a trap would end the process's use of CUDA).
// One record lies in host memory that the device can write. Each unit's device code finds it through a
// pointer that the unit's first launch on a device fills in; the next synchronisation reads the record.

namespace amphi::detail {

enum class failure_kind : std::uint32_t { none, expects, bounds, block_form };

struct failure_record {
  std::uint32_t state;  // 0 free, 1 being written, 2 complete
  failure_kind kind;
  std::uint32_t block[3], thread[3];
  std::int64_t value, limit;  // index and size of a bounds check
  std::int32_t line;
  char text[160], file[160];
};

#if AMPHI_CUDA_UNIT
#  if AMPHI_CUDA_RDC
inline __device__ failure_record* device_failures = nullptr;
#  else
[[maybe_unused]] static __device__ failure_record* device_failures = nullptr;
#  endif

// Writes the first failure since the last synchronisation; later ones are dropped.
__device__ __noinline__ static void record_failure(failure_kind kind, const char* text, const char* file,
                                                   int line, std::int64_t value, std::int64_t limit) {
#  if AMPHI_DEVICE_CODE
  failure_record* r = device_failures;
  if (r == nullptr) return;
  if (atomicCAS_system(&r->state, 0u, 1u) != 0u) return;
  r->kind = kind;
  r->block[0] = blockIdx.x, r->block[1] = blockIdx.y, r->block[2] = blockIdx.z;
  r->thread[0] = threadIdx.x, r->thread[1] = threadIdx.y, r->thread[2] = threadIdx.z;
  r->value = value, r->limit = limit, r->line = line;
  int i = 0;
  for (; i < 159 && text != nullptr && text[i] != 0; ++i) r->text[i] = text[i];
  r->text[i] = 0;
  for (i = 0; i < 159 && file != nullptr && file[i] != 0; ++i) r->file[i] = file[i];
  r->file[i] = 0;
  __threadfence_system();
  atomicExch_system(&r->state, 2u);
#  endif
}
#endif

}  // namespace amphi::detail
