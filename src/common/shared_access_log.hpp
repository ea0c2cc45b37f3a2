// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "common/shared_arena.hpp"

namespace amphi::detail {

// What the threads of the blocks of one worker access in shared memory, and how often lanes of a warp meet in
// a bank: for amphi::shared_conflicts(), in checked builds.
//
// On the CPU threads run one after another, so the lanes of a warp are brought together afterwards: those
// that are at the same place in the source, with the same variable, for the same time since the last barrier
// make one request. Nothing is allocated after the constructor, as threads may be on small stacks and are not
// to be seen by ThreadSanitizer.
class shared_access_log {
 public:
  explicit shared_access_log(const char* kernel);

  void note(const shared_arena& arena, const void* address, std::size_t bytes, const char* file, int line,
            std::uint32_t thread);
  void end_of_interval();  // every thread of the block has reached the barrier, or ended
  void publish();          // adds all to the session

  std::uint32_t phase_thread = 0;  // in the block form

 private:
  struct site {
    const char* file = nullptr;
    const char* variable = nullptr;
    int line = 0;
    std::uint32_t bytes = 0;
    std::uint32_t latest = 0;  // interval in which `times` was last cleared
    std::int64_t requests = 0, passes = 0, conflicts = 0;
    int ways = 0;
  };
  struct access {
    std::uint64_t key;  // site, warp, time, lane: sorted by it, the lanes of a request lie side by side
    std::uint32_t offset;
  };
  static constexpr std::size_t most_sites = 1024, most_accesses = std::size_t{1} << 22, most_threads = 1024;

  std::size_t site_of(const char* file, int line, const char* variable, std::size_t bytes);
  void count_request(site& s, const access* first, const access* last) const;

  const char* kernel_;
  std::unique_ptr<site[]> sites_;
  std::unique_ptr<std::uint32_t[]> times_;  // of each site, for each thread, since the barrier
  std::unique_ptr<access[]> accesses_;
  std::size_t site_count_ = 0, last_site_ = 0, access_count_ = 0;
  std::uint32_t interval_ = 1;
  std::int64_t not_counted_ = 0;
};

// Is anybody interested? Made for a launch that begins while shared_conflicts() runs, else null.
std::unique_ptr<shared_access_log> new_shared_access_log(const char* kernel);

}  // namespace amphi::detail
