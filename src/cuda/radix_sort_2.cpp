// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/radix_sort.hpp"

namespace amphi::detail {

int cub_radix_sort_2(const radix_request& r, void* temporary, std::size_t& bytes, bool& in_others) {
  if (r.kind == key_kind::floating) return sort_either_way<__half>(r, temporary, bytes, in_others);
  return r.kind == key_kind::whole ? sort_either_way<std::uint16_t>(r, temporary, bytes, in_others)
                                   : sort_either_way<std::int16_t>(r, temporary, bytes, in_others);
}

}  // namespace amphi::detail
