// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "amphi/algorithm/detail/plan.hpp"
#include "amphi/algorithm/index_range.hpp"
#include "amphi/core/extent.hpp"
#include "amphi/core/view.hpp"

// What algorithms read and write. An argument (view, container, index range, extent, box) becomes a source,
// which gives element i to a function: source.at(i, f) is f(element…). Sources travel to a device.

namespace amphi::detail {

// --- arguments

template <class C>
concept contiguous = requires(std::remove_reference_t<C>& c) {
  view(c);
};

template <class C>
inline constexpr bool is_index_range = false;
template <class T>
inline constexpr bool is_index_range<index_range<T>> = true;

// A view, span, array of C or container; or an index_range.
template <class C>
concept input = contiguous<C> || is_index_range<std::remove_cvref_t<C>>;

template <class C>
concept output = contiguous<C> && !std::is_const_v<
    std::remove_pointer_t<decltype(view(std::declval<std::remove_reference_t<C>&>()).data())>>;

// Elements without memory: first, first + 1, …
template <class T>
struct counting {
  using value_type = T;
  T first;
  AMPHI_HOST_DEVICE constexpr T operator[](std::int64_t i) const {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(static_cast<U>(first) + static_cast<U>(i)));
  }
};

// The same value everywhere.
template <class T>
struct constant_elements {
  using value_type = T;
  T value;
  AMPHI_HOST_DEVICE constexpr const T& operator[](std::int64_t) const { return value; }
};

template <class E>
struct element_of {
  using type = typename E::value_type;
};
template <class T>
struct element_of<T*> {
  using type = std::remove_cv_t<T>;
};

template <class C>
auto elements_of(C& c) {
  if constexpr (is_index_range<std::remove_cv_t<C>>) {
    return counting<typename C::value_type>{c.first()};
  } else {
    const auto v = view(c);
    return static_cast<const typename decltype(v)::element_type*>(v.data());
  }
}

template <class C>
std::uint64_t size_of(C& c) {
  if constexpr (is_index_range<std::remove_cv_t<C>>) {
    return c.size();
  } else {
    return view(c).size();
  }
}

// The size of an input as a signed number. A size beyond the address space was negative once. Elements need
// memory.
template <input C>
std::int64_t count_of(const char* algorithm, C& c) {
  const std::uint64_t n = size_of(c);
  std::uint64_t limit = INT64_MAX;
  if constexpr (!is_index_range<std::remove_cv_t<C>>) limit /= sizeof(typename decltype(view(c))::value_type);
  if (n > limit) throw_too_many(algorithm, n);
  if constexpr (!is_index_range<std::remove_cv_t<C>>)
    if (n != 0 && view(c).data() == nullptr) throw_null_range(algorithm, n);
  return static_cast<std::int64_t>(n);
}

template <class C>
void check_size(const char* algorithm, const char* what, C& c, std::int64_t need) {
  if (count_of(algorithm, c) < need)
    throw_too_small(algorithm, what, size_of(c), static_cast<std::uint64_t>(need));
}

template <class In, class Out>
void check_aliasing(const char* algorithm, In& in, Out& out, std::int64_t n) {
  if constexpr (!is_index_range<std::remove_cv_t<In>>) {
    const auto i = view(in);
    const auto o = view(out);
    check_overlap(algorithm, i.data(), sizeof(*i.data()), o.data(), sizeof(*o.data()), n);
  }
}

// --- vectors

// W neighbouring elements, moved by one instruction where the device can.
template <class T, int W>
inline constexpr std::size_t pack_alignment = [] {
  constexpr std::size_t size = sizeof(T) * W, most = size < 16 ? size : 16;
  return size % 16 != 0 && (size & (size - 1)) != 0 ? alignof(T) : most < alignof(T) ? alignof(T) : most;
}();
template <class T, int W>
struct alignas(pack_alignment<T, W>) pack {
  T v[W];
};

template <class T>
inline constexpr bool packs = sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0 &&
                              std::is_trivially_copyable_v<T>&& std::is_trivially_default_constructible_v<T>;

template <int W, class T>
AMPHI_HOST_DEVICE void load_pack(const T* p, std::int64_t i, T (&to)[W]) {
  const auto loaded = *reinterpret_cast<const pack<T, W>*>(p + i);
  for (int w = 0; w < W; ++w) to[w] = loaded.v[w];
}
template <int W, class E>
AMPHI_HOST_DEVICE void load_pack(const E& e, std::int64_t i, typename E::value_type (&to)[W]) {
  for (int w = 0; w < W; ++w) to[w] = e[i + w];
}

// --- sources

template <std::size_t Index, class E>
struct slot {
  E elements;
};

template <class Sequence, class... E>
struct zip_slots;

