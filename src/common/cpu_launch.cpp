// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/cpu_launch.hpp"

#include <omp.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <exception>

#include "amphi/runtime/settings.hpp"
#include "common/block_state.hpp"
#include "common/kept_team.hpp"
#include "common/permutation.hpp"
#include "common/sanitizer.hpp"

namespace amphi::detail {

AMPHI_DETAIL_INITIAL_EXEC constinit thread_local thread_context current_context;

namespace {

constinit thread_local kept_team team_of_thread;

std::atomic<bool> forked{false};

// libgomp's threads do not survive a fork, and a region in the child would wait for them for ever.
void watch_forks() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] { forked = true; });
  (void)registered;
}

// Puts the caller's context back when a launch leaves its thread.
class context_scope {
 public:
  context_scope() : saved_(current_context) {}
  ~context_scope() {
    release_state(current_context);
    current_context = saved_;
  }
  context_scope(const context_scope&) = delete;
  context_scope& operator=(const context_scope&) = delete;

 private:
  thread_context saved_;
};

// What a worker reads of a launch before it begins.
struct launched {
  void (*run)(void*);
  void* body;
  const char* kernel;
  const cpu_plan* plan;
  bool block_form, special_start;
};

launched describe(const cpu_plan& plan) {
  const bool special_start = plan.order != thread_order::forward || current_settings().break_set;
  return {plan.run, plan.body, plan.kernel, &plan, plan.block_form, special_start};
}

void enter(const launched& l, bool chunked, launch_index grid, launch_index block_extent) {
  thread_context& c = current_context;
  c = {};
  c.grid_extent = grid;
  c.block_extent = block_extent;
  c.chunked = chunked;
  c.block_form = l.block_form;
  c.in_launch = true;
  c.special_start = l.special_start;
  c.thread_count = l.block_form ? 1u : static_cast<std::uint32_t>(size64(block_extent));
  c.kernel = l.kernel;
  c.plan = l.plan;
}

// Where block number i of the grid stands.
launch_index split(std::uint64_t i, const launch_index& extent) {
  return {static_cast<std::uint32_t>(i % extent.x), static_cast<std::uint32_t>(i / extent.x % extent.y),
          static_cast<std::uint32_t>(i / extent.x / extent.y)};
}

// The blocks of an exact grid, which workers take until none is left.
class work {
 public:
  explicit work(const cpu_plan& plan)
      : plan_(plan),
        blocks_(static_cast<std::int64_t>(plan.grid.x) * plan.grid.y * plan.grid.z),
        order_(plan.order, static_cast<std::uint64_t>(blocks_), 0) {}

  void run(int team) {
    const context_scope scope;
    const launched l = describe(plan_);
    enter(l, false, plan_.grid, plan_.block);
    current_context.uncaught_outside = static_cast<std::uint32_t>(std::uncaught_exceptions());
    const std::int64_t portion = std::max<std::int64_t>(1, blocks_ / (8 * static_cast<std::int64_t>(team)));
    for (;;) {
      const std::int64_t first = next_.fetch_add(portion, std::memory_order_relaxed);
      if (first >= blocks_) return;
      const std::int64_t last = first + std::min(portion, blocks_ - first);
      if (plan_.order == thread_order::forward) {
        if (failure_.skips(first)) return;  // and so are all that are left
        current_context.block = split(static_cast<std::uint64_t>(first), plan_.grid);
        taken_blocks taken{l.run, l.body, first, last};
        run_blocks(taken, failure_);
      } else {
        for (std::int64_t i = first; i < last; ++i) {
          const std::uint64_t block = order_(static_cast<std::uint64_t>(i));
          const auto number = static_cast<std::int64_t>(block);
          current_context.block = split(block, plan_.grid);
          taken_blocks taken{l.run, l.body, number, number + 1};
          run_blocks(taken, failure_);
        }
      }
    }
  }

  std::int64_t blocks() const { return blocks_; }
  void rethrow() const { failure_.rethrow(); }

 private:
  const cpu_plan& plan_;
  std::int64_t blocks_;
  permutation order_;
  std::atomic<std::int64_t> next_{0};
  first_failure failure_;
};

// The chunk of one worker.
void run_chunk(const launched& l, first_failure& failure, int worker, int team) {
  const context_scope scope;
  enter(l, true, {static_cast<std::uint32_t>(team), 1, 1}, {1, 1, 1});
  current_context.block.x = static_cast<std::uint32_t>(worker);
  taken_blocks taken{l.run, l.body, worker, worker + 1};
  run_blocks(taken, failure);
}

// An automatic launch: a chunk per worker. A small one is as quick as its workers find what to do. So they
// get it value by value: OpenMP passes these in the memory that a worker reads anyway, and an object would be
// a second place to go to.
void run_chunks(const cpu_plan& plan, std::int64_t workers) {
  first_failure failure;
  const launched l = describe(plan);
  tsan_publish(&failure);
  if (workers <= 1) {
    run_chunk(l, failure, 0, 1);
  } else {
    auto* run = l.run;
    void* body = l.body;
    const char* kernel = l.kernel;
    const cpu_plan* whole = l.plan;
    bool block_form = l.block_form, special_start = l.special_start;
    first_failure* failed = &failure;
    const int wanted = static_cast<int>(workers), team = team_of_thread.size_for(wanted);
#pragma omp parallel num_threads(team) default(none) \
    firstprivate(run, body, kernel, whole, block_form, special_start, failed, wanted)
    {
      const int worker = omp_get_thread_num(), parts = std::min(wanted, omp_get_num_threads());
      if (worker < parts) {
        tsan_observe(failed);
        run_chunk({run, body, kernel, whole, block_form, special_start}, *failed, worker, parts);
        tsan_publish(failed);
      }
    }
  }
  tsan_observe(&failure);
  failure.rethrow();
}

// The blocks of an exact grid, spread over workers.
void run_grid(const cpu_plan& plan, std::int64_t workers) {
  work parts(plan);
  workers = std::min(workers, parts.blocks());
  // ThreadSanitizer tells some 250 threads apart; each worker needs two sets of a block's threads.
  if (under_tsan() && size64(plan.block) > 1) workers = std::min<std::int64_t>(workers, 2);
  tsan_publish(&parts);
  if (workers <= 1) {
    parts.run(1);
  } else {
    const int wanted = static_cast<int>(workers), team = team_of_thread.size_for(wanted);
#pragma omp parallel num_threads(team)
    {
      if (omp_get_thread_num() < wanted) {
        tsan_observe(&parts);
        parts.run(std::min(wanted, omp_get_num_threads()));
        tsan_publish(&parts);
      }
    }
  }
  tsan_observe(&parts);
  parts.rethrow();
}

}  // namespace

bool may_use_workers() { return !current_context.in_launch && !forked && !omp_in_parallel(); }

std::int64_t available_workers() {
  if (!may_use_workers()) return 1;
  const std::int64_t set = current_settings().workers;
  return set > 0 ? set : std::clamp<std::int64_t>(omp_get_max_threads(), 1, most_workers);
}

void cpu_launch(const cpu_plan& plan) {
  watch_forks();  // also where this launch needs no workers: OpenMP may have some of the program's own
  const std::int64_t workers = may_use_workers() ? plan.workers : 1;
  if (plan.chunked) {
    run_chunks(plan, workers);
  } else {
    run_grid(plan, workers);
  }
}

}  // namespace amphi::detail
