// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "amphi/algorithm/detail/merge_sort.hpp"
#include "amphi/algorithm/detail/sort_order.hpp"
#include "amphi/algorithm/detail/sort_places.hpp"

// Sorting numbers on a GPU is done by CUB, in the compiled library, since its headers take longer to compile
// than all of amphi's. A stable sort has one result, so whose it is makes no difference.

namespace amphi::detail {

enum class key_kind { whole, signed_whole, floating };

template <class K>
inline constexpr key_kind kind_of_key = is_floating_key<K>    ? key_kind::floating
                                        : std::is_signed_v<K> ? key_kind::signed_whole
                                                              : key_kind::whole;

// A sort of n keys of 1, 2, 4 or 8 bytes, by their bits below `end`, with values of 4 or 8 bytes or none.
struct radix_request {
  key_kind kind;
  int value_bytes;
  bool descending;
  std::int64_t n;
  int end;
  stream_view stream;
  void *keys, *values;
  void *other_keys, *other_values;  // room for as many
  bool keep = false;  // keys and values stay, the result comes to the others; of ascending 4-byte whole keys
};

// Of CUB: sorts, and says whether the result is in the others; `temporary` null: only says what bytes it
// needs there. Returns CUDA's error code. One for each size of keys, so that a program gets those that it
// uses.
using radix_call = int(const radix_request& r, void* temporary, std::size_t& bytes, bool& in_others);
radix_call cub_radix_sort_1, cub_radix_sort_2, cub_radix_sort_4, cub_radix_sort_8;

template <class K>
constexpr radix_call& cub_radix_sort() {
  if constexpr (sizeof(K) == 1) {
    return cub_radix_sort_1;
  } else if constexpr (sizeof(K) == 2) {
    return cub_radix_sort_2;
  } else if constexpr (sizeof(K) == 4) {
    return cub_radix_sort_4;
  } else {
    return cub_radix_sort_8;
  }
}

// Temporary memory that a sort needs; the addresses don't matter.
std::size_t radix_sort_bytes(radix_call& call, const radix_request& r);
// Says whether the result is in the other keys and values; what is not the result is of no use then.
bool radix_sort_on_device(radix_call& call, const radix_request& r, void* temporary, std::size_t bytes);

AMPHI_DETAIL_CONVERSIONS_BEGIN

// Values of up to 8 bytes as words, and back.
template <class V, class Word>
struct values_to_words {
  static constexpr const char* name = sort_name;
  const V* from;
  Word* to;
  AMPHI_HOST_DEVICE void operator()(std::int64_t i) const {
    Word word = 0;
    std::memcpy(&word, from + i, sizeof(V));
    to[i] = word;
  }
};
template <class V, class Word>
struct values_from_words {
  static constexpr const char* name = sort_name;
  const Word* from;
  V* to;
  AMPHI_HOST_DEVICE void operator()(std::int64_t i) const { std::memcpy(to + i, from + i, sizeof(V)); }
};

// Larger ones stay while their numbers are sorted.
template <class Word>
struct number_values {
  static constexpr const char* name = sort_name;
  Word* to;
  AMPHI_HOST_DEVICE void operator()(std::int64_t i) const { to[i] = static_cast<Word>(i); }
};
template <class K, class V = no_value>
struct copy_records {
  static constexpr const char* name = sort_name;
  records<K, V> from, to;
  AMPHI_HOST_DEVICE void operator()(std::int64_t i) const { to.put(i, from, i); }
};

AMPHI_DETAIL_CONVERSIONS_END

// One sort of numbers and what moves with them.
template <class K, class V>
class digit_sort {
 public:
  digit_sort(const algorithm_plan& plan, records<K, V> x, std::int64_t n, bool descending)
      : plan_(plan), x_(x), n_(n), count_(static_cast<std::size_t>(n)) {
    request_ = {kind_of_key<K>,     0,      descending, n,       8 * static_cast<int>(sizeof(K)),
                plan.launch.stream, x.keys, nullptr,    nullptr, nullptr};
  }

  void run() {
    if constexpr (!records<K, V>::has_values) {
      sort_words<no_value>();
    } else if constexpr (sizeof(V) > 4 && sizeof(V) <= 8) {
      sort_words<std::uint64_t>();
    } else {
      if constexpr (sizeof(V) > 8) {
        if (n_ > (std::numeric_limits<std::uint32_t>::max)()) return sort_words<std::uint64_t>();
      }
      sort_words<std::uint32_t>();
    }
  }

 private:
  // Word: what is sorted along with the keys.
  template <class Word>
  void sort_words() {
    constexpr bool has_values = records<K, V>::has_values;
    constexpr bool as_words = has_values && sizeof(V) <= sizeof(Word);
    request_.value_bytes = has_values ? static_cast<int>(sizeof(Word)) : 0;
    bool direct = false;
    if constexpr (has_values)
      direct = sizeof(V) == sizeof(Word) && reinterpret_cast<std::uintptr_t>(x_.values) % sizeof(Word) == 0;
    scratch_pieces pieces;
    const std::size_t temporary_bytes = radix_sort_bytes(cub_radix_sort<K>(), request_);
    const std::size_t other_keys = pieces.add<K>(count_);
    const std::size_t words = pieces.add<Word>(has_values && !direct ? count_ : 0);
    const std::size_t other_words = pieces.add<Word>(has_values ? count_ : 0);
    const std::size_t moved = pieces.add<V>(has_values && !as_words ? count_ : 0);
    const std::size_t temporary = pieces.add<char>(temporary_bytes);
    const scratch s(sort_name, plan_, pieces.bytes(), 0);
    request_.other_keys = scratch_pieces::at<K>(s, other_keys);
    request_.other_values = scratch_pieces::at<Word>(s, other_words);
    request_.values = scratch_pieces::at<Word>(s, words);
    if constexpr (has_values) {
      if (direct) {
        request_.values = x_.values;
      } else if constexpr (as_words) {
        launch_tasks(plan_, n_, values_to_words<V, Word>{x_.values, scratch_pieces::at<Word>(s, words)});
      } else {
        launch_tasks(plan_, n_, number_values<Word>{scratch_pieces::at<Word>(s, words)});
      }
    }
    const bool in_others = radix_sort_on_device(cub_radix_sort<K>(), request_,
                                                scratch_pieces::at<char>(s, temporary), temporary_bytes);
    const records<K> keys{x_.keys, nullptr}, sorted{static_cast<K*>(request_.other_keys), nullptr};
    if constexpr (has_values) {
      const auto* const result =
          static_cast<const Word*>(in_others ? request_.other_values : request_.values);
      if (direct) {
        const records<K, V> others{sorted.keys, static_cast<V*>(request_.other_values)};
        if (in_others) launch_tasks(plan_, n_, copy_records<K, V>{others, x_});
        return;
      }
      if constexpr (as_words) {
        launch_tasks(plan_, n_, values_from_words<V, Word>{result, x_.values});
      } else {
        move_to_places(plan_, x_.values, result, scratch_pieces::at<V>(s, moved), n_);
      }
    }
    if (in_others) launch_tasks(plan_, n_, copy_records<K>{sorted, keys});
  }

  const algorithm_plan& plan_;
  records<K, V> x_;
  std::int64_t n_;
  std::size_t count_;
  radix_request request_;
};

}  // namespace amphi::detail
