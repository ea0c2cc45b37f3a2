// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/scan_kernel.hpp"
#include "amphi/algorithm/detail/select_device.hpp"
#include "amphi/algorithm/detail/select_order.hpp"
#include "amphi/algorithm/detail/tasks.hpp"

// The kernels of selections. The kept elements keep their order. On the CPU long parts are counted, then
// written. A GPU does it tile by tile in one pass, or in two where the others follow; in a geometry that the
// caller chose, a scan numbers the kept elements. A selection's Name has a name, and whether the rest
// follows.

namespace amphi::detail {

template <class Keep, class Out, class Count>
struct selection {
  Keep keep;
  Out* out;
  Count* count;  // how many are kept
  std::int64_t n;
  bool rest;  // the others follow, in their order
  std::int64_t length;
  std::int64_t* places;  // [part]: its kept elements, then where they go; or [element]
  std::int64_t* total;

  AMPHI_HOST_DEVICE void place(std::int64_t i, bool kept, std::int64_t before) const {
    if (kept) {
      out[before] = static_cast<Out>(keep.elements[i]);
    } else if (rest) {
      out[*total + (i - before)] = static_cast<Out>(keep.elements[i]);
    }
  }
};

template <class Name, class Selection>
struct select_count {
  static constexpr const char* name = Name::name;
  Selection d;
  void operator()(std::int64_t part) const {
    const piece mine = piece_of(d.n, d.length, part);
    std::int64_t count = 0;
    for (std::int64_t i = mine.first; i < mine.last; ++i) count += d.keep(i) ? 1 : 0;
    d.places[part] = count;
  }
};

template <class Name, class Selection>
struct select_place {
  static constexpr const char* name = Name::name;
  Selection d;
  std::int64_t parts;
  void operator()(std::int64_t) const {
    std::int64_t before = 0;
    for (std::int64_t part = 0; part < parts; ++part) {
      const std::int64_t here = d.places[part];
      d.places[part] = before;
      before += here;
    }
    *d.total = before;
    if (d.count != nullptr) *d.count = static_cast<std::remove_reference_t<decltype(*d.count)>>(before);
  }
};

template <class Name, class Selection>
struct select_write {
  static constexpr const char* name = Name::name;
  Selection d;
  void operator()(std::int64_t part) const {
    using Out = std::remove_pointer_t<decltype(d.out)>;
    const piece mine = piece_of(d.n, d.length, part);
    const std::int64_t total = *d.total, end = mine.last < d.n ? d.places[part + 1] : total;
    std::int64_t before = d.places[part];
    if constexpr (Name::rest) {
      for (std::int64_t i = mine.first; i < mine.last; ++i) {
        const bool kept = d.keep(i);
        d.out[kept ? before : total + (i - before)] = static_cast<Out>(d.keep.elements[i]);
        before += kept ? 1 : 0;
      }
    } else if constexpr (sizeof(Out) <= 16) {
      // Each element is written where the next kept one goes, so that there is no branch to guess wrong.
      for (std::int64_t i = mine.first; before < end && i < mine.last; ++i) {
        d.out[before] = static_cast<Out>(d.keep.elements[i]);
        before += d.keep(i) ? 1 : 0;
      }
    } else {
      for (std::int64_t i = mine.first; before < end && i < mine.last; ++i)
        if (d.keep(i)) d.out[before++] = static_cast<Out>(d.keep.elements[i]);
    }
  }
};

// 1 for each kept element, as something to scan.
template <class Keep>
struct keep_flags {
  using value_type = std::int64_t;
  Keep keep;
  AMPHI_HOST_DEVICE std::int64_t operator[](std::int64_t i) const { return keep(i) ? 1 : 0; }
};

// Element by element.
template <class Name, class Selection>
struct select_scatter {
  static constexpr const char* name = Name::name;
  Selection d;
  AMPHI_HOST_DEVICE void operator()(std::int64_t i) const {
    d.place(i, d.keep(i), d.places[i]);
    if (i == 0 && d.count != nullptr)
      *d.count = static_cast<std::remove_reference_t<decltype(*d.count)>>(*d.total);
  }
};

template <class Name, class Count>
struct select_nothing {
  static constexpr const char* name = Name::name;
  Count* count;
  AMPHI_HOST_DEVICE void operator()(std::int64_t) const { *count = 0; }
};

// Tile by tile. Where tiles wait for each other, the first block carries counts from tile to tile and the
// others share the tiles.
template <class Name>
struct select_kernel {
  static constexpr const char* name = Name::name;
  static constexpr int threads = 512;
  static constexpr int resident = 2;
  static constexpr bool cooperative = true;

#if AMPHI_CUDA_UNIT
  template <class Data>
  __device__ static void device(Data d) {
    extern __shared__ __align__(16) unsigned char amphi_select_space[];
    const int first = !Name::rest && d.tiling.tiles > 1 ? 1 : 0;
    if (static_cast<int>(blockIdx.x) >= first) {
      select_in_block<Name::rest>(d, static_cast<int>(blockIdx.x) - first,
                                  static_cast<int>(gridDim.x) - first, amphi_select_space);
    } else if (threadIdx.x < 32) {
      plus<> add;
      scan_carry<std::int64_t>(d, add, d.tiling.tiles);
    }
  }
#endif
  template <class... P>
  static void host(const P&...) {}
};

// What comes first if the rest follows.
template <class Name>
struct select_count_kernel : select_kernel<Name> {
#if AMPHI_CUDA_UNIT
  template <class Data>
  __device__ static void device(Data d) {
    if (blockIdx.x > 0) {
      select_count_in_block(d, static_cast<int>(blockIdx.x) - 1, static_cast<int>(gridDim.x) - 1);
    } else if (threadIdx.x < 32) {
      plus<> add;
      scan_carry<std::int64_t>(d, add, d.tiling.tiles);
    }
  }
#endif
};

// Bytes that a scan of n numbers, with its total, needs of a workspace.
inline std::size_t scan_workspace_bytes(std::int64_t n) {
  return 1024 + scan_mail_bytes<std::int64_t>(scan_tiles<std::int64_t>(n));
}

// How one selection will run, and what scratch it needs.
struct select_plan {
  bool in_tiles = false;  // on a GPU
  select_tiling tiling;
  std::int64_t length = 0;  // of a part, otherwise
  std::size_t bytes = 0, zeroed = 0;

