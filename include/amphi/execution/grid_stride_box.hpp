// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "amphi/core/extent.hpp"
#include "amphi/execution/grid_stride_range.hpp"

AMPHI_DETAIL_CONVERSIONS_BEGIN

namespace amphi {

// What a thread visits of a box, x fastest; made by grid_stride_range. The elements are index2 or index3 and
// decompose: for (auto [x, y] : grid_stride_range(extent2{nx, ny})).
template <class Index>
class box_range {
 public:
  class iterator {
   public:
    AMPHI_HOST_DEVICE iterator(const box_range& range, std::uint64_t item) : range_(&range), item_(item) {
      x_ = range.start_.x, y_ = range.start_.y, z_ = range.start_.z;
    }
    AMPHI_HOST_DEVICE Index operator*() const {
      const box_range& r = *range_;
      if constexpr (std::is_same_v<Index, index2>) {
        return {r.first_.x + x_, r.first_.y + y_};
      } else {
        return {r.first_.x + x_, r.first_.y + y_, r.first_.z + z_};
      }
    }
    AMPHI_HOST_DEVICE iterator& operator++() {
      const box_range& r = *range_;
      item_ += r.items_.stride;
      x_ += r.step_.x, y_ += r.step_.y, z_ += r.step_.z;
      if (x_ >= r.extent_.x) x_ -= r.extent_.x, ++y_;
      if (y_ >= r.extent_.y) y_ -= r.extent_.y, ++z_;
      return *this;
    }
    AMPHI_HOST_DEVICE bool operator!=(const iterator& end) const { return item_ < end.item_; }

   private:
    const box_range* range_;
    std::uint64_t item_;
    std::int64_t x_, y_, z_;
  };

  AMPHI_HOST_DEVICE box_range(index3 first, extent3 extent, const detail::share& items)
      : first_(first), extent_(extent), items_(items) {
    if (items.offset < items.end) start_ = split(items.offset);
    if (items.offset + items.stride < items.end) step_ = split(items.stride);
  }

  AMPHI_HOST_DEVICE iterator begin() const { return {*this, items_.offset}; }
  AMPHI_HOST_DEVICE iterator end() const { return {*this, items_.end}; }

  // Calls f with the coordinates of an element.
  template <class F>
  AMPHI_HOST_DEVICE static void apply(F&& f, const Index& i) {
    if constexpr (std::is_same_v<Index, index2>) {
      f(i.x, i.y);
    } else {
      f(i.x, i.y, i.z);
    }
  }

  // Calls f for the elements of a contiguous part, row by row, x as an innermost loop that vectorises.
  template <class F>
  void visit_rows(F&& f) const {
    std::int64_t x = start_.x, y = start_.y, z = start_.z;
    for (auto left = static_cast<std::int64_t>(items_.end - items_.offset); left > 0;) {
      const std::int64_t end = left < extent_.x - x ? x + left : extent_.x;
      left -= end - x;
      for (; x < end; ++x) {
        if constexpr (std::is_same_v<Index, index2>) {
          f(first_.x + x, first_.y + y);
        } else {
          f(first_.x + x, first_.y + y, first_.z + z);
        }
      }
      x = 0;
      if (++y == extent_.y) y = 0, ++z;
    }
  }

 private:
  // Coordinates of the k-th element.
  AMPHI_HOST_DEVICE index3 split(std::uint64_t k) const {
    if (extent_.empty()) return {};
    const auto nx = static_cast<std::uint64_t>(extent_.x), ny = static_cast<std::uint64_t>(extent_.y);
    if (((nx | ny | k) >> 32) == 0) {  // short divisions where they do
      const auto n = static_cast<std::uint32_t>(nx), m = static_cast<std::uint32_t>(ny);
      const auto i = static_cast<std::uint32_t>(k);
      return {i % n, i / n % m, i / n / m};
    }
    return {k % nx, k / nx % ny, k / nx / ny};
  }

  index3 first_;
  extent3 extent_;
  detail::share items_;
  index3 start_, step_;
};

namespace detail {

// Of a box, whose sizes the host looks at.
AMPHI_LAUNCHABLE extent3 extent_of(const index3& first, const index3& last) {
#if !AMPHI_DEVICE_CODE
  (void)counted(first, last);
#endif
  return box3{first, last}.extent();
}

// Rows go to the workers of an automatic launch whole where there are enough of them.
AMPHI_LAUNCHABLE share box_share(const extent3& extent) {
#if AMPHI_DEVICE_CODE
  const auto count = static_cast<std::uint64_t>(extent.size());
#else
  const auto count = static_cast<std::uint64_t>(counted(extent));
  if (current_context.chunked && count != 0) {
    const auto rows = static_cast<std::uint64_t>(extent.y * extent.z),
               nx = static_cast<std::uint64_t>(extent.x);
    const auto parts = static_cast<std::uint64_t>(global_thread_count());
    if (rows >= parts) {
      const share s = chunk_share(rows, static_cast<std::uint64_t>(global_thread_index()), parts);
      return {s.offset * nx, s.end * nx, 1};
    }
  }
#endif
  return grid_share(count);
}

}  // namespace detail

// The elements of [0, nx) × [0, ny) that the calling thread has to visit; all threads together visit each
// once.
AMPHI_LAUNCHABLE box_range<index2> grid_stride_range(extent2 extent) {
  const extent3 e{extent.x, extent.y, 1};
  return {index3{}, e, detail::box_share(e)};
}

AMPHI_LAUNCHABLE box_range<index3> grid_stride_range(extent3 extent) {
  return {index3{}, extent, detail::box_share(extent)};
}

// The same for the elements of a half-open box.
AMPHI_LAUNCHABLE box_range<index2> grid_stride_range(const box2& box) {
  const extent3 e = detail::extent_of({box.first.x, box.first.y, 0}, {box.last.x, box.last.y, 1});
  return {index3{box.first.x, box.first.y, 0}, e, detail::box_share(e)};
}

AMPHI_LAUNCHABLE box_range<index3> grid_stride_range(const box3& box) {
  const extent3 e = detail::extent_of(box.first, box.last);
  return {box.first, e, detail::box_share(e)};
}

}  // namespace amphi

AMPHI_DETAIL_CONVERSIONS_END
