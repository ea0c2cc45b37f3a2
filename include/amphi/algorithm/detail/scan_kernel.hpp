// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/compiled.hpp"
#include "amphi/algorithm/detail/kernel.hpp"
#include "amphi/algorithm/detail/map_kernel.hpp"
#include "amphi/algorithm/detail/scan_alone.hpp"
#include "amphi/algorithm/detail/scan_core.hpp"
#include "amphi/algorithm/detail/scan_core_exact.hpp"
#include "amphi/algorithm/detail/scan_core_vectors.hpp"
#include "amphi/algorithm/detail/scan_deep.hpp"
#include "amphi/algorithm/detail/scan_device.hpp"
#include "amphi/algorithm/detail/scan_mail.hpp"
#include "amphi/algorithm/detail/scan_ring.hpp"

// The kernels of scans.

namespace amphi::detail {

// Where there are several tiles, the first block carries sums from tile to tile and the others share the
// tiles. Resident: blocks that a multiprocessor is to hold.
struct scan_kernel {
  static constexpr const char* name = "amphi::scan";
  static constexpr int threads = 512;
  static constexpr int resident = 1;
  static constexpr bool cooperative = true;

#if AMPHI_CUDA_UNIT
  template <class Op, class Source, class A, class Out, class Total>
  __device__ static void device(Op op, scan_data<Source, A, Out, Total> d) {
    extern __shared__ __align__(16) unsigned char amphi_scan_space[];
    const std::int64_t tiles = scan_tiles<A>(d.n);
    // Memory ends long before the numbers of tiles leave an int.
    const int carriers = tiles > 1 ? 1 : 0, workers = static_cast<int>(gridDim.x) - carriers;
    if (static_cast<int>(blockIdx.x) >= carriers) {
      scan_tiles_in_block(d, op, static_cast<int>(blockIdx.x) - carriers, workers, static_cast<int>(tiles),
                          amphi_scan_space);
    } else if (tiles <= 2 * workers) {
      scan_carry_by_ring<A>(d, op, static_cast<int>(tiles), amphi_scan_space);
    } else if (threadIdx.x < 32) {  // leaves more of the multiprocessor to the worker beside it
      scan_carry<A>(d, op, tiles);
    }
  }
#endif

  template <class Op, class Source, class A, class Out, class Total>
  static void host(Op op, const scan_data<Source, A, Out, Total>& d) {
    try {
      if constexpr (groups_freely<A, Op>) {
        scan_exact_on_core(d, op, this_block_rank().count == 1);
      } else if constexpr (scan_goes_in_vectors<Source, A, Out, Op>) {
#if !AMPHI_CUDA_UNIT
        scan_vectors_on_core(d, op, this_block_rank().count == 1);
#endif
      } else {
        scan_on_core(d, op);
      }
    } catch (...) {
      __atomic_store_n(&d.counters[2], 1u, __ATOMIC_RELAXED);  // nobody waits for this worker
      throw;
    }
  }
};

template <int Resident>
struct scan_kernel_of : scan_kernel {
  static constexpr int resident = Resident;
};

// Where a multiprocessor holds one block of many tiles.
struct scan_deep_kernel : scan_kernel {
#if AMPHI_CUDA_UNIT
  template <class Op, class Source, class A, class Out, class Total>
  __device__ static void device(Op op, scan_data<Source, A, Out, Total> d) {
    extern __shared__ __align__(16) unsigned char amphi_scan_space[];
    const auto tiles = static_cast<int>(scan_tiles<A>(d.n));
    if (blockIdx.x == 0) {
      scan_carry_by_ring<A>(d, op, tiles, amphi_scan_space);
    } else {
      scan_tiles_deep(d, op, static_cast<int>(blockIdx.x) - 1, static_cast<int>(gridDim.x) - 1, tiles,
                      amphi_scan_space);
    }
  }
#endif
};

// Any geometry of a GPU: one thread of each block works.
struct scan_any_geometry {
  static constexpr const char* name = "amphi::scan";
  static constexpr int threads = 1024;
  static constexpr int resident = 1;

#if AMPHI_CUDA_UNIT
  template <class Op, class Source, class A, class Out, class Total>
  __device__ static void device(Op op, scan_data<Source, A, Out, Total> d) {
    if (linear(thread_index(), block_extent()) != 0) return;
    scan_chain(d, op);
    if (!arrive_last(&d.counters[1], static_cast<unsigned>(this_block_rank().count))) return;
    for (std::int64_t t = 0; t < scan_tiles<A>(d.n); ++t) static_cast<unsigned*>(d.states)[t] = 0;
    d.counters[0] = 0;
  }
#endif

