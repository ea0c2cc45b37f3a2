// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "amphi/algorithm/detail/segment_core.hpp"
#include "amphi/algorithm/detail/segment_device.hpp"

// Reductions of segments, for every algorithm that has some: who does them, and the scratch for it.

namespace amphi::detail {

// What a call over n elements adds to its algorithm's scratch.
template <class A>
class segment_space {
 public:
  segment_space(const algorithm_plan& plan, std::int64_t n, scratch_pieces& pieces) {
    if (!plan.on_gpu) {
      slots_ = pieces.add<A>(segment_slots(n));
    } else if (plan.automatic) {
      room_.emplace(n, pieces);
    }
  }
  std::size_t zeroed_bytes() const { return room_ ? segment_room<A>::zeroed_bytes : 0; }
  const segment_room<A>& room() const { return *room_; }
  A* slots(const scratch& s) const { return scratch_pieces::at<A>(s, slots_); }

 private:
  std::optional<segment_room<A>> room_;
  std::size_t slots_ = 0;
};

// Reduces the segments of d, a segment_data.
template <class Data>
void reduce_segments(const algorithm_plan& plan, const Data& d,
                     const segment_space<typename Data::accumulator>& space, const scratch& s) {
  if (d.segments.count == 0) return;
  if constexpr (AMPHI_CUDA != 0) {
    if (plan.on_gpu && !plan.automatic)
      return launch_tasks(plan, d.segments.count, segment_by_thread<Data>{d});
    if (plan.on_gpu) return reduce_segments_on_gpu(plan, d, space.room(), s);
  }
  using Index = std::remove_const_t<std::remove_pointer_t<decltype(d.segments.offsets)>>;
  reduce_segments_on_cpu<Index>(plan, d, space.slots(s));
}

}  // namespace amphi::detail
