// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>

#include "amphi/algorithm/detail/merge_sort.hpp"
#include "amphi/algorithm/detail/sort_order.hpp"

// Sorting numbers on one CPU core, digit by digit from the lowest, in two memories in turn.

namespace amphi::detail {

// Shorter ranges are sorted faster by comparisons: tables of digits have a cost of their own.
template <class K>
inline constexpr std::int64_t radix_pays_from = 32 * static_cast<std::int64_t>(sizeof(K));

// Longer digits make fewer passes over the elements, and larger tables.
inline constexpr std::int64_t long_digits_pay_from = 4096;

// Keys as numbers that are smaller the earlier a key stands, and back. All −0 and +0 are one number,
// of which `decode` makes +0. `code_nonzero` does with fewer steps where there is no −0.
template <class K>
struct key_coder {
  using bits = key_bits<K>;
  static constexpr bool reversible = !is_floating_key<K>;
  static constexpr int sign_place = 8 * static_cast<int>(sizeof(K)) - 1;
  static constexpr bits sign = static_cast<bits>(bits{1} << sign_place);
  bits flip;  // all of them turn over: descending

  explicit key_coder(bool down) : flip(down ? static_cast<bits>(~bits{0}) : bits{0}) {}
  bits code(bits raw) const { return static_cast<bits>(ordered_bits(std::bit_cast<K>(raw)) ^ flip); }
  bits code_nonzero(bits raw) const {
    if constexpr (reversible) return code(raw);
    const bits over = static_cast<bits>(bits{0} - static_cast<bits>(raw >> sign_place));
    return static_cast<bits>(raw ^ (over | sign) ^ flip);
  }
  bits decode(bits coded) const {
    const bits b = static_cast<bits>(coded ^ flip);
    if constexpr (reversible) return static_cast<bits>(b ^ code_of_zero());
    const bits over = static_cast<bits>(static_cast<bits>(b >> sign_place) - bits{1});
    return static_cast<bits>(b ^ (over | sign));
  }