  template <class... P>
  static void host(const P&...) {}  // the CPU takes scan_kernel
};

template <class A, class Source, class Out, class Total, class Op>
void run_scan(const char* name, const policy& p, const Source& source, std::int64_t n, Out* out, const Op& op,
              const A& init, bool has_init, bool exclusive, Total* total);
#if !AMPHI_CUDA || AMPHI_CUDA_UNIT
template <class A, class Source, class Out, class Total, class Op>
void run_scan(const char* name, const policy& p, const Source& source, std::int64_t n, Out* out, const Op& op,
              const A& init, bool has_init, bool exclusive, Total* total) {
  if (n == 0) {
    if (total != nullptr) map_elements(name, p, make_zip(constant_elements<A>{init}), total, 1, identity());
    return;
  }
  using fast_kernel = scan_kernel_of<(sizeof(A) <= 8 ? 2 : 1)>;
  using shape = scan_shape<A>;
  const std::int64_t tiles = scan_tiles<A>(n);
  const algorithm_plan plan = plan_algorithm(name, p, scan_kernel::threads);
  constexpr std::size_t counter_bytes = 64;
  const auto count = static_cast<std::size_t>(tiles);
  // Reading ahead takes more shared memory; not where that would leave a multiprocessor with one block.
  const bool ahead =
      scan_reads_ahead<Source, A> && 2 * (shape::rows_bytes + shape::stage_bytes) <= plan.shared_bytes;
  const std::int64_t shared_bytes = shape::rows_bytes + (ahead ? shape::stage_bytes : 0);
  constexpr std::int64_t static_bytes = 2 * 1024 + 32 * sizeof(A);
  const bool fast = plan.on_gpu && plan.automatic && plan.multiprocessors > 1 &&
                    shared_bytes + static_bytes <= plan.shared_bytes;
  const std::size_t state_bytes = fast ? scan_mail_bytes<A>(tiles) : sizeof(unsigned) * count;
  const scratch s(name, plan, fast ? 0 : count * sizeof(A), counter_bytes + state_bytes);
  scan_data<Source, A, Out, Total> d{source,
                                     out,
                                     n,
                                     init,
                                     has_init,
                                     exclusive,
                                     false,
                                     false,
                                     0,
                                     ahead,
                                     total,
                                     static_cast<unsigned*>(s.zeroed()),
                                     static_cast<char*>(s.zeroed()) + counter_bytes,
                                     static_cast<A*>(s.data())};
  if constexpr (AMPHI_CUDA != 0) {
    if (plan.on_gpu && !fast) return launch_algorithm<scan_any_geometry>(plan.launch, tiles, op, d);
    if (plan.on_gpu) {
      constexpr int W = sizeof(A) < 16 ? 16 / static_cast<int>(sizeof(A)) : 1;
      if constexpr (Source::packable) d.in_aligned = source.template aligned<W>();
      if constexpr (scan_reads_shifted<Source, A>)
        d.in_shift = static_cast<int>(
            reinterpret_cast<std::uintptr_t>(static_cast<const slot<0, const A*>&>(source).elements) / 4 % W);
      if constexpr (packs<Out>)
        d.out_aligned = reinterpret_cast<std::uintptr_t>(out) % alignof(pack<Out, W>) == 0;
      if constexpr (scan_goes_deep<Source, A>) {
        // Fewer tiles are done sooner where a multiprocessor has two blocks.
        if (16 * tiles > 17 * plan.multiprocessors &&
            scan_deep_bytes<A> + static_bytes <= plan.shared_bytes) {
          policy q = with_geometry(plan.launch, 1, scan_kernel::threads, scan_deep_bytes<A>);
          q.grid = extent3::automatic();
          return launch_algorithm<scan_deep_kernel>(q, (tiles + 1) * scan_kernel::threads, op, d);
        }
      }
      policy q = with_geometry(plan.launch, 1, scan_kernel::threads, shared_bytes);
      if (tiles > 1) q.grid = extent3::automatic();  // as many as are resident at most
      return launch_algorithm<fast_kernel>(q, (tiles + 1) * scan_kernel::threads, op, d);
    }
  }
  launch_algorithm<fast_kernel>(plan.launch, tiles, op, d);
}
#endif

template <class A, class Source, class Out, class Total, class Op>
void scan_elements(const char* name, const policy& p, const Source& source, std::int64_t n, Out* out,
                   const Op& op, const A& init, bool has_init, bool exclusive, Total* total) {
  static_assert(
      lossless<A, Out>(),
      "amphi: the output of this scan can't hold each value of its accumulator, which has the type of init, "
      "or of the input's elements without one");
  check_unit_or_library<is_compiled_reduction<A, Source, Op, identity> && std::is_same_v<Out, A> &&
                            std::is_same_v<Total, A>,
                        Source, Op>();
  run_scan<A>(name, p, source, n, out, as_compiled<A>(op), init, has_init, exclusive, total);
}

}  // namespace amphi::detail