template <std::size_t... Index, class... E>
struct zip_slots<std::index_sequence<Index...>, E...> : slot<Index, E>... {
  // All element types can be moved as packs.
  static constexpr bool packable = (packs<typename element_of<E>::type> && ...);
  static constexpr std::size_t widest = [] {
    std::size_t size = 1;
    ((size = sizeof(typename element_of<E>::type) > size ? sizeof(typename element_of<E>::type) : size), ...);
    return size;
  }();

  template <class F>
  AMPHI_HOST_DEVICE decltype(auto) at(std::int64_t i, F& f) const {
    return f(static_cast<const slot<Index, E>&>(*this).elements[i]...);
  }

  // Calls g(l, f(element i + l…)) for l = 0 … count − 1.
  template <class F, class G>
  AMPHI_HOST_DEVICE void visit(std::int64_t i, int count, F& f, G&& g) const {
    visit_each(i, count, f, g, static_cast<const slot<Index, E>&>(*this).elements...);
  }

  // results[w] = f(element i + w…), read as packs; i and the pointers must be aligned to W elements.
  template <int W, class R, class F>
  AMPHI_HOST_DEVICE void at_pack(std::int64_t i, F& f, R (&results)[W]) const {
    packed<typename element_of<E>::type...>::template run<W>(
        f, results, i, static_cast<const slot<Index, E>&>(*this).elements...);
  }

  // Are all pointers aligned for packs of W, from element `first` on?
  template <int W>
  bool aligned(std::int64_t first = 0) const {
    return (slot_aligned<W>(static_cast<const slot<Index, E>&>(*this).elements, first) && ...);
  }

 private:
  template <class F, class G, class... P>
  AMPHI_HOST_DEVICE static void visit_each(std::int64_t i, int count, F& f, G& g, const P&... elements) {
    for (int l = 0; l < count; ++l) g(l, f(elements[i + l]...));
  }

  template <int W, class T>
  static bool slot_aligned(const T* p, std::int64_t first) {
    return reinterpret_cast<std::uintptr_t>(p + first) % alignof(pack<T, W>) == 0;
  }
  template <int W, class T>
  static bool slot_aligned(const T&, std::int64_t) {
    return true;
  }

  template <class... T>
  struct packed {
    template <int W, class R, class F>
    AMPHI_HOST_DEVICE static void run(F& f, R (&results)[W], std::int64_t i, const E&... elements) {
      loaded<W, slot<Index, T>...> values;
      (load_pack<W>(elements, i, static_cast<one<W, slot<Index, T>>&>(values).v), ...);
      for (int w = 0; w < W; ++w)
        results[w] = static_cast<R>(f(static_cast<const one<W, slot<Index, T>>&>(values).v[w]...));
    }
  };
  template <int W, class Slot>
  struct one;
  template <int W, std::size_t J, class T>
  struct one<W, slot<J, T>> {
    T v[W];
  };
  template <int W, class... Slots>
  struct loaded : one<W, Slots>... {};
};

// Element i of each of several inputs.
template <class... E>
struct zip : zip_slots<std::index_sequence_for<E...>, E...> {};

template <class... E>
zip<E...> make_zip(E... e) {
  return {{{e}...}};
}

// The positions of a box, x fastest.
struct box2_source {
  static constexpr bool packable = false;
  static constexpr std::size_t widest = 8;
  index2 first;
  std::int64_t nx;

  AMPHI_HOST_DEVICE index2 place(std::int64_t i) const {
    if (((i | nx) >> 32) == 0) {
      const auto small = static_cast<std::uint32_t>(i), n = static_cast<std::uint32_t>(nx);
      const std::uint32_t y = small / n;
      return {first.x + (small - y * n), first.y + y};
    }
    const std::int64_t y = i / nx;
    return {first.x + (i - y * nx), first.y + y};
  }
  template <class F>
  AMPHI_HOST_DEVICE decltype(auto) at(std::int64_t i, F& f) const {
    const index2 p = place(i);
    return call(f, p.x, p.y);
  }
  template <class F, class G>
  AMPHI_HOST_DEVICE void visit(std::int64_t i, int count, F& f, G&& g) const {
    index2 p = place(i);
    for (int l = 0; l < count;) {
      const std::int64_t run = first.x + nx - p.x;
      const int end = run < count - l ? l + static_cast<int>(run) : count;
      for (const std::int64_t x0 = p.x - l; l < end; ++l) g(l, call(f, x0 + l, p.y));
      p = {first.x, p.y + 1};
    }
  }
  AMPHI_DETAIL_CONVERSIONS_BEGIN
  template <class F>
  AMPHI_HOST_DEVICE static decltype(auto) call(F& f, std::int64_t x, std::int64_t y) {
    return f(x, y);
  }
  AMPHI_DETAIL_CONVERSIONS_END
  template <int W>
  bool aligned() const {
    return false;
  }
};

