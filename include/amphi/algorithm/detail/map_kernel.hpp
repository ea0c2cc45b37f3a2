// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/algorithm/detail/compiled.hpp"
#include "amphi/algorithm/detail/device.hpp"
#include "amphi/algorithm/detail/input.hpp"
#include "amphi/algorithm/detail/kernel.hpp"

// The kernel of maps: out[i] = f(element i…) for n elements of a source.

namespace amphi::detail {

// Elements that a thread moves at once: 16 bytes of the widest type.
template <class Source, class Out>
inline constexpr int map_width = [] {
  constexpr std::size_t widest = Source::widest > sizeof(Out) ? Source::widest : sizeof(Out);
  return widest >= 16 ? 1 : static_cast<int>(16 / widest);
}();

template <class Source, class Out>
struct map_data {
  Source source;
  Out* out;
  std::int64_t n;
  std::int64_t head;  // elements in front of the first whole pack; −1: the pointers have no common alignment
};

AMPHI_DETAIL_CONVERSIONS_BEGIN

struct map_kernel {
  static constexpr const char* name = "amphi::transform";
  static constexpr int threads = 256;
  static constexpr int resident = 1;
  static constexpr int vectors = 1;  // packs that a thread has in flight

  template <class Out, class Source>
  static constexpr std::int64_t tile = std::int64_t{threads} * vectors* map_width<Source, Out>;

#if AMPHI_CUDA_UNIT
  template <class F, class Source, class Out>
  __device__ static void device(F f, map_data<Source, Out> d) {
    constexpr int W = map_width<Source, Out>;
    const std::int64_t first =
        static_cast<std::int64_t>(blockIdx.x) * tile<Out, Source> - (d.head > 0 ? W : 0);
    if constexpr (Source::packable && packs<Out>) {
      const std::int64_t i0 = first + (d.head > 0 ? d.head : 0);
      if (d.head >= 0 && i0 >= 0 && i0 + tile<Out, Source> <= d.n) {
        pack<Out, W> results[vectors];
#  pragma unroll
        for (int u = 0; u < vectors; ++u)
          d.source.template at_pack<W>(i0 + (u * threads + static_cast<int>(threadIdx.x)) * W, f,
                                       results[u].v);
#  pragma unroll
        for (int u = 0; u < vectors; ++u)
          *reinterpret_cast<pack<Out, W>*>(d.out + i0 + (u * threads + static_cast<int>(threadIdx.x)) * W) =
              results[u];
        return;
      }
    }
    // The ends, and pointers that no pack fits.
    const std::int64_t begin = first + (d.head > 0 ? d.head : 0) + static_cast<int>(threadIdx.x);
    constexpr int all = vectors * W, beside = !packs<Out> ? 1 : all % 4 == 0 ? 4 : all % 2 == 0 ? 2 : 1;
#  pragma unroll
    for (int k = 0; k < all; k += beside) {
      const std::int64_t i = begin + k * threads;
      if (i >= 0 && i + (beside - 1) * threads < d.n) {
        // Read before anything is written, as `out` may be an input: so all are in flight together.
        Out results[beside];
#  pragma unroll
        for (int j = 0; j < beside; ++j) results[j] = static_cast<Out>(d.source.at(i + j * threads, f));
#  pragma unroll
        for (int j = 0; j < beside; ++j) d.out[i + j * threads] = results[j];
      } else {
#  pragma unroll
        for (int j = 0; j < beside; ++j)
          if (i + j * threads >= 0 && i + j * threads < d.n)
            d.out[i + j * threads] = static_cast<Out>(d.source.at(i + j * threads, f));
      }
    }
  }
#endif

  template <class F, class Source, class Out>
  static void host(F f, const map_data<Source, Out>& d) {
    const share s = tasks_of_block(d.n);
    const Source source = d.source;
    Out* const out = d.out + s.offset;
    const auto base = static_cast<std::int64_t>(s.offset);
    const auto count = static_cast<std::int64_t>(s.end - s.offset);
    AMPHI_DETAIL_INDEPENDENT
    for (std::int64_t i = 0; i < count; ++i) out[i] = static_cast<Out>(source.at(base + i, f));
  }
};

// Any geometry of a GPU.
struct map_any_geometry {
  static constexpr const char* name = "amphi::transform";
  static constexpr int threads = 1024;
  static constexpr int resident = 1;

#if AMPHI_CUDA_UNIT
  template <class F, class Source, class Out>
  __device__ static void device(F f, map_data<Source, Out> d) {
    const std::int64_t all = global_thread_count();
    for (std::int64_t i = global_thread_index(); i < d.n; i += all)
      d.out[i] = static_cast<Out>(d.source.at(i, f));
  }
#endif

  template <class... P>
  static void host(const P&...) {}  // the CPU takes map_kernel
};

AMPHI_DETAIL_CONVERSIONS_END

// Elements in front of the first that all pointers have aligned for packs; −1 when there is none.
template <class Source, class Out>
std::int64_t common_head(const Source& source, const Out* out) {
  if constexpr (Source::packable && packs<Out>) {
    constexpr int W = map_width<Source, Out>;
    const auto off = reinterpret_cast<std::uintptr_t>(out) % alignof(pack<Out, W>);
    if (off % sizeof(Out) != 0) return -1;
    const auto head = static_cast<std::int64_t>((off == 0 ? 0 : alignof(pack<Out, W>) - off) / sizeof(Out));
    return source.template aligned<W>(head) ? head : -1;
  } else {
    return -1;
  }
}

template <class Source, class Out, class F>
void run_map(const char* algorithm, const policy& p, const Source& source, Out* out, std::int64_t n,
             const F& f);
#if !AMPHI_CUDA || AMPHI_CUDA_UNIT
template <class Source, class Out, class F>
void run_map(const char* algorithm, const policy& p, const Source& source, Out* out, std::int64_t n,
             const F& f) {
  const algorithm_plan plan = plan_algorithm(algorithm, p, map_kernel::threads);
  map_data<Source, Out> d{source, out, n, -1};
  if constexpr (AMPHI_CUDA != 0) {
    if (plan.on_gpu && !plan.automatic) return launch_algorithm<map_any_geometry>(plan.launch, n, f, d);
    if (plan.on_gpu) {
      d.head = common_head(source, out);
      const std::int64_t blocks = ceil_div(n + map_width<Source, Out>, map_kernel::tile<Out, Source>);
      return launch_algorithm<map_kernel>(with_geometry(plan.launch, blocks, map_kernel::threads), n, f, d);
    }
  }
  launch_algorithm<map_kernel>(plan.launch, n, f, d);
}
#endif

template <class Source, class Out>
inline constexpr bool is_compiled_map = is_compiled<Out> &&
                                        (reads_plainly<Source, Out> ||
                                         std::is_same_v<Source, zip<constant_elements<Out>>>);

// out[i] = f(element i of the source) for i < n.
template <class Source, class Out, class F>
void map_elements(const char* algorithm, const policy& p, const Source& source, Out* out, std::int64_t n,
                  const F& f) {
  check_unit_or_library<is_compiled_map<Source, Out> && std::is_same_v<F, identity>, Source, Out, F>();
  if (n > 0) run_map(algorithm, p, source, out, n, f);
}

}  // namespace amphi::detail
