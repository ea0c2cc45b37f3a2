// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/observe.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "amphi/runtime/settings.hpp"

namespace amphi {
namespace detail {
namespace {

struct user_observer {
  launch_observer call;
  void* user;
  bool measure;
};

constinit std::atomic<const user_observer*> users_observer{nullptr};
constinit thread_local launch_watch* watch = nullptr;  // the innermost of this thread

// A library's kernels have no geometry that we know.
std::string extent_text(const extent3& e) {
  if (e == extent3()) return "open";
  return std::to_string(e.x) + "x" + std::to_string(e.y) + "x" + std::to_string(e.z);
}

std::string backend_text(const launch_record& r) {
  return r.backend == backend::cuda ? "cuda:" + std::to_string(r.device) : std::string(name(r.backend));
}

// One line per launch, written at once, so that lines of several threads do not mix.
void trace(const launch_record& r) {
  if (!r.finished) return;
  char time[32] = "not timed: captured";
  if (r.milliseconds >= 0) std::snprintf(time, sizeof(time), "%.3f ms", r.milliseconds);
  std::fprintf(stderr, "amphi: %s  %s  grid %s  block %s  shared %lld B  %s\n", r.kernel,
               backend_text(r).c_str(), extent_text(r.grid).c_str(), extent_text(r.block).c_str(),
               static_cast<long long>(r.shared_bytes), time);
}

// The table that AMPHI_PROFILE=1 prints at exit: one row per kernel and backend, the costliest first.
class profile {
 public:
  void add(const launch_record& r) {
    if (!r.finished) return;
    const std::lock_guard lock(mutex_);
    row& entry = rows_[{r.kernel, backend_text(r)}];
    ++entry.launches;
    if (r.milliseconds < 0) return;  // captured: it runs when its graph does
    ++entry.timed;
    entry.total += r.milliseconds;
    entry.shortest = entry.timed == 1 ? r.milliseconds : std::min(entry.shortest, r.milliseconds);
    entry.longest = std::max(entry.longest, r.milliseconds);
  }

  void print() {
    const std::lock_guard lock(mutex_);
    std::vector<std::pair<key, row>> rows(rows_.begin(), rows_.end());
    std::sort(rows.begin(), rows.end(),
              [](const auto& a, const auto& b) { return a.second.total > b.second.total; });
    double all = 0;
    for (const auto& [k, r] : rows) all += r.total;
    std::fprintf(stderr, "amphi profile\n%10s %10s %6s %10s %10s %10s  %-8s %s\n", "launches", "total ms",
                 "%", "mean ms", "min ms", "max ms", "backend", "kernel");
    for (const auto& [k, r] : rows)
      std::fprintf(stderr, "%10lld %10.3f %6.1f %10.4f %10.4f %10.4f  %-8s %s\n",
                   static_cast<long long>(r.launches), r.total, all > 0 ? 100 * r.total / all : 0.0,
                   r.total / static_cast<double>(std::max<std::int64_t>(1, r.timed)), r.shortest, r.longest,
                   k.second.c_str(), k.first.c_str());
  }

 private:
  using key = std::pair<std::string, std::string>;
  struct row {
    std::int64_t launches = 0, timed = 0;
    double total = 0, shortest = 0, longest = 0;
  };
  std::mutex mutex_;
  std::map<key, row> rows_;
};

profile& process_profile() {
  static auto* const p = [] {
    auto* const made = new profile;  // outlives the static objects whose destructors launch
    std::atexit([] { process_profile().print(); });
    return made;
  }();
  return *p;
}

}  // namespace

bool launches_observed() {
  const settings& s = current_settings();
  return s.trace || s.profile || users_observer.load(std::memory_order_acquire) != nullptr ||
         watch != nullptr;
}

bool launches_measured() {
  const settings& s = current_settings();
  if (s.trace || s.profile) return true;
  const user_observer* o = users_observer.load(std::memory_order_acquire);
  return o != nullptr && o->measure;
}

void observe(const launch_record& record) {
  const settings& s = current_settings();
  if (s.trace) trace(record);
  if (s.profile) process_profile().add(record);
  if (const user_observer* o = users_observer.load(std::memory_order_acquire)) o->call(record, o->user);
  for (launch_watch* w = watch; w != nullptr; w = w->outer_) w->last_ = record, w->seen_ = true;
}

launch_watch::launch_watch() : outer_(watch) { watch = this; }
launch_watch::~launch_watch() { watch = outer_; }

}  // namespace detail

void set_launch_observer(launch_observer observer, void* user, bool measure) {
  // A launch in another thread may still be using the old entry, so entries stay.
  static std::mutex mutex;
  static auto* const entries = new std::vector<const detail::user_observer*>;
  const detail::user_observer* entry = nullptr;
  if (observer != nullptr) entry = new detail::user_observer{observer, user, measure};
  const std::lock_guard lock(mutex);
  if (entry != nullptr) entries->push_back(entry);
  detail::users_observer.store(entry, std::memory_order_release);
}

}  // namespace amphi