struct box3_source {
  static constexpr bool packable = false;
  static constexpr std::size_t widest = 8;
  index3 first;
  std::int64_t nx, ny;

  AMPHI_HOST_DEVICE index3 place(std::int64_t i) const {
    const index2 xr = box2_source{{0, 0}, nx}.place(i);
    const index2 yz = box2_source{{0, 0}, ny}.place(xr.y);
    return {first.x + xr.x, first.y + yz.x, first.z + yz.y};
  }
  template <class F>
  AMPHI_HOST_DEVICE decltype(auto) at(std::int64_t i, F& f) const {
    const index3 p = place(i);
    return call(f, p.x, p.y, p.z);
  }
  template <class F, class G>
  AMPHI_HOST_DEVICE void visit(std::int64_t i, int count, F& f, G&& g) const {
    index3 p = place(i);
    for (int l = 0; l < count;) {
      const std::int64_t run = first.x + nx - p.x;
      const int end = run < count - l ? l + static_cast<int>(run) : count;
      for (const std::int64_t x0 = p.x - l; l < end; ++l) g(l, call(f, x0 + l, p.y, p.z));
      p.x = first.x;
      if (++p.y == first.y + ny) p.y = first.y, ++p.z;
    }
  }
  AMPHI_DETAIL_CONVERSIONS_BEGIN
  template <class F>
  AMPHI_HOST_DEVICE static decltype(auto) call(F& f, std::int64_t x, std::int64_t y, std::int64_t z) {
    return f(x, y, z);
  }
  AMPHI_DETAIL_CONVERSIONS_END
  template <int W>
  bool aligned() const {
    return false;
  }
};

template <class C>
concept box_like =
    std::is_same_v<std::remove_cvref_t<C>, extent2> || std::is_same_v<std::remove_cvref_t<C>, extent3> ||
    std::is_same_v<std::remove_cvref_t<C>, box2> || std::is_same_v<std::remove_cvref_t<C>, box3>;

inline auto source_of(const extent2& e) { return box2_source{{0, 0}, e.x}; }
inline auto source_of(const box2& b) { return box2_source{b.first, b.extent().x}; }
inline auto source_of(const extent3& e) { return box3_source{{0, 0, 0}, e.x, e.y}; }
inline auto source_of(const box3& b) { return box3_source{b.first, b.extent().x, b.extent().y}; }
template <input C>
auto source_of(C& c) {
  return make_zip(elements_of(c));
}

template <box_like C>
std::int64_t count_of(const char*, const C& space) {
  return counted(space);
}

// --- types

// Does To hold each value of From?
template <class From, class To>
constexpr bool lossless() {
  using std::numeric_limits;
  if constexpr (!std::is_arithmetic_v<From> || !std::is_arithmetic_v<To> || std::is_same_v<From, To>) {
    return std::is_convertible_v<From, To>;
  } else if constexpr (std::is_floating_point_v<From>) {
    return std::is_floating_point_v<To> && numeric_limits<To>::digits >= numeric_limits<From>::digits;
  } else if constexpr (std::is_floating_point_v<To>) {
    return numeric_limits<To>::digits >= numeric_limits<From>::digits;
  } else {
    return numeric_limits<To>::digits >= numeric_limits<From>::digits &&
           (std::is_signed_v<To> || !std::is_signed_v<From>);
  }
}

template <class From, class A>
constexpr void check_accumulator() {
  static_assert(
      std::is_trivially_copyable_v<A> && std::is_default_constructible_v<A>,
      "amphi: an accumulator travels between host and device: it must be trivially copyable and have a "
      "default constructor");
  static_assert(sizeof(A) <= 160, "amphi: an accumulator may have 160 bytes");
  static_assert(
      std::is_convertible_v<From, A>,
      "amphi: an element can't become an accumulator, which has init's type; has init changed places "
      "with the operator? reduce(in, init, op), exclusive_scan(in, out, init, op), "
      "inclusive_scan(in, out, op, init)");
  static_assert(!std::is_convertible_v<From, A> || lossless<From, A>(),
                "amphi: the init of this algorithm narrows the elements: its type is the accumulator's type, "
                "and it can't "
                "hold each element. Give an init of a wider type, as in 0.0 for double elements");
}

// op(a, b) as an accumulator. An int that stands for a narrower integer is fine; another type is not.
template <class A, class Op>
AMPHI_HOST_DEVICE constexpr A combine(Op& op, const A& a, const A& b) {
  using R = std::remove_cvref_t<decltype(op(a, b))>;
  static_assert(
      lossless<R, A>() || (std::is_integral_v<A> && std::is_integral_v<R> && sizeof(A) < sizeof(int) &&
                           std::is_same_v<R, int>),
      "amphi: the operator of this algorithm gives another type than its accumulator, the type of init");
  return static_cast<A>(op(a, b));
}

}  // namespace amphi::detail
