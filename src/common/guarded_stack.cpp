// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/guarded_stack.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>

#include "amphi/core/error.hpp"
#include "amphi/execution/detail/context.hpp"
#include "amphi/runtime/settings.hpp"
#include "common/sanitizer.hpp"

namespace amphi::detail {
namespace {

// A frame of some ten thousand bytes must hit it too. Not a power of two: stacks at such a distance would
// compete for the same few entries of the caches and of the page tables.
constexpr std::size_t guard_bytes = 65536 + 4096;

// Where the stacks lie. Written under no lock by their owners, read by the signal handler.
struct place {
  std::atomic<char*> low{nullptr};
  std::atomic<std::size_t> bytes{0};
};
place places[guarded_stack::most];
std::atomic<int> stacks_made{0}, highest_place{0};

std::size_t stack_bytes() {
  static const std::size_t bytes = [] {
    const std::int64_t set = current_settings().stack_bytes;
    const std::size_t fallback = under_tsan() || under_asan() ? 262144 : 65536;
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t wanted = set > 0 ? static_cast<std::size_t>(set) : fallback;
    return (wanted + page - 1) / page * page;
  }();
  return bytes;
}

[[noreturn]] void no_stack(const std::string& why) {
  const char* kernel = current_context.kernel;
  throw launch_error("launch of " + std::string(kernel != nullptr ? kernel : "a kernel") +
                     ": no stack for another thread of a block that waits at a barrier: " + why);
}

bool remember(char* low, std::size_t bytes, int number) {
  for (int k = 0; k < guarded_stack::most; ++k) {
    const int i = (number + k) % guarded_stack::most;
    char* empty = nullptr;
    if (!places[i].low.compare_exchange_strong(empty, low)) continue;
    places[i].bytes = bytes;
    int highest = highest_place;
    while (highest <= i && !highest_place.compare_exchange_weak(highest, i + 1)) {
    }
    return true;
  }
  return false;
}

void forget(char* low) {
  for (int i = 0; i < highest_place; ++i) {
    if (places[i].low == low) {
      places[i].low = nullptr;
      return;
    }
  }
}

struct sigaction previous_segv, previous_bus;

void say(const char* text) {
  const ssize_t written = write(STDERR_FILENO, text, std::strlen(text));
  (void)written;
}

// Only what a signal handler may do: no allocation, no lock.
void report_overflow(std::size_t bytes) {
  const thread_context& c = current_context;
  const launch_index block = c.block, thread = running_thread();
  char text[512];
  (void)std::snprintf(
      text, sizeof(text),
      "amphi: stack overflow in kernel %s, block (%u, %u, %u), thread (%u, %u, %u): it has %zu bytes of "
      "stack on the CPU. Use less (large local arrays, deep recursion), or run with AMPHI_STACK=%zu.\n",
      c.kernel != nullptr ? c.kernel : "(unnamed)", block.x, block.y, block.z, thread.x, thread.y, thread.z,
      bytes, bytes * 4);
  say(text);
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const char* address = static_cast<const char*>(info->si_addr);
  for (int i = 0; i < highest_place.load(std::memory_order_relaxed); ++i) {
    const char* low = places[i].low.load(std::memory_order_relaxed);
    if (low == nullptr || address >= low || address < low - guard_bytes) continue;
    report_overflow(places[i].bytes.load(std::memory_order_relaxed));
    break;
  }
  // What was there before us goes on: a handler is called, the default ends the process at the next try.
  const struct sigaction& previous = signal == SIGBUS ? previous_bus : previous_segv;
  if ((previous.sa_flags & SA_SIGINFO) != 0) {
    previous.sa_sigaction(signal, info, context);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
  } else {
    (void)sigaction(signal, &previous, nullptr);
  }
}

// The overflowing stack can't hold the handler's frame, so each OS thread gets another one for signals.
class signal_stack {
 public:
  signal_stack() {
    stack_t present{};
    if (sigaltstack(nullptr, &present) != 0 || (present.ss_flags & SS_DISABLE) == 0) return;
    memory_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) return;
    stack_t ours{};
    ours.ss_sp = memory_;
    ours.ss_size = bytes;
    installed_ = sigaltstack(&ours, nullptr) == 0;
  }
  ~signal_stack() {
    if (installed_) {
      stack_t none{};
      none.ss_flags = SS_DISABLE;
      (void)sigaltstack(&none, nullptr);
    }
    if (memory_ != MAP_FAILED) (void)munmap(memory_, bytes);
  }
  signal_stack(const signal_stack&) = delete;
  signal_stack& operator=(const signal_stack&) = delete;

 private:
  static constexpr std::size_t bytes = 65536;
  void* memory_ = MAP_FAILED;
  bool installed_ = false;
};

bool install_handler() {
  struct sigaction ours {};
  ours.sa_sigaction = &on_fault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  (void)sigemptyset(&ours.sa_mask);
  return sigaction(SIGSEGV, &ours, &previous_segv) == 0 && sigaction(SIGBUS, &ours, &previous_bus) == 0;
}

}  // namespace

guarded_stack::guarded_stack() {
  const int number = stacks_made.fetch_add(1);
  if (number >= most) {
    --stacks_made;
    no_stack("the process has " + std::to_string(most) +
             " of them, the most that it may have; use smaller blocks or "
             "fewer workers (AMPHI_WORKERS)");
  }
  bytes_ = stack_bytes();
  void* memory =
      mmap(nullptr, bytes_ + guard_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory != MAP_FAILED) low_ = static_cast<char*>(memory) + guard_bytes;
  if (memory == MAP_FAILED || mprotect(low_, bytes_, PROT_READ | PROT_WRITE) != 0 ||
      !remember(low_, bytes_, number)) {
    if (memory != MAP_FAILED) (void)munmap(memory, bytes_ + guard_bytes);
    --stacks_made;
    no_stack("the system gives no more memory mappings (" + std::to_string(number) + " stacks of " +
             std::to_string(bytes_) +
             " bytes are in use); use smaller blocks, fewer workers, or a smaller "
             "AMPHI_STACK");
  }
  colour_ = static_cast<std::size_t>(number) * 5 % 48 * 64;
}

bool guarded_stack::scarce() { return stacks_made.load(std::memory_order_relaxed) > most / 2; }

guarded_stack::~guarded_stack() {
  forget(low_);
  (void)munmap(low_ - guard_bytes, bytes_ + guard_bytes);
  --stacks_made;
}

void watch_stack_overflow() {
  static const bool installed = install_handler();
  (void)installed;
  static thread_local const signal_stack stack;
  (void)stack;
}

}  // namespace amphi::detail