  template <class Keep, class Out>
  static select_plan of(const algorithm_plan& plan, const Keep& keep, std::int64_t n, const Out*) {
    using shape = select_shape<typename Keep::elements_type, Out>;
    select_plan s;
    s.in_tiles = plan.on_gpu && plan.automatic && plan.multiprocessors > 1 &&
                 shape::stage_bytes + 1024 <= plan.shared_bytes;
    if (s.in_tiles) {
      s.tiling = select_tiling::of<shape>(keep.elements, n, 2 * plan.multiprocessors - 1);
      s.bytes = 256;
      s.zeroed = s.tiling.tiles > 1 ? scan_mail_bytes<std::int64_t>(s.tiling.tiles) : 0;
      return s;
    }
    s.length = task_length(plan, n, 1, 4096);
    const auto places = static_cast<std::size_t>((n + s.length - 1) / s.length);
    s.bytes = 256 + 8 * places + 256 + (plan.on_gpu ? scan_workspace_bytes(n) : 0);
    return s;
  }
};

template <class Name, class Data>
void select_in_tiles(const algorithm_plan& plan, const Data& d) {
  constexpr int threads = select_kernel<Name>::threads;
  static_assert(threads == Data::shape::threads);
  const int tiles = d.tiling.tiles;
  policy p = with_geometry(plan.launch, 1, threads);
  if (tiles > 1) p.grid = extent3::automatic();  // as many as are resident at most
  if constexpr (Name::rest)
    if (tiles > 1) launch_algorithm<select_count_kernel<Name>>(p, (std::int64_t{tiles} + 1) * threads, d);
  if constexpr (Data::shape::stage_bytes > 0) p.shared_bytes = Data::shape::stage_bytes;
  launch_algorithm<select_kernel<Name>>(
      p, (std::int64_t{tiles} + (Name::rest || tiles == 1 ? 0 : 1)) * threads, d);
}

// Writes the kept elements, and their number to count unless it is null.
template <class Name, class Keep, class Out, class Count>
void select_elements(const algorithm_plan& plan, const select_plan& how, const scratch& s, const Keep& keep,
                     std::int64_t n, Out* out, Count* count) {
  if (n == 0) {
    if (count != nullptr) launch_tasks(plan, 1, select_nothing<Name, Count>{count});
    return;
  }
  auto* const total = static_cast<std::int64_t*>(s.data());
  using data = selection<Keep, Out, Count>;
  const data d{keep, out, count, n, Name::rest, how.length, total + 32, total};
  if (plan.on_gpu) {
    if constexpr (AMPHI_CUDA != 0) {
      if (how.in_tiles)
        return select_in_tiles<Name>(
            plan, select_data<Keep, Out, Count>{keep, out, count, n, how.tiling, s.zeroed(), total});
      policy p = plan.launch;
      p.workspace = {d.places + (n + 31) / 32 * 32, scan_workspace_bytes(n)};
      scan_elements<std::int64_t>(Name::name, p, make_zip(keep_flags<Keep>{keep}), n, d.places, plus<>(),
                                  std::int64_t{0}, true, true, total);
      launch_tasks(plan, n, select_scatter<Name, data>{d});
    }
    return;
  }
  const std::int64_t parts = (n + d.length - 1) / d.length;
  launch_host_tasks(plan, parts, select_count<Name, data>{d});
  launch_host_tasks(plan, 1, select_place<Name, data>{d, parts});
  launch_host_tasks(plan, parts, select_write<Name, data>{d});
}

// Checks the arguments and does it; `in_place` is not possible.
template <class Name, class Keep, class In, class Out, class Count>
void select_into(const policy& p, In& in, Out& out, const Keep& keep, Count* count) {
  const std::int64_t n = count_of(Name::name, in);
  check_size(Name::name, "the output", out, n);
  auto* const to = view(out).data();
  if constexpr (!is_index_range<std::remove_cv_t<In>>) {
    check_apart(Name::name, view(in).data(), n, to, n);
    check_apart(Name::name, view(in).data(), n, count, 1);
  }
  check_result_apart(Name::name, count, to, n);
  const algorithm_plan plan = plan_algorithm(Name::name, p, select_kernel<Name>::threads);
  const select_plan how = select_plan::of(plan, keep, n, to);
  const scratch s(Name::name, plan, how.bytes, how.zeroed);
  select_elements<Name>(plan, how, s, keep, n, to, count);
}

template <class Name, class Keep, class In, class Out>
std::int64_t select_now(const policy& p, In& in, Out& out, const Keep& keep) {
  const std::int64_t n = count_of(Name::name, in);
  check_size(Name::name, "the output", out, n);
  auto* const to = view(out).data();
  if constexpr (!is_index_range<std::remove_cv_t<In>>) check_apart(Name::name, view(in).data(), n, to, n);
  if (n == 0) return 0;
  const algorithm_plan plan = plan_algorithm(Name::name, p, select_kernel<Name>::threads);
  refuse_capture(Name::name, plan);
  const select_plan how = select_plan::of(plan, keep, n, to);
  const scratch s(Name::name, plan, how.bytes, how.zeroed, sizeof(std::int64_t));
  auto* const count = static_cast<std::int64_t*>(s.result());
  select_elements<Name>(plan, how, s, keep, n, to, count);
  s.wait();
  return *count;
}

template <class Count>
void check_count() {
  static_assert(integer<Count>, "amphi: the number of elements is written to an integer");
}

}  // namespace amphi::detail
