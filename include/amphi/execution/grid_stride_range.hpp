// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "amphi/core/concepts.hpp"
#include "amphi/core/expects.hpp"
#include "amphi/core/integer.hpp"
#include "amphi/execution/detail/share.hpp"

namespace amphi {

// What a thread visits of a range of integers; made by grid_stride_range and block_stride_range and meant for
// a range-based for loop: first + step * k for each item k of a share. The loop ends by a number of items in
// 64 bits, so also where the next index would lie past the type's end.
template <integer T>
class stride_range {
  // Loops over int, long and size_t vectorise with an index of their own type; the other types do with a
  // 64-bit index that is known to stay within T (seen with g++ 12 and clang++ 14).
  static constexpr bool own_index = sizeof(T) == 8 || (sizeof(T) == 4 && std::is_signed_v<T>);
  using index = std::conditional_t<own_index, T, std::int64_t>;
  using unsigned_index = std::make_unsigned_t<index>;

 public:
#if AMPHI_DEVICE_CODE
  // Compares items, as a loop written by hand does: no division before the first visit. 2^63 items are never
  // reached.
  class iterator {
   public:
    AMPHI_HOST_DEVICE constexpr iterator(index first, std::int64_t item, std::int64_t stride,
                                         unsigned_index step)
        : first_(first), item_(item), stride_(stride), step_(step) {}
    AMPHI_HOST_DEVICE constexpr T operator*() const {
      return static_cast<T>(at(first_, static_cast<unsigned_index>(item_), step_));
    }
    AMPHI_HOST_DEVICE constexpr iterator& operator++() {
      item_ += stride_;
      return *this;
    }
    AMPHI_HOST_DEVICE constexpr bool operator!=(const iterator& end) const { return item_ < end.item_; }

   private:
    index first_;
    std::int64_t item_, stride_;
    unsigned_index step_;
  };
#else
  // Counts visits down.
  class iterator {
   public:
    AMPHI_HOST_DEVICE constexpr iterator(index i, std::uint64_t left, index step)
        : index_(i), left_(left), step_(step) {}
    AMPHI_HOST_DEVICE constexpr T operator*() const {
      if constexpr (!own_index) {
        if (index_ < lowest_of<T> || index_ > highest_of<T>) __builtin_unreachable();
      }
      return static_cast<T>(index_);
    }
    AMPHI_HOST_DEVICE constexpr iterator& operator++() {
      --left_;
      if (step_ == 1) {
        ++index_;  // ends at `last` at most: no overflow
      } else {
        index_ = static_cast<index>(static_cast<unsigned_index>(index_) + static_cast<unsigned_index>(step_));
      }
      return *this;
    }
    AMPHI_HOST_DEVICE constexpr bool operator!=(const iterator&) const { return left_ != 0; }

   private:
    index index_;
    std::uint64_t left_;
    index step_;
  };
#endif

  AMPHI_HOST_DEVICE constexpr stride_range(T first, const detail::share& items, std::uint64_t step)
      : first_(static_cast<index>(first)), step_(static_cast<unsigned_index>(step)), items_(items) {}

#if AMPHI_DEVICE_CODE
  AMPHI_HOST_DEVICE constexpr iterator begin() const {
    return {first_, static_cast<std::int64_t>(items_.offset), static_cast<std::int64_t>(items_.stride),
            step_};
  }
  AMPHI_HOST_DEVICE constexpr iterator end() const { return {first_, signed_of(items_.end), 0, step_}; }
#else
  AMPHI_HOST_DEVICE constexpr iterator begin() const {
    return {at(first_, static_cast<unsigned_index>(items_.offset), step_), items_.visits(),
            static_cast<index>(static_cast<unsigned_index>(items_.stride) * step_)};
  }
  AMPHI_HOST_DEVICE constexpr iterator end() const { return {first_, 0, 0}; }
#endif

 private:
  AMPHI_HOST_DEVICE static constexpr index at(index first, unsigned_index item, unsigned_index step) {
    return static_cast<index>(static_cast<unsigned_index>(first) + item * step);
  }
  AMPHI_HOST_DEVICE static constexpr std::int64_t signed_of(std::uint64_t n) {
    return n > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(n);
  }

  index first_;
  unsigned_index step_;
  detail::share items_;
};

namespace detail {

template <integer T, integer A>
AMPHI_HOST_DEVICE constexpr bool holds(A a) {
  return !value_less(a, lowest_of<T>) && !value_less(highest_of<T>, a);
}

// Bounds of any two integral types, checked and brought to their common type.
template <integer T>
struct checked_bounds {
  T first, last;

  template <integer A, integer B>
  AMPHI_HOST_DEVICE checked_bounds(A a, B b) : first(static_cast<T>(a)), last(static_cast<T>(b)) {
    if constexpr (std::is_signed_v<A> != std::is_signed_v<T> || std::is_signed_v<B> != std::is_signed_v<T>) {
      AMPHI_EXPECTS(
          holds<T>(a) && holds<T>(b),
          "a bound of the range is negative, and the common type of the bounds is unsigned; give both "
          "bounds a signed type");
      if (!holds<T>(a) || !holds<T>(b)) last = first;  // a device goes on, with an empty range
    }
  }

  // Number of indices first, first + step, … below last; a reversed range has none.
  AMPHI_HOST_DEVICE constexpr std::uint64_t count(std::uint64_t step = 1) const {
    if (!(first < last)) return 0;
    using U = std::make_unsigned_t<T>;
    const std::uint64_t distance = static_cast<U>(static_cast<U>(last) - static_cast<U>(first));
    return step == 1 ? distance : (distance - 1) / step + 1;
  }
};

template <integer Step>
AMPHI_HOST_DEVICE std::uint64_t checked_step(Step step) {
  AMPHI_EXPECTS(step > 0, "the step of a range must be 1 or more");
  return step > 0 ? static_cast<std::uint64_t>(step) : 1;
}

}  // namespace detail

// The indices first, first + 1, … below last that the calling thread has to visit, so that all threads of the
// launch together visit each index once, whatever the grid. Any two integral types; the elements have their
// common type. Reversed ranges are empty; a negative bound beside an unsigned one is an error.
template <integer A, integer B>
AMPHI_HOST_DEVICE auto grid_stride_range(A first, B last) {
  using T = std::common_type_t<A, B>;
  const detail::checked_bounds<T> bounds(first, last);
  return stride_range<T>(bounds.first, detail::grid_share(bounds.count()), 1);
}

// The same for first, first + step, first + 2 step, … below last; step >= 1.
template <integer A, integer B, integer Step>
AMPHI_HOST_DEVICE auto grid_stride_range(A first, B last, Step step) {
  using T = std::common_type_t<A, B>;
  const detail::checked_bounds<T> bounds(first, last);
  const std::uint64_t s = detail::checked_step(step);
  return stride_range<T>(bounds.first, detail::grid_share(bounds.count(s)), s);
}

// The indices of [first, last) that the calling thread visits when the threads of its block share them.
template <integer A, integer B>
AMPHI_HOST_DEVICE auto block_stride_range(A first, B last) {
  using T = std::common_type_t<A, B>;
  const detail::checked_bounds<T> bounds(first, last);
  return stride_range<T>(bounds.first, detail::block_share(bounds.count()), 1);
}

}  // namespace amphi