 private:
  static bits code_of_zero() { return ordered_bits(std::bit_cast<K>(bits{0})); }
};

// Keys read and written as their bits.
template <class K>
using aliased_bits [[gnu::may_alias]] = key_bits<K>;

// Exclusive sums of counts, eight at a time: the additions of one wait for each other.
inline void places_of_counts(std::uint32_t* count, int digits) {
  std::uint32_t before = 0;
  for (int d = 0; d < digits; d += 8) {
    const std::uint32_t a = count[d], b = count[d + 1], c = count[d + 2], e = count[d + 3];
    const std::uint32_t f = count[d + 4], g = count[d + 5], h = count[d + 6], i = count[d + 7];
    const std::uint32_t ab = a + b, abc = ab + c, abce = abc + e, fg = f + g, fgh = fg + h;
    count[d] = before;
    count[d + 1] = before + a;
    count[d + 2] = before + ab;
    count[d + 3] = before + abc;
    const std::uint32_t half = before + abce;
    before = half + (fgh + i);
    count[d + 4] = half;
    count[d + 5] = half + f;
    count[d + 6] = half + fg;
    count[d + 7] = half + fgh;
  }
}

enum class radix_step {
  whole,   // keys as they are, in and out
  first,   // keys in, numbers out
  middle,  // numbers in and out
  last     // numbers in, keys out
};

// One pass over n elements; place[d]: where the next one with digit d goes.
template <radix_step Step, int Bits, class K, class V, class Place>
void move_by_digit(const records<K, V>& from, const records<K, V>& to, std::int64_t n, int pass, Place* place,
                   const key_coder<K> coder) {
  using bits = key_bits<K>;
  const auto* const in = reinterpret_cast<const aliased_bits<K>*>(from.keys);
  auto* const out = reinterpret_cast<aliased_bits<K>*>(to.keys);
  const int shift = Bits * pass;
  for (std::int64_t i = 0; i < n; ++i) {
    const bits raw = in[i];
    bits number = raw, kept = raw;
    if constexpr (Step == radix_step::whole) number = coder.code(raw);
    if constexpr (Step == radix_step::first) kept = number = coder.code_nonzero(raw);
    if constexpr (Step == radix_step::last) kept = coder.decode(raw);
    const Place at = place[static_cast<std::uint32_t>(number >> shift) & ((1u << Bits) - 1)]++;
    out[at] = kept;
    if constexpr (records<K, V>::has_values) to.values[at] = from.values[i];
  }
}

template <int Bits, class K, class V, class Place>
void move_by_digit_of_step(radix_step step, const records<K, V>& from, const records<K, V>& to,
                           std::int64_t n, int pass, Place* place, const key_coder<K> coder) {
  if constexpr (!key_coder<K>::reversible) {
    if (step == radix_step::first)
      return move_by_digit<radix_step::first, Bits>(from, to, n, pass, place, coder);
    if (step == radix_step::middle)
      return move_by_digit<radix_step::middle, Bits>(from, to, n, pass, place, coder);
    if (step == radix_step::last)
      return move_by_digit<radix_step::last, Bits>(from, to, n, pass, place, coder);
  }
  move_by_digit<radix_step::whole, Bits>(from, to, n, pass, place, coder);
}

// Digits of `Bits` bits. All are counted in one reading; one that all keys share makes no pass. n < 2³².
// Gives whether the result lies in the room.
template <int Bits, class K, class V>
bool radix_by_digits(const records<K, V>& x, const records<K, V>& room, std::int64_t n,
                     const key_coder<K> coder) {
  using bits = key_bits<K>;
  constexpr int digits = 1 << Bits, passes = (8 * static_cast<int>(sizeof(K)) + Bits - 1) / Bits;
  const auto digit = [](bits number, int pass) {
    return static_cast<std::uint32_t>(number >> (Bits * pass)) & (digits - 1);
  };
  // Two sets of short tables, so that equal neighbours do not wait for each other.
  constexpr int sets = Bits <= 8 ? 2 : 1;
  std::uint32_t counts[sets][passes][digits] = {};
  auto& places = counts[0];
  const auto* const keys = reinterpret_cast<const aliased_bits<K>*>(x.keys);
  bool minus_zero = false;
  const auto count_key = [&](std::int64_t i, std::uint32_t(&to)[passes][digits]) {
    const bits raw = keys[i], number = coder.code_nonzero(raw);
    if constexpr (!key_coder<K>::reversible) minus_zero |= raw == key_coder<K>::sign;
    for (int p = 0; p < passes; ++p) ++to[p][digit(number, p)];
  };
  std::int64_t counted = 0;
  for (; counted + sets <= n; counted += sets)
    for (int s = 0; s < sets; ++s) count_key(counted + s, counts[s]);
  for (; counted < n; ++counted) count_key(counted, places);
  if constexpr (sets == 2)
    for (int p = 0; p < passes; ++p)
      for (int d = 0; d < digits; ++d) places[p][d] += counts[1][p][d];
  if (minus_zero) {
    // Both zeros have one number, and keys must be moved as they are.
    const bits minus = coder.code_nonzero(key_coder<K>::sign), zero = coder.code(key_coder<K>::sign);
    std::uint32_t count = 0;
    for (std::int64_t i = 0; i < n; ++i) count += keys[i] == key_coder<K>::sign ? 1 : 0;
    for (int p = 0; p < passes; ++p) places[p][digit(minus, p)] -= count, places[p][digit(zero, p)] += count;
  }
  int active[passes], count = 0;
  const bits first = coder.code(keys[0]);
  for (int p = 0; p < passes; ++p)
    if (places[p][digit(first, p)] != static_cast<std::uint32_t>(n)) active[count++] = p;
  bool in_room = false;
  for (int a = 0; a < count; ++a, in_room = !in_room) {
    const int p = active[a];
    std::uint32_t* const place = places[p];
    places_of_counts(place, p + 1 < passes ? digits : 1 << (8 * static_cast<int>(sizeof(K)) - Bits * p));
    const records<K, V> from = in_room ? room : x, to = in_room ? x : room;
    const radix_step step = key_coder<K>::reversible || minus_zero || count == 1 ? radix_step::whole
                            : a == 0                                             ? radix_step::first
                            : a + 1 == count                                     ? radix_step::last
                                                                                 : radix_step::middle;
    move_by_digit_of_step<Bits>(step, from, to, n, p, place, coder);
  }
  return in_room;
}

// Sorts n elements of x with as many of `room` to work in; the result comes to x, or to `room`.
template <class K, class V>
void radix_on_core(const records<K, V>& x, const records<K, V>& room, std::int64_t n, bool down,
                   bool to_room) {
  bool in_room = false;
  if (n <= radix_pays_from<K>) {
    if (down) {
      descending order;
      sort_on_core(x, room, n, to_room, order);
    } else {
      ascending order;
      sort_on_core(x, room, n, to_room, order);
    }
    return;
  }
  const key_coder<K> coder(down);
  if constexpr (sizeof(K) < 4) {
    in_room = radix_by_digits<8>(x, room, n, coder);
  } else if (n < long_digits_pay_from) {
    in_room = radix_by_digits<8>(x, room, n, coder);
  } else {
    in_room = radix_by_digits<11>(x, room, n, coder);
  }
  if (in_room == to_room) return;
  for (std::int64_t i = 0; i < n; ++i) (to_room ? room : x).put(i, to_room ? x : room, i);
}

}  // namespace amphi::detail
