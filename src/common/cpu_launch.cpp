// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/cpu_launch.hpp"

#include <omp.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <optional>

#include "amphi/runtime/settings.hpp"
#include "common/block_state.hpp"
#include "common/kept_team.hpp"
#include "common/kernel_pace.hpp"
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

// Puts the caller's context back when a launch leaves its thread. Outside launches that is the one that every
// thread begins with, which takes no copy.
class context_scope {
 public:
  context_scope() {
    if (current_context.in_launch || current_context.state != nullptr) saved_ = current_context;
  }
  ~context_scope() {
    release_state(current_context);
    if (saved_) {
      current_context = *saved_;
    } else {
      current_context = {};
    }
  }
  context_scope(const context_scope&) = delete;
  context_scope& operator=(const context_scope&) = delete;

 private:
  std::optional<thread_context> saved_;
};

// Threads start in a permuted order, or a debugger waits for one of them.
bool starts_specially(const cpu_plan& plan) {
  return plan.order != thread_order::forward || current_settings().break_set;
}

void enter(const cpu_plan* plan, const char* kernel, bool block_form, bool special_start, bool chunked,
           launch_index grid, launch_index block_extent) {
  thread_context& c = current_context;
  c = {};
  c.grid_extent = grid;
  c.block_extent = block_extent;
  c.chunked = chunked;
  c.block_form = block_form;
  c.in_launch = true;
  c.special_start = special_start;
  c.thread_count = block_form ? 1u : static_cast<std::uint32_t>(size64(block_extent));
  c.kernel = kernel;
  c.plan = plan;
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
    enter(&plan_, plan_.kernel, plan_.block_form, starts_specially(plan_), false, plan_.grid, plan_.block);
    current_context.uncaught_outside = static_cast<std::uint32_t>(std::uncaught_exceptions());
    const std::int64_t portion = std::max<std::int64_t>(1, blocks_ / (8 * static_cast<std::int64_t>(team)));
    for (;;) {
      const std::int64_t first = next_.fetch_add(portion, std::memory_order_relaxed);
      if (first >= blocks_) return;
      const std::int64_t last = first + std::min(portion, blocks_ - first);
      if (plan_.order == thread_order::forward) {
        if (failure_.skips(first)) return;  // and so are all that are left
        current_context.block = split(static_cast<std::uint64_t>(first), plan_.grid);
        taken_blocks taken{plan_.run, plan_.body, first, last};
        run_blocks(taken, failure_);
      } else {
        for (std::int64_t i = first; i < last; ++i) {
          const std::uint64_t block = order_(static_cast<std::uint64_t>(i));
          const auto number = static_cast<std::int64_t>(block);
          current_context.block = split(block, plan_.grid);
          taken_blocks taken{plan_.run, plan_.body, number, number + 1};
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
  alignas(64) std::atomic<std::int64_t> next_{0};  // each on a cache line of its own
  alignas(64) first_failure failure_;
};

// What workers read of an automatic launch before they begin. A small one is as quick as they find what to
// do: it lies on few cache lines, apart from the stack that the caller goes on writing to, and a small body
// lies behind it.
struct alignas(128) chunk_call {
  void (*run)(void*);
  void* body;
  const char* kernel;
  const cpu_plan* plan;
  first_failure* failure;
  std::int32_t wanted, first;  // chunks, and how many of them have run
  bool block_form, special_start;
  alignas(64) unsigned char carried[128];
  alignas(64) std::int64_t ticks;  // of the calling thread's chunk
};

void fill(chunk_call& call, const cpu_plan& plan, first_failure& failure, std::int64_t workers) {
  call.run = plan.run;
  call.body = plan.body;
  call.kernel = plan.kernel;
  call.plan = &plan;
  call.failure = &failure;
  call.wanted = static_cast<std::int32_t>(workers);
  call.first = 0;
  call.block_form = plan.block_form;
  call.special_start = starts_specially(plan);
  if (workers <= 1 || plan.body_bytes == 0) return;
  if (plan.body_bytes > sizeof(call.carried) || plan.body_alignment > 64) return;
  std::memcpy(call.carried, plan.body, plan.body_bytes);
  call.body = call.carried;
}

// Chunks first … last − 1 of `parts`.
void run_some_chunks(const chunk_call& call, int first, int last, int parts) {
  const context_scope scope;
  enter(call.plan, call.kernel, call.block_form, call.special_start, true,
        {static_cast<std::uint32_t>(parts), 1, 1}, {1, 1, 1});
  current_context.block.x = static_cast<std::uint32_t>(first);
  taken_blocks taken{call.run, call.body, first, last};
  run_blocks(taken, *call.failure);
}

// What one thread of a team does. A team that is too small still does all that is left.
void run_chunks_of_thread(chunk_call& call) {
  const int thread = omp_get_thread_num(), team = omp_get_num_threads();
  tsan_observe(&call);
  const std::int64_t start = thread == 0 ? ticks_now() : 0;
  const int first = call.first, parts = first > 0 ? call.wanted : std::min(call.wanted, team);
  for (int chunk = first + thread; chunk < parts; chunk += team)
    run_some_chunks(call, chunk, chunk + 1, parts);
  if (thread == 0) call.ticks = ticks_now() - start;
  tsan_publish(&call);
}

// The calling thread runs a chunk, and those that are left unless the launch turns out to be worth a team's
// while; gives the number of chunks that have run.
int run_chunks_alone(const chunk_call& call, kernel_pace& pace, std::int64_t work, double most_ticks) {
  const std::int64_t start = ticks_now();
  run_some_chunks(call, 0, 1, call.wanted);
  std::int64_t ticks = ticks_now() - start;
  int done = 1;
  if (static_cast<double>(ticks) * (call.wanted - 1) < 2 * most_ticks) {
    // The rest may take longer than the first did.
    const int half = call.wanted / 2;
    if (half > 1) run_some_chunks(call, 1, half, call.wanted);
    ticks = ticks_now() - start, done = std::max(half, 1);
    if (static_cast<double>(ticks) < most_ticks) {
      run_some_chunks(call, done, call.wanted, call.wanted);
      ticks = ticks_now() - start, done = call.wanted;
    }
  }
  // A wrong start costs as much as a region; data that lie in other cores' caches make it wrong again.
  const bool wrong = done < call.wanted;
  pace.note(wrong ? 16 * ticks : ticks, static_cast<double>(work) * done / call.wanted);
  return done;
}

// One launch at a time has this place, which workers know beforehand.
alignas(128) constinit chunk_call shared_call{};
alignas(128) constinit std::atomic<bool> shared_call_taken{false};

void run_team(chunk_call& call) {
  const int team = team_of_thread.size_for(call.wanted);
  if (&call == &shared_call) {
#pragma omp parallel num_threads(team)
    run_chunks_of_thread(shared_call);
  } else {
    chunk_call* const mine = &call;
#pragma omp parallel num_threads(team) firstprivate(mine)
    run_chunks_of_thread(*mine);
  }
}

// An automatic launch: a chunk per worker.
void run_chunks_in(chunk_call& call, const cpu_plan& plan, std::int64_t workers) {
  first_failure failure;
  fill(call, plan, failure, workers);
  if (workers <= 1) {
    run_some_chunks(call, 0, 1, 1);
    return failure.rethrow();
  }
  // ThreadSanitizer and permuted orders are there to find races between workers.
  kernel_pace* const pace = call.special_start || under_tsan() ? nullptr : plan.pace;
  const double region = ticks_of_region(std::max<std::int64_t>(workers, team_of_thread.size()));
  if (pace != nullptr && 2 * pace->expected_ticks(plan.work) < region) {
    call.first = run_chunks_alone(call, *pace, plan.work, region);
    if (call.first == call.wanted) return failure.rethrow();
  }
  tsan_publish(&call);
  const std::int64_t start = pace != nullptr ? ticks_now() : 0;
  run_team(call);
  if (pace != nullptr && call.first == 0) {
    // Other chunks may take longer than the caller's; then the launch does, by more than a late worker can.
    const auto late = static_cast<std::int64_t>(20 * region);
    pace->note(std::max(call.ticks, ticks_now() - start - late),
               static_cast<double>(plan.work) / static_cast<double>(workers));
  }
  tsan_observe(&call);
  failure.rethrow();
}

void run_chunks(const cpu_plan& plan, std::int64_t workers) {
  if (workers > 1 && !shared_call_taken.exchange(true, std::memory_order_acquire)) {
    struct release {
      ~release() { shared_call_taken.store(false, std::memory_order_release); }
    } const at_end;
    return run_chunks_in(shared_call, plan, workers);
  }
  chunk_call call;
  run_chunks_in(call, plan, workers);
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
  if (plan.end != nullptr) {
    const context_scope scope;
    enter(&plan, plan.kernel, true, false, true, {1, 1, 1}, {1, 1, 1});
    plan.end(plan.body);
  }
}

}  // namespace amphi::detail
