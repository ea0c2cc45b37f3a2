// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "amphi/execution/detail/atomic_calls.hpp"

namespace amphi {

// Who sees an atomic operation as one: the threads of the block, of the device, or of the whole system. On
// the CPU all are the same.
using thread_scope = detail::thread_scope;

// Orders with the values of std::memory_order, which is accepted everywhere in its place.
enum class memory_order : int { relaxed = 0, acquire = 2, release = 3, acq_rel = 4, seq_cst = 5 };

// Atomic operations on an object that lives elsewhere: integers of 32 and 64 bits, float and double, in
// global or shared memory. Names and results as of std::atomic_ref. Differences: the default order is
// relaxed, as of CUDA's atomicAdd, so that each call is one instruction on a GPU; there are fetch_min and
// fetch_max (for floating point IEEE 754-2019 minimum and maximum: a NaN gives NaN, −0 is below +0) and a
// scope. Sums of floats depend on the order of the additions: a result with the same bits everywhere needs
// reduce().
template <detail::atomic_element T, thread_scope Scope = thread_scope::device>
class atomic_ref {
  template <class Order>
  static constexpr int order_of(Order o) {
    static_assert(std::is_enum_v<Order>, "amphi: a memory order is amphi::memory_order or std::memory_order");
    return static_cast<int>(o);
  }
  using calls = detail::atomic_calls<T, Scope>;
  static constexpr memory_order relaxed = memory_order::relaxed;

 public:
  using value_type = T;
  static constexpr std::size_t required_alignment = sizeof(T);
  static constexpr bool is_always_lock_free = true;

  AMPHI_HOST_DEVICE explicit atomic_ref(T& object) : object_(&object) {}
  atomic_ref(const atomic_ref&) = default;
  atomic_ref& operator=(const atomic_ref&) = delete;  // assigns values only

  AMPHI_HOST_DEVICE bool is_lock_free() const { return true; }

  template <class Order = memory_order>
  AMPHI_HOST_DEVICE T load(Order o = relaxed) const {
    return calls::load(object_, order_of(o));
  }
  template <class Order = memory_order>
  AMPHI_HOST_DEVICE void store(T value, Order o = relaxed) const {
    calls::store(object_, value, order_of(o));
  }
  template <class Order = memory_order>
  AMPHI_HOST_DEVICE T exchange(T value, Order o = relaxed) const {
    return calls::exchange(object_, value, order_of(o));
  }
  // Stores `desired` if the object has the bits of `expected`; else `expected` takes the object's value.
  template <class Order = memory_order>
  AMPHI_HOST_DEVICE bool compare_exchange_strong(T& expected, T desired, Order o = relaxed) const {
    return calls::compare_exchange(object_, expected, desired, order_of(o));
  }
  template <class Order = memory_order>
  AMPHI_HOST_DEVICE bool compare_exchange_weak(T& expected, T desired, Order o = relaxed) const {
    return calls::compare_exchange(object_, expected, desired, order_of(o));
  }
  template <class Success, class Failure>
  AMPHI_HOST_DEVICE bool compare_exchange_strong(T& expected, T desired, Success s, Failure) const {
    return calls::compare_exchange(object_, expected, desired, order_of(s));
  }
  template <class Success, class Failure>
  AMPHI_HOST_DEVICE bool compare_exchange_weak(T& expected, T desired, Success s, Failure) const {
    return calls::compare_exchange(object_, expected, desired, order_of(s));
  }

  // Each gives the value before.
  template <class Order = memory_order>
  AMPHI_HOST_DEVICE T fetch_add(T value, Order o = relaxed) const {
    return calls::fetch_add(object_, value, order_of(o));
  }
  template <class Order = memory_order>
  AMPHI_HOST_DEVICE T fetch_sub(T value, Order o = relaxed) const {
    return calls::fetch_sub(object_, value, order_of(o));
  }
  template <class Order = memory_order>
  AMPHI_HOST_DEVICE T fetch_min(T value, Order o = relaxed) const {
    return calls::fetch_min(object_, value, order_of(o));
  }
  template <class Order = memory_order>
  AMPHI_HOST_DEVICE T fetch_max(T value, Order o = relaxed) const {
    return calls::fetch_max(object_, value, order_of(o));
  }
  template <class Order = memory_order>
  requires std::is_integral_v<T> AMPHI_HOST_DEVICE T fetch_and(T value, Order o = relaxed)
  const { return calls::fetch_and(object_, value, order_of(o)); }
  template <class Order = memory_order>
  requires std::is_integral_v<T> AMPHI_HOST_DEVICE T fetch_or(T value, Order o = relaxed)
  const { return calls::fetch_or(object_, value, order_of(o)); }
  template <class Order = memory_order>
  requires std::is_integral_v<T> AMPHI_HOST_DEVICE T fetch_xor(T value, Order o = relaxed)
  const { return calls::fetch_xor(object_, value, order_of(o)); }

  AMPHI_HOST_DEVICE operator T() const { return load(); }
  AMPHI_HOST_DEVICE T operator=(T value) const {
    store(value);
    return value;
  }
  AMPHI_HOST_DEVICE T operator+=(T value) const { return static_cast<T>(fetch_add(value) + value); }
  AMPHI_HOST_DEVICE T operator-=(T value) const { return static_cast<T>(fetch_sub(value) - value); }
  AMPHI_HOST_DEVICE T operator++() const { return static_cast<T>(fetch_add(T(1)) + T(1)); }
  AMPHI_HOST_DEVICE T operator--() const { return static_cast<T>(fetch_sub(T(1)) - T(1)); }
  AMPHI_HOST_DEVICE T operator++(int) const { return fetch_add(T(1)); }
  AMPHI_HOST_DEVICE T operator--(int) const { return fetch_sub(T(1)); }

 private:
  T* object_;
};

template <class T>
atomic_ref(T&) -> atomic_ref<T>;

// Replaces the object's value v by f(v), as one operation, and gives the value before. f may be called again
// when another thread was faster.
template <class T, thread_scope Scope, class F>
AMPHI_HOST_DEVICE T atomic_update(atomic_ref<T, Scope> object, F f) {
  return detail::atomic_calls<T, Scope>::update(object, f);
}

}  // namespace amphi
