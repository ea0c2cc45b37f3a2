// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/captured_arrays.hpp"

#include <algorithm>

#include "amphi/core/error.hpp"
#include "common/array_state.hpp"

namespace amphi::detail {

void captured_arrays::note(array_state& array, bool foreign, access mode, bool on_host) {
  if (array.link == nullptr) {
    array.link = std::make_shared<array_link>();
    array.link->array = &array;
  }
  const auto known =
      std::find_if(entries_.begin(), entries_.end(), [&](const entry& e) { return e.link == array.link; });
  if (known == entries_.end()) {
    entries_.push_back({array.link, foreign, mode, on_host});
    return;
  }
  known->on_host = known->on_host && on_host;
  if (known->mode == access::read && mode != access::read)
    known->mode = access::read_write;  // what is written first needs nothing that was there
}

bool captured_arrays::write(const array_state& array) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const entry& e) { return e.link == array.link && e.mode != access::read; });
}

void captured_arrays::access_all(stream_view s) const {
  for (const entry& e : entries_) {
    const std::lock_guard lock(e.link->mutex);
    if (e.link->array == nullptr && !e.foreign)
      throw launch_error(
          "a graph can't be replayed: an array that its work uses was destroyed or has got another size, and "
          "its memory is gone; keep arrays as they are for as long as the graph");
    if (e.link->array == nullptr) continue;
    const std::lock_guard own(e.link->array->mutex);
    e.link->array->check_replay(e.mode, s);
  }
  for (const entry& e : entries_) {
    const std::lock_guard lock(e.link->mutex);
    if (e.link->array == nullptr) continue;
    const std::lock_guard own(e.link->array->mutex);
    if (e.on_host) {
      (void)e.link->array->access_host(e.mode);
    } else {
      (void)e.link->array->access_device(e.mode, {.stream = s});
    }
  }
}

}  // namespace amphi::detail
