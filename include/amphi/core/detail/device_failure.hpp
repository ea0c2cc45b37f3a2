// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/config/abi.hpp"
#include "amphi/config/macros.hpp"

// How device code reports a failed check without trapping (a trap would end the process's use of CUDA).
// Each device has one record, in host memory that it can write, and one claim, in its own memory. Each unit's
// device code finds both through a channel that the unit's first launch on a device fills in; the next
// synchronisation reads the record.

namespace amphi::detail {

enum class failure_kind : std::uint32_t { none, expects, bounds, block_form, bin, segment };

enum class failure_state : std::uint32_t { free, complete, taken };

struct failure_record {
  failure_state state;       // the device completes it, the host takes and frees it
  std::uint32_t generation;  // failures that the host has taken; the device only reads it
  failure_kind kind;
  std::uint32_t block[3], thread[3];
  std::int64_t value, limit;    // index and size of a bounds check; the bin, or where the segment begins
  std::int64_t element, other;  // whose bin or which segment it is, and where that ends
  std::int32_t line;
  char text[160], file[160];
};

// The claim is the generation that a failure was last recorded for, plus 1. Only its device writes it, so
// that no atomic operation crosses to host memory, which not every system can do.
struct failure_channel {
  failure_record* record = nullptr;
  std::uint32_t* claim = nullptr;
};

#if AMPHI_CUDA_UNIT
#  if AMPHI_CUDA_RDC
inline __device__ failure_channel device_failures;
#  else
[[maybe_unused]] static __device__ failure_channel device_failures;
#  endif

// Writes the first failure since the last synchronisation; later ones are dropped.
__device__ __noinline__ static void record_failure(failure_kind kind, const char* text, const char* file,
                                                   int line, std::int64_t value, std::int64_t limit,
                                                   std::int64_t element = 0, std::int64_t other = 0) {
#  if AMPHI_DEVICE_CODE
  failure_record* const r = device_failures.record;
  if (r == nullptr) return;
  const std::uint32_t generation = *static_cast<const volatile std::uint32_t*>(&r->generation);
  if (atomicMax(device_failures.claim, generation + 1) > generation) return;
  r->kind = kind;
  r->block[0] = blockIdx.x, r->block[1] = blockIdx.y, r->block[2] = blockIdx.z;
  r->thread[0] = threadIdx.x, r->thread[1] = threadIdx.y, r->thread[2] = threadIdx.z;
  r->value = value, r->limit = limit, r->line = line, r->element = element, r->other = other;
  int i = 0;
  for (; i < 159 && text != nullptr && text[i] != 0; ++i) r->text[i] = text[i];
  r->text[i] = 0;
  for (i = 0; i < 159 && file != nullptr && file[i] != 0; ++i) r->file[i] = file[i];
  r->file[i] = 0;
  __threadfence_system();
  *static_cast<volatile failure_state*>(&r->state) = failure_state::complete;
#  endif
}
#endif

}  // namespace amphi::detail
