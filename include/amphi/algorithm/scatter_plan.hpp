// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "amphi/algorithm/detail/bin_rank.hpp"
#include "amphi/algorithm/detail/bin_reduce.hpp"
#include "amphi/algorithm/detail/bin_tiles.hpp"
#include "amphi/algorithm/detail/reduce_call.hpp"
#include "amphi/memory/buffer.hpp"
#include "amphi/runtime/device.hpp"

namespace amphi {
namespace detail {

struct scatter_plan_name {
  static constexpr const char* name = "amphi::scatter_plan";
};

}  // namespace detail

// Sums, or other reductions, of values into bins, for many sets of values on the same bins:
//
//   amphi::scatter_plan plan(bins, bin_count);             // bins[i]: the bin of element i
//   plan.reduce(weights, sums, 0.0, amphi::plus{});        // sums[b] = the weights whose bin is b
//   plan.reduce(weights, squares, 0.0, amphi::plus{}, square());
//
// Reproducible: a bin's result is what amphi::reduce gives for its values in their order, on every backend.
// Each value is read through the plan's permutation; where the data can be kept in bin order instead, which
// is several times faster, use permutation() once and reduce_in_order() afterwards. On a GPU, many values
// (above 40 MiB, as accumulators of up to 8 bytes) are brought near to their bins first, in scratch of their
// size; for that a plan keeps 6 bytes an element besides the permutation's 4.
//
// A plan belongs to the backend and device that made it. Its work is put on the policy's stream: later calls
// on another stream must wait for that. A bin out of range is a bounds_error, on a GPU at the next
// synchronisation.
class scatter_plan {
 public:
  // Sorts the bins, which are integers from 0 to bin_count − 1; allocates; does not wait for a GPU. Can't be
  // captured.
  template <detail::input Bins, integer Count>
  scatter_plan(const policy& p, Bins&& bins, Count bin_count) {
    using name = detail::scatter_plan_name;
    n_ = detail::count_of(name::name, bins);
    bins_ = policy_number(bin_count).value;
    detail::check_bins(name::name, n_, bins_);
    const detail::algorithm_plan plan = detail::plan_algorithm(name::name, p, detail::task_threads);
    detail::refuse_plan_in_capture(plan);
    backend_ = plan.launch.backend;
    device_ = device_for(p.stream);
    stream_ = p.stream;
    const memory_space space = plan.on_gpu ? memory_space::device : memory_space::pageable;
    // One piece of memory, since allocating on a GPU takes as long as some of the work.
    const auto count = static_cast<std::size_t>(n_);
    const std::size_t order_bytes = count * sizeof(detail::bin_index);
    const std::size_t numbers = (count + 1) / 2 + static_cast<std::size_t>(bins_) + 1;
    in_tiles_ = plan.on_gpu && plan.automatic && detail::bins_may_pay_tiles(n_);
    const std::size_t tile_bytes = in_tiles_ ? order_bytes + count * sizeof(detail::bin_tile_index) : 0;
    memory_ = buffer(numbers * sizeof(std::int64_t) + tile_bytes, space, p.stream);
    detail::scratch_pieces pieces;
    std::int64_t* const offsets = offsets_at();
    detail::bin_index* const order = order_at();
    const auto elements = detail::elements_of(bins);
    if (plan.on_gpu) {
      const detail::bin_sort<name, detail::bin_index> sorting(plan, pieces, n_, bins_);
      const std::size_t places_at = pieces.add<detail::bin_tile_index>(in_tiles_ ? count : 0);
      const detail::scratch s(name::name, plan, pieces.bytes(), 0);
      sorting.numbers(plan, s, elements, offsets, order);
      if (in_tiles_) {
        auto* const places = detail::scratch_pieces::at<detail::bin_tile_index>(s, places_at);
        detail::launch_bin_tiles(
            plan, detail::bin_tile_places<name>(sorting.keys(s), offsets, n_, places, tile_elements()));
        detail::launch_tasks(plan, n_, detail::bin_tile_order<name>{order, places, tile_order()});
      }
    } else {
      rank_ = buffer(order_bytes, space);
      auto* const rank = static_cast<detail::bin_index*>(rank_.data());
      using ranking_type = detail::bin_ranking<name, std::remove_const_t<decltype(elements)>>;
      ranking_type ranking(plan, pieces, elements, n_, bins_);
      const detail::scratch s(name::name, plan, pieces.bytes(), ranking_type::zeroed);
      ranking.rank(plan, s, rank, offsets);
      detail::launch_host_tasks(plan, n_, detail::bin_invert<name>{rank, order});
    }
  }
  template <detail::input Bins, integer Count>
  scatter_plan(Bins&& bins, Count bin_count) : scatter_plan(policy{}, bins, bin_count) {}

