// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "amphi/config/macros.hpp"
#include "amphi/core/concepts.hpp"

// How atomic_ref does its work: compiler builtins on the CPU, CUDA's atomic functions on a device.

namespace amphi::detail {

enum class thread_scope { block, device, system };

template <class T>
concept atomic_element = (integer<T> && !std::is_const_v<T> && !std::is_volatile_v<T> &&
                          (sizeof(T) == 4 || sizeof(T) == 8)) ||
                         std::is_same_v<T, float> || std::is_same_v<T, double>;

// IEEE 754-2019 minimum and maximum for floating point.
template <class T>
AMPHI_HOST_DEVICE T atomic_lower(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a || b != b)
      return sizeof(T) == 4 ? static_cast<T>(__builtin_nanf("")) : static_cast<T>(__builtin_nan(""));
    if (a == b) return __builtin_signbit(a) ? a : b;
  }
  return b < a ? b : a;
}
template <class T>
AMPHI_HOST_DEVICE T atomic_higher(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a || b != b)
      return sizeof(T) == 4 ? static_cast<T>(__builtin_nanf("")) : static_cast<T>(__builtin_nan(""));
    if (a == b) return __builtin_signbit(a) ? b : a;
  }
  return a < b ? b : a;
}

template <class To, class From>
AMPHI_HOST_DEVICE To bits_as(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

#if AMPHI_DEVICE_CODE

#  define AMPHI_DETAIL_SCOPED(function, ...)                                            \
    if constexpr (Scope == thread_scope::block) return function##_block(__VA_ARGS__);   \
    if constexpr (Scope == thread_scope::system) return function##_system(__VA_ARGS__); \
    return function(__VA_ARGS__)

template <class T, thread_scope Scope>
struct atomic_calls {
  // CUDA's functions know these types.
  using bits = std::conditional_t<sizeof(T) == 4, unsigned int, unsigned long long>;
  using number = std::conditional_t<
      std::is_floating_point_v<T>, T,
      std::conditional_t<std::is_signed_v<T>, std::conditional_t<sizeof(T) == 4, int, long long>, bits>>;

  __device__ static void fence() {
    if constexpr (Scope == thread_scope::block) __threadfence_block();
    if constexpr (Scope == thread_scope::device) __threadfence();
    if constexpr (Scope == thread_scope::system) __threadfence_system();
  }
  template <class F>
  __device__ static auto ordered(int order, F f) {
    if (order >= 3) fence();
    const auto result = f();
    if (order != 0 && order != 3) fence();
    return result;
  }
  __device__ static bits* raw(T* p) { return reinterpret_cast<bits*>(p); }

  __device__ static bits add(bits* p, bits v) { AMPHI_DETAIL_SCOPED(atomicAdd, p, v); }
  __device__ static float add(float* p, float v) { AMPHI_DETAIL_SCOPED(atomicAdd, p, v); }
  __device__ static double add(double* p, double v) { AMPHI_DETAIL_SCOPED(atomicAdd, p, v); }
  __device__ static bits swap(bits* p, bits v) { AMPHI_DETAIL_SCOPED(atomicExch, p, v); }
  __device__ static bits cas(bits* p, bits e, bits v) { AMPHI_DETAIL_SCOPED(atomicCAS, p, e, v); }
  __device__ static bits band(bits* p, bits v) { AMPHI_DETAIL_SCOPED(atomicAnd, p, v); }
  __device__ static bits bor(bits* p, bits v) { AMPHI_DETAIL_SCOPED(atomicOr, p, v); }
  __device__ static bits bxor(bits* p, bits v) { AMPHI_DETAIL_SCOPED(atomicXor, p, v); }
  __device__ static number lower(number* p, number v) { AMPHI_DETAIL_SCOPED(atomicMin, p, v); }
  __device__ static number higher(number* p, number v) { AMPHI_DETAIL_SCOPED(atomicMax, p, v); }

  __device__ static T load(T* p, int o) {
    return ordered(o, [&] { return *static_cast<volatile T*>(p); });
  }
  __device__ static void store(T* p, T v, int o) {
    (void)ordered(o, [&] { return *static_cast<volatile T*>(p) = v, 0; });
  }
  __device__ static T exchange(T* p, T v, int o) {
    return ordered(o, [&] { return bits_as<T>(swap(raw(p), bits_as<bits>(v))); });
  }
  __device__ static bool compare_exchange(T* p, T& expected, T v, int o) {
    const bits e = bits_as<bits>(expected);
    const bits found = ordered(o, [&] { return cas(raw(p), e, bits_as<bits>(v)); });
    expected = bits_as<T>(found);
    return found == e;
  }
  __device__ static T fetch_add(T* p, T v, int o) {
    if constexpr (std::is_floating_point_v<T>) {
      return ordered(o, [&] { return add(p, v); });
    } else {
      return ordered(o, [&] { return static_cast<T>(add(raw(p), static_cast<bits>(v))); });
    }
  }
  __device__ static T fetch_sub(T* p, T v, int o) {
    if constexpr (std::is_floating_point_v<T>) {
      return fetch_add(p, -v, o);
    } else {
      return fetch_add(p, static_cast<T>(bits{0} - static_cast<bits>(v)), o);
    }
  }
  __device__ static T fetch_min(T* p, T v, int o) {
    if constexpr (std::is_floating_point_v<T>) {
      return ordered(o, [&] { return replace(p, [&](T old) { return atomic_lower(old, v); }); });
    } else {
      return ordered(
          o, [&] { return static_cast<T>(lower(reinterpret_cast<number*>(p), static_cast<number>(v))); });
    }
  }
  __device__ static T fetch_max(T* p, T v, int o) {
    if constexpr (std::is_floating_point_v<T>) {
      return ordered(o, [&] { return replace(p, [&](T old) { return atomic_higher(old, v); }); });
    } else {
      return ordered(
          o, [&] { return static_cast<T>(higher(reinterpret_cast<number*>(p), static_cast<number>(v))); });
    }
  }
  __device__ static T fetch_and(T* p, T v, int o) {
    return ordered(o, [&] { return static_cast<T>(band(raw(p), static_cast<bits>(v))); });
  }
  __device__ static T fetch_or(T* p, T v, int o) {
    return ordered(o, [&] { return static_cast<T>(bor(raw(p), static_cast<bits>(v))); });
  }
  __device__ static T fetch_xor(T* p, T v, int o) {
    return ordered(o, [&] { return static_cast<T>(bxor(raw(p), static_cast<bits>(v))); });
  }
  template <class F>
  __device__ static T replace(T* p, F f) {
    T old = load(p, 0);
    while (!compare_exchange(p, old, f(old), 0)) {
    }
    return old;
  }

#  undef AMPHI_DETAIL_SCOPED
#else

template <class T, thread_scope Scope>
struct atomic_calls {
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  typedef bits __attribute__((may_alias)) any_bits;
  static any_bits* raw(T* p) { return reinterpret_cast<any_bits*>(p); }
  static constexpr int load_order(int o) {
    return o == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : o == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : o;
  }
  static constexpr int store_order(int o) {
    return o == __ATOMIC_ACQUIRE || o == __ATOMIC_CONSUME ? __ATOMIC_RELAXED
           : o == __ATOMIC_ACQ_REL                        ? __ATOMIC_RELEASE
                                                          : o;
  }

  static T load(T* p, int o) { return bits_as<T>(__atomic_load_n(raw(p), load_order(o))); }
  static void store(T* p, T v, int o) { __atomic_store_n(raw(p), bits_as<bits>(v), store_order(o)); }
  static T exchange(T* p, T v, int o) { return bits_as<T>(__atomic_exchange_n(raw(p), bits_as<bits>(v), o)); }
  static bool compare_exchange(T* p, T& expected, T v, int o) {
    bits e = bits_as<bits>(expected);
    const bool done = __atomic_compare_exchange_n(raw(p), &e, bits_as<bits>(v), false, o, load_order(o));
    expected = bits_as<T>(e);
    return done;
  }
  static T fetch_add(T* p, T v, int o) {
    if constexpr (std::is_floating_point_v<T>) {
      return replace(p, o, [&](T old) { return old + v; });
    } else {
      return static_cast<T>(__atomic_fetch_add(raw(p), static_cast<bits>(v), o));
    }
  }
  static T fetch_sub(T* p, T v, int o) {
    if constexpr (std::is_floating_point_v<T>) {
      return replace(p, o, [&](T old) { return old - v; });
    } else {
      return static_cast<T>(__atomic_fetch_sub(raw(p), static_cast<bits>(v), o));
    }
  }
  static T fetch_min(T* p, T v, int o) {
    return replace(p, o, [&](T old) { return atomic_lower(old, v); });
  }
  static T fetch_max(T* p, T v, int o) {
    return replace(p, o, [&](T old) { return atomic_higher(old, v); });
  }
  static T fetch_and(T* p, T v, int o) {
    return static_cast<T>(__atomic_fetch_and(raw(p), static_cast<bits>(v), o));
  }
  static T fetch_or(T* p, T v, int o) {
    return static_cast<T>(__atomic_fetch_or(raw(p), static_cast<bits>(v), o));
  }
  static T fetch_xor(T* p, T v, int o) {
    return static_cast<T>(__atomic_fetch_xor(raw(p), static_cast<bits>(v), o));
  }

  template <class F>
  static T replace(T* p, int o, F f) {
    T old = load(p, 0);
    while (!compare_exchange(p, old, f(old), o)) {
    }
    return old;
  }

#endif
  template <class Ref, class F>
  AMPHI_HOST_DEVICE static T update(const Ref& object, F& f) {
    T old = object.load();
    while (!object.compare_exchange_weak(old, f(old))) {
    }
    return old;
  }
};

}  // namespace amphi::detail
