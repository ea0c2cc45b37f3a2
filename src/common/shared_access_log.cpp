// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/shared_access_log.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "amphi/core/detail/access_watch.hpp"
#include "amphi/core/error.hpp"
#include "amphi/execution/thread_index.hpp"
#include "amphi/verify/shared_conflicts.hpp"
#include "common/block_state.hpp"

namespace amphi::detail {

#if AMPHI_CHECKED

bool shared_accesses_watched = false;

namespace {

struct session_state {
  std::mutex mutex;
  bool active = false;
  shared_conflict_report report;
};

session_state& session() {
  static auto* const s = new session_state;  // launches may outlive static objects
  return *s;
}

constexpr int banks = 32;  // of 4 bytes, since sm_50
constexpr std::uint32_t lanes = 32;

}  // namespace

shared_access_log::shared_access_log(const char* kernel)
    : kernel_(kernel),
      sites_(new site[most_sites]),
      times_(new std::uint32_t[most_sites * most_threads]),
      accesses_(new access[most_accesses]) {}

std::size_t shared_access_log::site_of(const char* file, int line, const char* variable, std::size_t bytes) {
  const auto is = [&](const site& s) {
    return s.line == line && s.variable == variable && s.bytes == bytes &&
           (s.file == file || std::strcmp(s.file, file) == 0);
  };
  if (last_site_ < site_count_ && is(sites_[last_site_])) return last_site_;
  for (std::size_t i = 0; i < site_count_; ++i)
    if (is(sites_[i])) return last_site_ = i;
  if (site_count_ == most_sites) return most_sites;
  site& s = sites_[site_count_];
  s.file = file, s.variable = variable, s.line = line, s.bytes = static_cast<std::uint32_t>(bytes);
  return last_site_ = site_count_++;
}

void shared_access_log::note(const shared_arena& arena, const void* address, std::size_t bytes,
                             const char* file, int line, std::uint32_t thread) {
  const shared_arena::place at = arena.find(address);
  if (at.variable == nullptr) return;
  const std::size_t i = site_of(file, line, at.variable, bytes);
  if (i == most_sites || access_count_ == most_accesses || thread >= most_threads) {
    ++not_counted_;
    return;
  }
  std::uint32_t* const times = &times_[i * most_threads];
  if (sites_[i].latest != interval_) {
    std::fill_n(times, most_threads, 0u);
    sites_[i].latest = interval_;
  }
  const std::uint64_t time = times[thread]++;
  accesses_[access_count_++] = {
      static_cast<std::uint64_t>(i) << 48 | std::uint64_t{thread / lanes} << 40 | time << 5 | thread % lanes,
      static_cast<std::uint32_t>(at.offset)};
}

void shared_access_log::end_of_interval() {
  phase_thread = 0;
  ++interval_;
  if (access_count_ == 0) return;
  access* const all = accesses_.get();
  access* const end = all + access_count_;
  std::sort(all, end, [](const access& a, const access& b) { return a.key < b.key; });
  for (const access* first = all; first != end;) {
    const access* last = first;
    while (last != end && last->key >> 5 == first->key >> 5) ++last;
    count_request(sites_[first->key >> 48], first, last);
    first = last;
  }
  access_count_ = 0;
}

// A bank gives one word of 4 bytes to any number of lanes in a pass; other words wait for another pass.
// Requests of 8 bytes a lane are done by halves of the warp, those of 16 bytes by quarters (CUDA C++
// Programming Guide, compute capability 5.0 and later).
void shared_access_log::count_request(site& s, const access* first, const access* last) const {
  const std::uint32_t words = s.bytes <= 4 ? 1 : s.bytes / 4, part = lanes / words;
  ++s.requests;
  while (first != last) {
    const std::uint64_t which = (first->key % lanes) / part;
    std::uint32_t seen[banks][lanes];
    int count[banks] = {};
    for (; first != last && (first->key % lanes) / part == which; ++first) {
      for (std::uint32_t w = 0; w < words; ++w) {
        const std::uint32_t word = first->offset / 4 + w, bank = word % banks;
        if (std::find(seen[bank], seen[bank] + count[bank], word) == seen[bank] + count[bank])
          seen[bank][count[bank]++] = word;
      }
    }
    const int ways = *std::max_element(count, count + banks);
    s.passes += ways;
    s.conflicts += ways - 1;
    s.ways = std::max(s.ways, ways);
  }
}

void shared_access_log::publish() {
  end_of_interval();
  session_state& all = session();
  const std::lock_guard lock(all.mutex);
  if (!all.active) return;
  all.report.not_counted += not_counted_;
  for (std::size_t i = 0; i < site_count_; ++i) {
    const site& s = sites_[i];
    if (s.requests == 0) continue;
    const auto same = [&](const shared_conflict& r) {
      return r.line == s.line && r.kernel == kernel_ && r.variable == s.variable && r.file == s.file &&
             r.bytes == static_cast<int>(s.bytes);
    };
    auto row = std::find_if(all.report.rows.begin(), all.report.rows.end(), same);
    if (row == all.report.rows.end())
      row = all.report.rows.insert(row, {kernel_, s.variable, s.file, s.line, static_cast<int>(s.bytes)});
    row->requests += s.requests;
    row->passes += s.passes;
    row->conflicts += s.conflicts;
    row->ways = std::max(row->ways, s.ways);
  }
}

std::unique_ptr<shared_access_log> new_shared_access_log(const char* kernel) {
  if (!watching_shared_accesses()) return nullptr;
  return std::make_unique<shared_access_log>(kernel != nullptr ? kernel : "(outside a launch)");
}

void note_shared_access(const void* address, std::size_t bytes, const char* file, int line) {
  const thread_context& c = current_context;
  if (c.state == nullptr || c.state->accesses == nullptr) return;
  shared_access_log& log = *c.state->accesses;
  const std::uint32_t thread = c.block_form ? log.phase_thread : linear(running_thread(), c.block_extent);
  log.note(c.state->arena, address, bytes, file, line, thread);
}

void note_phase_thread(std::uint32_t thread) {
  const thread_context& c = current_context;
  if (c.state == nullptr || c.state->accesses == nullptr) return;
  c.state->accesses->phase_thread = thread % static_cast<std::uint32_t>(size64(c.block_extent));
}

void note_phase_end() {
  const thread_context& c = current_context;
  if (c.state != nullptr && c.state->accesses != nullptr) c.state->accesses->end_of_interval();
}

shared_conflict_session::shared_conflict_session() {
  session_state& s = session();
  const std::lock_guard lock(s.mutex);
  if (s.active)
    throw launch_error("shared_conflicts: it is already counting in this process; one work at a time");
  s.active = true;
  s.report = {};
  s.report.counted = true;
  __atomic_store_n(&shared_accesses_watched, true, __ATOMIC_RELEASE);
}

shared_conflict_session::~shared_conflict_session() {
  session_state& s = session();
  const std::lock_guard lock(s.mutex);
  s.active = false;
  __atomic_store_n(&shared_accesses_watched, false, __ATOMIC_RELEASE);
}

shared_conflict_report shared_conflict_session::report() const {
  session_state& s = session();
  const std::lock_guard lock(s.mutex);
  std::stable_sort(
      s.report.rows.begin(), s.report.rows.end(),
      [](const shared_conflict& a, const shared_conflict& b) { return a.conflicts > b.conflicts; });
  return s.report;
}

#else

shared_conflict_session::shared_conflict_session() = default;
shared_conflict_session::~shared_conflict_session() = default;
shared_conflict_report shared_conflict_session::report() const { return {}; }

#endif

}  // namespace amphi::detail
