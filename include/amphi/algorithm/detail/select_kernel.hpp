// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/scan_kernel.hpp"
#include "amphi/algorithm/detail/tasks.hpp"

// Which elements of a range are kept, and where each goes: what copy_if, partition and unique share. The kept
// ones keep their order. On the CPU long parts are counted, then written; on a GPU a scan numbers the kept
// elements.

namespace amphi::detail {

AMPHI_DETAIL_CONVERSIONS_BEGIN

template <class Elements, class Predicate>
struct keep_if {
  Elements elements;
  Predicate predicate;
  AMPHI_HOST_DEVICE bool operator()(std::int64_t i) const {
    Predicate p = predicate;
    return static_cast<bool>(p(elements[i]));
  }
};

// The first of each run of equals.
template <class Elements, class Equal>
struct keep_first {
  Elements elements;
  Equal equal;
  AMPHI_HOST_DEVICE bool operator()(std::int64_t i) const {
    Equal same = equal;
    return i == 0 || !static_cast<bool>(same(elements[i - 1], elements[i]));
  }
};

AMPHI_DETAIL_CONVERSIONS_END

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
    const piece mine = piece_of(d.n, d.length, part);
    std::int64_t before = d.places[part];
    for (std::int64_t i = mine.first; i < mine.last; ++i) {
      const bool kept = d.keep(i);
      d.place(i, kept, before);
      before += kept ? 1 : 0;
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

// Bytes that a scan of n numbers, with its total, needs of a workspace.
inline std::size_t scan_workspace_bytes(std::int64_t n) {
  return 1024 + scan_mail_bytes<std::int64_t>(scan_tiles<std::int64_t>(n));
}

inline std::int64_t select_length(const algorithm_plan& plan, std::int64_t n) {
  return task_length(plan, n, 1, 4096);
}

inline std::size_t select_bytes(const algorithm_plan& plan, std::int64_t n) {
  const std::int64_t length = select_length(plan, n);
  const auto places = static_cast<std::size_t>((n + length - 1) / length);
  return 256 + 8 * places + 256 + (plan.on_gpu ? scan_workspace_bytes(n) : 0);
}

// Writes the kept elements, and their number to count unless it is null.
template <class Name, class Keep, class Out, class Count>
void select_elements(const algorithm_plan& plan, const scratch& s, const Keep& keep, std::int64_t n, Out* out,
                     Count* count, bool rest) {
  if (n == 0) {
    if (count != nullptr) launch_tasks(plan, 1, select_nothing<Name, Count>{count});
    return;
  }
  auto* const total = static_cast<std::int64_t*>(s.data());
  using data = selection<Keep, Out, Count>;
  const data d{keep, out, count, n, rest, select_length(plan, n), total + 32, total};
  if (plan.on_gpu) {
    if constexpr (AMPHI_CUDA != 0) {
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
void select_into(const policy& p, In& in, Out& out, const Keep& keep, Count* count, bool rest) {
  const std::int64_t n = count_of(Name::name, in);
  check_size(Name::name, "the output", out, n);
  if constexpr (!is_index_range<std::remove_cv_t<In>>)
    check_apart(Name::name, view(in).data(), n, view(out).data(), n);
  const algorithm_plan plan = plan_algorithm(Name::name, p, task_threads);
  const scratch s(Name::name, plan, select_bytes(plan, n), 0);
  select_elements<Name>(plan, s, keep, n, view(out).data(), count, rest);
}

template <class Name, class Keep, class In, class Out>
std::int64_t select_now(const policy& p, In& in, Out& out, const Keep& keep, bool rest) {
  const std::int64_t n = count_of(Name::name, in);
  check_size(Name::name, "the output", out, n);
  if constexpr (!is_index_range<std::remove_cv_t<In>>)
    check_apart(Name::name, view(in).data(), n, view(out).data(), n);
  if (n == 0) return 0;
  const algorithm_plan plan = plan_algorithm(Name::name, p, task_threads);
  refuse_capture(Name::name, plan);
  const scratch s(Name::name, plan, select_bytes(plan, n), 0, sizeof(std::int64_t));
  auto* const count = static_cast<std::int64_t*>(s.result());
  select_elements<Name>(plan, s, keep, n, view(out).data(), count, rest);
  s.wait();
  return *count;
}

template <class Count>
void check_count() {
  static_assert(integer<Count>, "amphi: the number of elements is written to an integer");
}

}  // namespace amphi::detail
