// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/core_phases.hpp"
#include "amphi/algorithm/detail/radix_core.hpp"
#include "amphi/algorithm/detail/tasks.hpp"

// Sorting numbers on few or many CPU cores while each core's part fits into its cache: a part per worker is
// sorted by digits, then neighbouring runs are merged, each worker making as long a piece of the result.

namespace amphi::detail {

// What lies in zeroed scratch.
struct radix_runs_state {
  phase_counters phases;
  bool nan;  // there is one: < does not order the keys
};

template <class K, class V>
struct radix_runs {
  static constexpr const char* name = sort_name;
  records<K, V> x, room;
  std::int64_t n, run;
  bool down;
  radix_runs_state* state;

  void operator()(std::int64_t) const {
    const auto parts = static_cast<unsigned>((n + run - 1) / run);
    unsigned merges = 0;
    while (run << merges < n) ++merges;
    if (parts == 1) return radix_on_core(x, room, n, down, false);
    run_phases(state->phases, merges + 1, parts, [&](unsigned phase, unsigned part) {
      // The last merge comes to x.
      const bool to_room = (merges - phase) % 2 == 1;
      if (phase == 0) {
        const piece mine = piece_of(n, run, part);
        note_nan(mine);
        radix_on_core(x.at(mine.first), room.at(mine.first), mine.last - mine.first, down, to_room);
      } else {
        const std::int64_t width = run << (phase - 1);
        const records<K, V>&from = to_room ? x : room, &to = to_room ? room : x;
        if constexpr (std::is_floating_point_v<K>) {
          if (!state->nan && down) return merge(from, to, width, part, greater());
          if (!state->nan) return merge(from, to, width, part, less());
        }
        if (down) {
          merge(from, to, width, part, descending());
        } else {
          merge(from, to, width, part, ascending());
        }
      }
    });
  }

 private:
  template <class Compare>
  void merge(const records<K, V>& from, const records<K, V>& to, std::int64_t width, unsigned part,
             const Compare& before) const {
    sort_pass<K, V, Compare>{from, to, n, width, run, before}(part);
  }

  void note_nan(const piece& mine) const {
    if constexpr (std::is_floating_point_v<K>) {
      int nans = 0;
      for (std::int64_t i = mine.first; i < mine.last; ++i) nans |= x.keys[i] == x.keys[i] ? 0 : 1;
      if (nans != 0) __atomic_store_n(&state->nan, true, __ATOMIC_RELAXED);
    }
  }
};

// A part of fewer elements is not worth a worker's while, nor are few parts.
inline constexpr std::int64_t radix_run_least = 1024;

// Of more elements, passes over all of them are faster: the more workers, the more merges.
inline std::int64_t radix_runs_most(const algorithm_plan& plan) {
  return plan.workers * (std::int64_t{1} << (plan.workers <= 4 ? 17 : 14));
}

template <class K, class V>
void radix_sort_in_runs(const algorithm_plan& plan, const records<K, V>& x, const records<K, V>& room,
                        std::int64_t n, bool down, radix_runs_state* state) {
  const std::int64_t useful = n < 4 * radix_run_least ? 1 : n / radix_run_least;
  const std::int64_t parts = useful < plan.workers ? useful : plan.workers;
  launch_host_tasks(plan, parts, radix_runs<K, V>{x, room, n, (n + parts - 1) / parts, down, state});
}

}  // namespace amphi::detail