  // One that was moved from has no elements and no bins.
  scatter_plan(scatter_plan&& other) noexcept
      : n_(std::exchange(other.n_, 0)),
        bins_(std::exchange(other.bins_, 0)),
        backend_(other.backend_),
        device_(other.device_),
        stream_(other.stream_),
        memory_(std::move(other.memory_)),
        rank_(std::move(other.rank_)),
        in_tiles_(other.in_tiles_) {}
  scatter_plan& operator=(scatter_plan&& other) noexcept {
    scatter_plan taken(std::move(other));
    std::swap(n_, taken.n_);
    std::swap(bins_, taken.bins_);
    backend_ = taken.backend_, device_ = taken.device_, stream_ = taken.stream_;
    memory_ = std::move(taken.memory_), rank_ = std::move(taken.rank_);
    in_tiles_ = taken.in_tiles_;
    return *this;
  }

  // out[b] = op(init, f of each value of bin b, …) for every bin; of no values, init. f may be left out. op
  // must be associative and commutative; the accumulator is of init's type. Does not wait for a GPU.
  template <detail::input Values, detail::output Out, class T, class Op, class F = identity>
  void reduce(const policy& p, Values&& values, Out&& out, T init, Op op, F f = {}) const {
    reduce_values<false>(p, values, out, init, op, f);
  }
  template <detail::input Values, detail::output Out, class T, class Op, class F = identity>
  void reduce(Values&& values, Out&& out, T init, Op op, F f = {}) const {
    reduce(own_policy(), values, out, init, op, f);
  }

  // The same, of values in bin order: values[k] belongs to element permutation()[k].
  template <detail::input Values, detail::output Out, class T, class Op, class F = identity>
  void reduce_in_order(const policy& p, Values&& values, Out&& out, T init, Op op, F f = {}) const {
    reduce_values<true>(p, values, out, init, op, f);
  }
  template <detail::input Values, detail::output Out, class T, class Op, class F = identity>
  void reduce_in_order(Values&& values, Out&& out, T init, Op op, F f = {}) const {
    reduce_in_order(own_policy(), values, out, init, op, f);
  }

  // The elements in the order of their bins; those of a bin in their own order.
  view<const std::uint32_t> permutation() const { return {order_at(), n_}; }
  // Where each bin begins in the permutation; bin_count() + 1 numbers.
  view<const std::int64_t> offsets() const { return {offsets_at(), memory_.data() ? bins_ + 1 : 0}; }
  std::int64_t size() const { return n_; }
  std::int64_t bin_count() const { return bins_; }

 private:
  detail::bin_index* order_at() const { return static_cast<detail::bin_index*>(memory_.data()); }
  std::int64_t* offsets_at() const {
    return static_cast<std::int64_t*>(memory_.data()) + (n_ + 1) / 2;  // behind it
  }
  detail::bin_index* tile_order() const {
    return reinterpret_cast<detail::bin_index*>(offsets_at() + bins_ + 1);
  }
  detail::bin_tile_index* tile_elements() const {
    return reinterpret_cast<detail::bin_tile_index*>(tile_order() + n_);
  }

