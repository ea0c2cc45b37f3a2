// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "amphi/algorithm/detail/plan.hpp"
#include "amphi/algorithm/detail/scan_order.hpp"
#include "amphi/core/error.hpp"
#include "amphi/runtime/memory.hpp"
#include "amphi/runtime/settings.hpp"
#include "common/cpu_launch.hpp"
#include "common/host.hpp"
#include "common/recording.hpp"
#include "common/scratch.hpp"
#include "common/stream_order.hpp"

namespace amphi::detail {
namespace {

constexpr std::size_t alignment = 256;

constexpr std::size_t rounded(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

// The calling host thread's scratch for work on the CPU. Taken when a body of an algorithm calls another
// algorithm, which then allocates its own.
struct host_block {
  void* memory = nullptr;
  std::size_t bytes = 0;
  bool taken = false;
};

constinit thread_local host_block kept;

// Frees it with the thread. Destructors of static objects come later and may call algorithms too: for them it
// is taken for ever.
struct host_block_end {
  bool armed = false;
  ~host_block_end() {
    deallocate_host(kept.memory);
    kept = {nullptr, 0, true};
  }
};

thread_local host_block_end kept_end;

void* take_host(std::size_t bytes) {
  if (kept.taken) return allocate_host(bytes, alignment);
  kept_end.armed = true;
  if (kept.bytes < bytes) {
    deallocate_host(kept.memory);
    kept.memory = nullptr, kept.bytes = 0;
    kept.memory = allocate_host(bytes + bytes / 2, alignment);
    kept.bytes = bytes + bytes / 2;
  }
  kept.taken = true;
  return kept.memory;
}

void give_host(void* memory) noexcept {
  if (memory == kept.memory) {
    kept.taken = false;
  } else {
    deallocate_host(memory);
  }
}

std::string number(std::uint64_t n) { return std::to_string(n); }

}  // namespace

algorithm_plan plan_algorithm(const char* algorithm, const policy& p, int threads) {
  if (!p.shared_bytes.is_automatic() || !p.shared_bytes_per_thread.is_automatic())
    throw launch_error(std::string(algorithm) +
                       ": the policy asks for shared memory, which an algorithm chooses itself; leave "
                       ".shared_bytes and .shared_bytes_per_thread out");
  algorithm_plan plan;
  plan.launch = p;
  plan.launch.backend = resolve(p.backend);
  plan.on_gpu = plan.launch.backend == backend::cuda;
  if (plan.on_gpu) {
    const device_room room = room_of(p.stream);
    plan.multiprocessors = room.multiprocessors, plan.shared_bytes = room.shared_bytes;
  } else if (!current_settings().serial) {
    const std::int64_t workers = p.workers.value_or(available_workers());
    plan.workers = std::clamp<std::int64_t>(workers, 1, most_workers);  // the launch refuses others
  }
  plan.automatic = p.grid.is_automatic() && p.block.is_automatic() && !current_settings().serial &&
                   p.max_block.value_or(threads) >= threads;
  return plan;
}

scratch::scratch(const char* algorithm, const algorithm_plan& plan, std::size_t bytes, std::size_t zeroed,
                 std::size_t result)
    : stream_(plan.launch.stream), on_gpu_(plan.on_gpu) {
  const workspace_view& lent = plan.launch.workspace;
  const std::size_t need = rounded(zeroed) + bytes;
  if (lent.data != nullptr && need > 0) {
    const auto address = reinterpret_cast<std::uintptr_t>(lent.data);
    const std::size_t skip = rounded(address) - address;
    if (lent.bytes < need + skip)
      throw launch_error(std::string(algorithm) + ": policy.workspace has " + number(lent.bytes) +
                         " bytes, this call needs " + number(need + skip) +
                         "; lend that much, or leave .workspace out");
    zeroed_ = static_cast<char*>(lent.data) + skip;
    data_ = static_cast<char*>(zeroed_) + rounded(zeroed);
  }
  if (on_gpu_) {
    if (data_ == nullptr || result > 0) {
      const bool own = data_ == nullptr;
      const device_scratch d = lease_device_scratch(stream_, own ? bytes : 0, own ? zeroed : 0, result);
      if (own) data_ = d.data, zeroed_ = d.zeroed;
      result_ = d.result;
      lease_ = d.lease;
    }
    if (lent.data != nullptr && zeroed > 0) fill_bytes(zeroed_, 0, zeroed, stream_);
    return;
  }
  const bool own = data_ == nullptr;
  if (recording* r = current_recording(); r != nullptr && own) {
    // The memory belongs to the list of work, which clears it each time.
    zeroed_ = r->memory(need), data_ = static_cast<char*>(zeroed_) + rounded(zeroed);
  } else if (own || result > 0) {
    lease_ = take_host(rounded(own ? need : 0) + result + alignment);
    if (own) zeroed_ = lease_, data_ = static_cast<char*>(lease_) + rounded(zeroed);
    result_ = static_cast<char*>(lease_) + rounded(own ? need : 0);
  }
  if (zeroed > 0) fill_host(zeroed_, 0, zeroed);
}

scratch::~scratch() {
  if (lease_ == nullptr) return;
  if (on_gpu_) {
    end_lease(lease_, stream_);
  } else {
    give_host(lease_);
  }
}

void scratch::wait() const {
  if (on_gpu_) stream_.synchronize();
}

void scan_pause(int spins) {
  if (spins > 64) (void)sched_yield();
}

void throw_too_small(const char* algorithm, const char* what, std::uint64_t have, std::uint64_t need) {
  throw bounds_error(std::string(algorithm) + ": " + number(need) + " elements are needed of " + what +
                     ", which holds " + number(have) + "; give one of at least " + number(need));
}

void throw_too_many(const char* algorithm, std::uint64_t elements) {
  throw bounds_error(std::string(algorithm) + ": a range has " + number(elements) +
                     " elements, more than memory can hold; was its size negative?");
}

void throw_null_range(const char* algorithm, std::uint64_t elements) {
  throw memory_error(std::string(algorithm) + ": a range of " + number(elements) +
                     " elements is at a null pointer; give it the memory of the elements");
}

void throw_null_result(const char* algorithm) {
  throw memory_error(std::string(algorithm) +
                     ": the result is to be written to a null pointer; give it a place");
}

void throw_overlap(const char* algorithm, const void* in, const void* out, std::uint64_t bytes) {
  char text[96];
  std::snprintf(text, sizeof(text), "the output at %p (%llu bytes) overlaps the input at %p", out,
                static_cast<unsigned long long>(bytes), in);
  throw bounds_error(std::string(algorithm) + ": " + text +
                     " in part; they must be the same elements or lie apart");
}

namespace {

bool is_captured(const algorithm_plan& plan) {
  return plan.on_gpu ? is_capturing(plan.launch.stream) : current_recording() != nullptr;
}

}  // namespace

void refuse_capture(const char* algorithm, const algorithm_plan& plan) {
  if (!is_captured(plan)) return;
  throw launch_error(
      std::string(algorithm) +
      " gives its result to the host, which can't be while the stream is captured; use the form "
      "that writes into memory (reduce_into)");
}

void refuse_plan_in_capture(const algorithm_plan& plan) {
  if (!is_captured(plan)) return;
  throw launch_error(
      "amphi::scatter_plan: a plan can't be made while the stream is captured: each replay would make it "
      "again, in memory that belongs to the plan and not to the graph; make it before the capture");
}

}  // namespace amphi::detail
