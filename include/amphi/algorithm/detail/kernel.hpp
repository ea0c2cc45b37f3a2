// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "amphi/algorithm/detail/plan.hpp"
#include "amphi/execution/launch.hpp"

// The launch of an algorithm's own kernel. A kernel is a type:
//   name                     what traces and errors call it
//   threads                  its largest block on a GPU
//   resident                 blocks that a multiprocessor is to hold at least: bounds the registers
//   device(arguments…)       the GPU's body, run by each thread       (in CUDA units)
//   cooperative              if it is there: blocks wait for each other
//   host(arguments…)         the CPU's body, run once for each block; an automatic launch has a block per
//   worker
//   host_end(arguments…)     if it is there: what the CPU does once, when all blocks have run

namespace amphi::detail {

#if AMPHI_CUDA && AMPHI_CUDA_UNIT
#  pragma nv_diagnostic push
#  pragma nv_diag_suppress 1407  // as in execution/detail/launcher.hpp
template <class Kernel, class... P>
[[gnu::visibility("hidden")]] __global__ void __launch_bounds__(Kernel::threads, Kernel::resident)
    run_algorithm(P... p) {
  check_parameters<P...>();
  begin_kernel();
  Kernel::device(p...);
}
#  pragma nv_diagnostic pop
#endif

template <class Kernel>
struct host_body {
  static constexpr bool block_form = true;
  template <class... P>
  static void call(const P&... p) {
    Kernel::host(p...);
  }
  template <class... P>
  static void end(const P&... p) requires requires {
    Kernel::host_end(p...);
  }
  { Kernel::host_end(p...); }
};

template <class Kernel>
concept is_cooperative = requires {
  Kernel::cooperative;
};

template <class Kernel, class... P>
struct [[gnu::visibility("hidden")]] algorithm_kernel {
  static constexpr bool device_only = (device_only_lambda<P> || ...);

  // `work`: blocks that an automatic launch on the CPU can use.
  static void launch(const policy& p, std::int64_t work, P... arguments) {
    check_parameters<P...>();
    launch_bound<host_body<Kernel>, !device_only>(p, description, work, arguments...);
  }

  static inline constinit kernel description = {
    .signature = Kernel::name,
#if AMPHI_CUDA && AMPHI_CUDA_UNIT
    .address = reinterpret_cast<const void*>(&run_algorithm<Kernel, P...>),
    .cuda = &unit_cuda_calls,
#endif
    .block_form = true,
    .device_only = device_only,
    .cooperative = is_cooperative<Kernel>,
    .starts_early = true,
  };
};

template <class Kernel, class... P>
void launch_algorithm(const policy& p, std::int64_t work, const P&... arguments) {
  check_unit<P...>();
  algorithm_kernel<Kernel, P...>::launch(p, work, arguments...);
}

// The fast kernel's launch on a GPU: its own geometry, unless the caller named one.
inline policy with_geometry(const policy& p, std::int64_t blocks, int threads,
                            std::int64_t shared_bytes = 0) {
  policy q = p;
  q.grid = blocks;
  q.block = threads;
  if (shared_bytes > 0) q.shared_bytes = shared_bytes;
  return q;
}

// Position of the calling block among all blocks of the launch, and their number.
struct block_rank {
  std::int64_t index, count;
};

AMPHI_LAUNCHABLE block_rank this_block_rank() {
  return {linear64(block_index(), grid_extent()), size64(grid_extent())};
}

// What the calling block does of `count` tasks: contiguous, so that each worker of the CPU reads on.
AMPHI_LAUNCHABLE share tasks_of_block(std::int64_t count) {
  const block_rank b = this_block_rank();
  return chunk_share(static_cast<std::uint64_t>(count), static_cast<std::uint64_t>(b.index),
                     static_cast<std::uint64_t>(b.count));
}

}  // namespace amphi::detail
