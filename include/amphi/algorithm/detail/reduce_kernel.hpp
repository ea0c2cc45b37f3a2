// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/kernel.hpp"
#include "amphi/algorithm/detail/reduce_device.hpp"
#include "amphi/core/function_objects.hpp"

// The kernels of reduce: *out = op(init, all elements in canonical order).

namespace amphi::detail {

// What a reduction works on besides its functions.
template <class Source, class A, class Out>
struct reduce_data {
  Source source;
  A init;
  Out* out;
  reduce_tiles tiles;
  bool aligned;
  A* partial;         // the tiles' results
  unsigned* counter;  // blocks or threads that are done

  // The tiles' results, as one tile.
  AMPHI_HOST_DEVICE zip<const A*> partials() const { return {{{partial}}}; }
  template <class Op>
  AMPHI_HOST_DEVICE void finish(Op& op, const A& tree) const {
    *out = static_cast<Out>(combine<A>(op, init, tree));
  }
};

// On the CPU few tiles' results lie on a cache line each: workers do not wait for each other's.
inline constexpr std::int64_t reduce_tiles_apart = 32;
template <class A>
constexpr std::int64_t reduce_distance(std::int64_t tiles) {
  return tiles <= reduce_tiles_apart && sizeof(A) < 64 ? static_cast<std::int64_t>(64 / sizeof(A)) : 1;
}

// One block for each tile, or as many as fill the device; the last one to finish reduces the tiles' results.
struct reduce_kernel {
  static constexpr const char* name = "amphi::reduce";
  static constexpr int threads = 256;
  static constexpr int resident = 1;

#if AMPHI_CUDA_UNIT
  template <class F, class Op, class Source, class A, class Out>
  __device__ static void device(F f, Op op, reduce_data<Source, A, Out> d) {
    static_assert(sizeof(A) <= 184,
                  "amphi: accumulators of reduce have at most 184 bytes in a build for GPUs");
    constexpr int turns = reduce_stages<A>;
    __shared__ reduce_stage<A> stages[turns];
    __shared__ bool last;
    const reduce_tiles& tiles = d.tiles;
    A sum = A();
    int stage = 0;
    for (std::int64_t tile = blockIdx.x; tile < tiles.count; tile += gridDim.x) {
      if (turns == 1) __syncthreads();
      sum = reduce_in_block<A>(d.source, f, op, tiles[tile], d.aligned, stages[stage % turns]);
      if (threadIdx.x == 0 && tiles.count > 1) d.partial[tile] = sum;
      stage ^= 1;
    }
    if (tiles.count > 1) {
      if (threadIdx.x == 0) last = arrive_last(d.counter, gridDim.x);
      __syncthreads();
      if (!last) return;
      identity same;
      sum = reduce_in_block<A>(d.partials(), same, op, reduce_tile{0, tiles.count}, true,
                               stages[stage % turns]);
    }
    if (threadIdx.x != 0) return;
    if (tiles.count == 0) {
      *d.out = static_cast<Out>(d.init);
    } else {
      d.finish(op, sum);
    }
  }
#endif

  template <class F, class Op, class Source, class A, class Out>
  static void host(F f, Op op, const reduce_data<Source, A, Out>& d) {
    const reduce_tiles& tiles = d.tiles;
    const share s = tasks_of_block(tiles.count);
    if (tiles.count <= 1) {
      if (this_block_rank().index != 0) return;
      if (tiles.count == 0) {
        *d.out = static_cast<Out>(d.init);
      } else {
        d.finish(op, reduce_on_core<A>(d.source, f, op, tiles[0]));
      }
      return;
    }
    const auto distance = static_cast<std::uint64_t>(reduce_distance<A>(tiles.count));
    for (std::uint64_t t = s.offset; t < s.end; ++t)
      d.partial[t * distance] = reduce_on_core<A>(d.source, f, op, tiles[static_cast<std::int64_t>(t)]);
  }

  // The tiles' results.
  template <class F, class Op, class Source, class A, class Out>
  static void host_end(F, Op op, const reduce_data<Source, A, Out>& d) {
    const std::int64_t tiles = d.tiles.count, distance = reduce_distance<A>(tiles);
    if (tiles <= 1) return;
    for (std::int64_t t = 1; distance > 1 && t < tiles; ++t) d.partial[t] = d.partial[t * distance];
    identity same;
    d.finish(op, reduce_on_core<A>(d.partials(), same, op, reduce_tile{0, tiles}));
  }
};

// With bounded registers, where the accumulator is small.
template <int Resident>
struct reduce_kernel_of : reduce_kernel {
  static constexpr int resident = Resident;
};

// Any geometry of a GPU: threads take tiles, each alone.
struct reduce_any_geometry {
  static constexpr const char* name = "amphi::reduce";
  static constexpr int threads = 1024;
  static constexpr int resident = 1;

#if AMPHI_CUDA_UNIT
  template <class F, class Op, class Source, class A, class Out>
  __device__ static void device(F f, Op op, reduce_data<Source, A, Out> d) {
    const reduce_tiles& tiles = d.tiles;
    const std::int64_t me = global_thread_index(), all = global_thread_count();
    for (std::int64_t tile = me; tile < tiles.count; tile += all)
      d.partial[tile] = reduce_alone<A>(d.source, f, op, tiles[tile]);
    if (!arrive_last(d.counter, static_cast<unsigned>(all))) return;
    identity same;
    if (tiles.count == 0) {
      *d.out = static_cast<Out>(d.init);
    } else {
      d.finish(op, reduce_alone<A>(d.partials(), same, op, reduce_tile{0, tiles.count}));
    }
  }
#endif

  template <class... P>
  static void host(const P&...) {}  // the CPU takes reduce_kernel, which fits each geometry
};

// Reduces n elements of the source. `rows` and `most_blocks` are parameters for measurements: the order
// depends on rows. Many tiles go to fewer blocks, which read the next tile while they finish one.
template <class A, class Source, class F, class Op, class Out>
void reduce_elements(const algorithm_plan& plan, const Source& source, std::int64_t n, Out* out,
                     const A& init, const Op& op, const F& f, const scratch& s, int rows,
                     std::int64_t most_blocks = 0) {
  using fast = reduce_kernel_of<(sizeof(A) <= 4 ? 4 : sizeof(A) <= 8 ? 2 : 1)>;
  const reduce_tiles all(n, rows);
  const std::int64_t tiles = all.count;
  const reduce_data<Source, A, Out> d{source,
                                      init,
                                      out,
                                      all,
                                      source.template aligned<4>(),
                                      static_cast<A*>(s.data()),
                                      static_cast<unsigned*>(s.zeroed())};
  if constexpr (AMPHI_CUDA != 0) {
    if (plan.on_gpu && !plan.automatic)
      return launch_algorithm<reduce_any_geometry>(plan.launch, tiles, f, op, d);
    if (plan.on_gpu) {
      if (most_blocks == 0) most_blocks = plan.multiprocessors * (tiles < 4096 ? 4 : 8);
      const std::int64_t blocks = tiles < 1 ? 1 : tiles < most_blocks ? tiles : most_blocks;
      const policy p = with_geometry(plan.launch, blocks, fast::threads);
      return launch_algorithm<fast>(p, tiles, f, op, d);
    }
  }
  launch_algorithm<fast>(plan.launch, tiles, f, op, d);
}

template <class A>
std::size_t reduce_scratch_bytes(std::int64_t n, int rows) {
  const std::int64_t tiles = reduce_tiles(n, rows).count;
  return sizeof(A) * static_cast<std::size_t>(tiles * reduce_distance<A>(tiles));
}

}  // namespace amphi::detail
