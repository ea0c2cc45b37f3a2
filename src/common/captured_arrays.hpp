// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "amphi/memory/detail/array_storage.hpp"
#include "amphi/runtime/stream.hpp"

namespace amphi::detail {

// Outlives its array, which takes itself out when it ends.
struct array_link {
  std::mutex mutex;  // is locked before the array's own
  array_state* array = nullptr;
};

// The arrays that the work of a capture uses, and how: each replay accesses them as the calls themselves
// would, so that it works on what was written last, and arrays know that it has written.
class captured_arrays {
 public:
  // Wants the array's mutex held. `foreign`: its memory outlives it. `on_host`: by a policy of the CPU.
  void note(array_state& array, bool foreign, access mode, bool on_host);

  // Does the work so far write to the array?
  bool write(const array_state& array) const;

  // Before a replay on s. Throws, with no array touched, launch_error if one of them has gone, and what the
  // access itself would throw.
  void access_all(stream_view s) const;

 private:
  struct entry {
    std::shared_ptr<array_link> link;
    bool foreign;
    access mode;
    bool on_host;
  };
  std::vector<entry> entries_;
};

}  // namespace amphi::detail
