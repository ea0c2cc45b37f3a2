// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "amphi/core/concepts.hpp"
#include "amphi/core/extent.hpp"
#include "amphi/core/integer.hpp"
#include "amphi/runtime/backend.hpp"
#include "amphi/runtime/stream.hpp"

namespace amphi {

// A number of a policy: any integral value, kept in 64 bits with its sign, or "automatic" when never set.
struct policy_number {
  std::int64_t value = INT64_MIN;

  constexpr policy_number() = default;
  template <integer T>
  constexpr policy_number(T v) : value(saturated(v)) {}

  constexpr bool is_automatic() const { return value == INT64_MIN; }
  constexpr std::int64_t value_or(std::int64_t other) const { return is_automatic() ? other : value; }

 private:
  template <class T>
  static constexpr std::int64_t saturated(T v) {
    // INT64_MIN itself is kept apart from "automatic".
    const std::int64_t wide = signed_value(v);
    return wide == INT64_MIN ? INT64_MIN + 1 : wide;
  }
};

// In which order the CPU runs the blocks of a grid and starts the threads of a block. A kernel whose result
// changes with the order has a race. Has no effect on a GPU.
class thread_order {
 public:
  enum class kind : std::uint8_t { automatic, forward, reverse, random };

  constexpr thread_order() = default;  // what AMPHI_ORDER says, else forward

  static const thread_order forward;
  static const thread_order reverse;
  // A permutation that depends on the seed only.
  static constexpr thread_order random(std::uint64_t seed) { return {kind::random, seed}; }

  constexpr kind which() const { return kind_; }
  constexpr std::uint64_t seed() const { return seed_; }
  friend constexpr bool operator==(const thread_order&, const thread_order&) = default;

 private:
  constexpr thread_order(kind k, std::uint64_t s) : kind_(k), seed_(s) {}
  kind kind_ = kind::automatic;
  std::uint64_t seed_ = 0;
};
inline constexpr thread_order thread_order::forward{thread_order::kind::forward, 0};
inline constexpr thread_order thread_order::reverse{thread_order::kind::reverse, 0};

// Scratch memory that the caller lends to an algorithm; it must be reachable by the launch's backend.
struct workspace_view {
  void* data = nullptr;
  std::size_t bytes = 0;
};

// How a launch is spread. Every member left out is chosen automatically:
//   amphi::launch<saxpy>({.grid = 4096, .block = 256}, n, 2.0f, x, y);
// An explicit 0 or negative number is a launch_error that names the member. New members go last.
struct policy {
  extent3 grid = extent3::automatic();      // blocks
  extent3 block = extent3::automatic();     // threads of a block
  policy_number shared_bytes{};             // dynamic shared memory of a block; may be 0
  policy_number shared_bytes_per_thread{};  // the same, times the block size; may be 0
  policy_number max_block{};                // upper bound for an automatic block
  stream_view stream{};
  amphi::backend backend = amphi::backend::automatic;
  policy_number workers{};  // CPU threads
  thread_order order{};
  workspace_view workspace{};
};

// One block of one thread on the backend in use: `<<<1,1>>>`, or one call on the calling thread.
inline constexpr policy serial{.grid = 1, .block = 1};

}  // namespace amphi
