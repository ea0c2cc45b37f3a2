// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/failure.hpp"

#include <atomic>

#include "amphi/core/error.hpp"
#include "common/barrier_report.hpp"
#include "common/number_text.hpp"

namespace amphi::detail {
namespace {

constexpr std::uint32_t remembered = 8;
constinit std::atomic<const char*> names[remembered] = {};
constinit std::atomic<std::uint32_t> launches{0};

std::string triple(const std::uint32_t (&v)[3]) {
  return "(" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]) + ")";
}

std::string describe(const failure_record& r) {
  if (r.kind == failure_kind::bin) return bad_bin_text(r.text, r.element, r.value, r.limit);
  if (r.kind == failure_kind::segment) return bad_segment_text(r.element, r.value, r.other, r.limit);
  std::string text;
  if (r.kind == failure_kind::bounds) {
    text = "index " + index_text(r.value) + " is outside [0, " + std::to_string(r.limit) + ")";
    if (r.text[0] != 0) text += std::string(" of ") + r.text;
  } else {
    text = r.text;
    if (r.kind == failure_kind::block_form) text += " inside a kernel in block form";
  }
  if (r.file[0] != 0) text += std::string(" at ") + r.file + ":" + std::to_string(r.line);
  text += ", on the GPU in block " + triple(r.block) + ", thread " + triple(r.thread);
  if (r.kind == failure_kind::block_form) text += std::string(": ") + block_form_rule;
  return text;
}

// What a complete record says, which is then free for the next failure; nothing where there is none. One of
// several threads gets it.
std::string take(failure_record& record) {
  const std::atomic_ref<failure_state> state(record.state);
  failure_state complete = failure_state::complete;
  if (state.load(std::memory_order_relaxed) != complete ||
      !state.compare_exchange_strong(complete, failure_state::taken, std::memory_order_acquire))
    return {};
  std::string text = describe(record);
  state.store(failure_state::free, std::memory_order_relaxed);
  std::atomic_ref(record.generation).fetch_add(1, std::memory_order_release);  // lets the device write again
  return text;
}

}  // namespace

void throw_pending_failures(const char* doing) {
  for (failure_record& record : device_failure_records()) {
    const std::string text = take(record);
    if (text.empty()) continue;
    const std::string since = launches_since_synchronisation();
    forget_launches();
    throw bounds_error(text + " (found while " + doing + since + ")");
  }
}

void note_launch(const char* kernel) noexcept {
  const std::uint32_t n = launches.fetch_add(1, std::memory_order_relaxed);
  names[n % remembered].store(kernel, std::memory_order_relaxed);
}

std::string launches_since_synchronisation() {
  const std::uint32_t n = launches.load(std::memory_order_relaxed);
  if (n == 0) return {};
  std::string text, last;
  for (std::uint32_t i = n < remembered ? 0 : n - remembered; i != n; ++i) {
    const char* kernel = names[i % remembered].load(std::memory_order_relaxed);
    if (kernel == nullptr || kernel == last) continue;
    if (!text.empty()) text += ", ";
    text += last = kernel;
  }
  return "; launched since the last synchronisation: " + text + " (" + std::to_string(n) +
         (n == 1 ? " launch)" : " launches)");
}

void forget_launches() noexcept { launches.store(0, std::memory_order_relaxed); }

}  // namespace amphi::detail