  // The device that a stream's work runs on; −1 for a plan of the CPU.
  int device_for(stream_view s) const {
    if (backend_ != backend::cuda) return -1;
    const int device = detail::device_of(s);
    return device >= 0 ? device : current_device();
  }

  policy own_policy() const {
    policy p;
    p.backend = backend_;
    p.stream = stream_;
    return p;
  }

  template <bool InOrder, class Values, class Out, class A, class Op, class F>
  void reduce_values(const policy& p, Values& values, Out& out, const A& init, const Op& op,
                     const F& f) const {
    using name = detail::scatter_plan_name;
    detail::check_accumulator<detail::mapped<decltype(detail::source_of(values)), F>, A>();
    if (detail::count_of(name::name, values) != n_)
      detail::throw_plan_size(detail::size_of(values), static_cast<std::uint64_t>(n_));
    detail::check_size(name::name, "the output", out, bins_);
    auto* const to = view(out).data();
    if constexpr (!detail::is_index_range<std::remove_cv_t<Values>>)
      detail::check_apart(name::name, view(values).data(), n_, to, bins_);
    const detail::algorithm_plan plan = detail::plan_algorithm(name::name, p, detail::task_threads);
    if (plan.launch.backend != backend_) detail::throw_other_backend(name::name);
    if (device_for(p.stream) != device_)
      detail::throw_other_device(name::name, device_, device_for(p.stream));
    auto elements = detail::elements_of(values);
    const std::int64_t* const offsets = offsets_at();
    detail::scratch_pieces pieces;
    const detail::segment_space<A> space(plan, n_, pieces);
    using tile_values = detail::bin_tile_values<name, A, std::remove_const_t<decltype(elements)>, F>;
    const bool by_tiles = in_tiles_ && plan.automatic && detail::bins_pay_tiles<A>(n_) &&
                          tile_values::shared_bytes <= plan.shared_bytes;
    const bool bring = !InOrder && (by_tiles || !plan.on_gpu);
    const std::size_t room_at = pieces.add<A>(bring ? static_cast<std::size_t>(n_) : 0);
    const detail::scratch s(name::name, plan, pieces.bytes(), space.zeroed_bytes());
    const auto reduce_from = [&](const auto& source, const auto& g) {
      detail::reduce_segments(
          plan, detail::bin_segments<name>(source, g, op, init, false, to, offsets, bins_, n_), space, s);
    };
    if constexpr (InOrder) return reduce_from(detail::make_zip(elements), f);
    A* const room = detail::scratch_pieces::at<A>(s, room_at);
    if constexpr (AMPHI_CUDA != 0 && !InOrder && sizeof(A) <= 8) {
      if (by_tiles) {
        detail::launch_bin_tiles(plan, tile_values{detail::make_zip(elements), f, tile_elements(), room, n_},
                                 tile_values::shared_bytes);
        return reduce_from(detail::in_tiles<A>{{room, tile_order()}}, identity());
      }
    }
    if constexpr (AMPHI_CUDA != 0 && !InOrder) {
      const detail::bin_index* const order = order_at();
      if (plan.on_gpu) return reduce_from(detail::permuted<decltype(elements)>{elements, order}, f);
    }
    detail::put_in_bin_order<name>(plan, elements, f, static_cast<const detail::bin_index*>(rank_.data()),
                                   room, n_);
    reduce_from(detail::make_zip(static_cast<const A*>(room)), identity());
  }

  std::int64_t n_ = 0, bins_ = 0;
  backend backend_ = backend::cpu;
  int device_ = -1;
  stream_view stream_;
  buffer memory_;  // the permutation, then the offsets, then those of tiles: the order, the elements
  buffer rank_;    // of the CPU: the inverse of the permutation
  bool in_tiles_ = false;
};

}  // namespace amphi
