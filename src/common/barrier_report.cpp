// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/barrier_report.hpp"

#include <algorithm>
#include <cstring>

#include "amphi/core/error.hpp"
#include "common/failure.hpp"

namespace amphi::detail {
namespace {

std::string triple(const launch_index& i) {
  return "(" + std::to_string(i.x) + ", " + std::to_string(i.y) + ", " + std::to_string(i.z) + ")";
}

std::string place_of(const fiber& f) {
  return std::string(name_of(f.what)) + " at " + f.file + ":" + std::to_string(f.line);
}

bool same_place(const fiber& a, const fiber& b) {
  return a.what == b.what && a.line == b.line && std::strcmp(a.file, b.file) == 0 &&
         (a.request == nullptr) == (b.request == nullptr);
}

// Sorted threads as "(0, 0, 0) … (31, 0, 0), (40, 0, 0)"; at most four runs.
std::string list_threads(const thread_context& c, const std::vector<std::uint32_t>& threads) {
  const auto at = [&](std::uint32_t i) {
    const launch_index& e = c.block_extent;
    return triple({i % e.x, i / e.x % e.y, i / e.x / e.y});
  };
  std::string text;
  int runs = 0;
  for (std::size_t i = 0; i < threads.size();) {
    std::size_t last = i;
    while (last + 1 < threads.size() && threads[last + 1] == threads[last] + 1) ++last;
    if (++runs > 4) return text + ", …";
    text += (i == 0 ? "" : ", ") + at(threads[i]);
    if (last > i) text += (last == i + 1 ? ", " : " … ") + at(threads[last]);
    i = last + 1;
  }
  return text;
}

std::string count_threads(std::size_t n) { return std::to_string(n) + (n == 1 ? " thread" : " threads"); }

}  // namespace

const char* name_of(meeting what) {
  switch (what) {
    case meeting::sync:
      return "block.sync()";
    case meeting::sync_count:
      return "block.sync_count()";
    case meeting::sync_and:
      return "block.sync_and()";
    case meeting::sync_or:
      return "block.sync_or()";
    case meeting::warp_sync:
      return "warp.sync()";
    case meeting::shuffle:
      return "warp.shuffle()";
    case meeting::shuffle_up:
      return "warp.shuffle_up()";
    case meeting::shuffle_down:
      return "warp.shuffle_down()";
    case meeting::shuffle_xor:
      return "warp.shuffle_xor()";
    case meeting::any:
      return "warp.any()";
    case meeting::all:
      return "warp.all()";
    case meeting::ballot:
      return "warp.ballot()";
    case meeting::active:
      return "warp.active()";
    case meeting::match_any:
      return "warp.match_any()";
    case meeting::reduce:
      return "warp.reduce()";
  }
  return "a barrier";
}

std::string describe_divergence(const thread_context& c, std::vector<const fiber*> waiting,
                                std::uint32_t returned) {
  const auto rank = [&](const fiber* f) { return linear(*f->thread, c.block_extent); };
  std::sort(waiting.begin(), waiting.end(),
            [&](const fiber* a, const fiber* b) { return rank(a) < rank(b); });
  bool warps = false;
  std::string groups;
  std::vector<bool> told(waiting.size());
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    if (told[i]) continue;
    std::vector<std::uint32_t> threads;
    for (std::size_t j = i; j < waiting.size(); ++j) {
      if (!same_place(*waiting[i], *waiting[j])) continue;
      told[j] = true;
      threads.push_back(rank(waiting[j]));
    }
    warps = warps || waiting[i]->request != nullptr;
    groups += "\n  " + count_threads(threads.size()) + " at " + place_of(*waiting[i]) + ": " +
              list_threads(c, threads);
  }
  std::string text = "kernel " + std::string(c.kernel != nullptr ? c.kernel : "(unnamed)") + ", block " +
                     triple(c.block) + ": ";
  text += warps ? "threads wait for each other for ever; not all lanes of a warp reached the same call:"
                : "threads wait at different barriers:";
  text += groups;
  if (returned > 0) text += "\n  " + count_threads(returned) + " returned";
  return text + (warps ? "\nEvery lane of a warp that has not returned must reach the same warp operation."
                       : "\nEvery thread of a block that has not returned must reach the same barrier.");
}

void throw_barrier_error(const std::string& text, std::uint32_t abandoned) {
  if (abandoned == 0) throw barrier_error(text);
  throw barrier_error(text + "\n" + count_threads(abandoned) +
                      " could not be unwound, because the kernel or a function that it called is noexcept: "
                      "destructors of local variables did not run");
}

void throw_bad_lane(const thread_context& c, const fiber& self, const warp_request& r) {
  const std::uint32_t thread = linear(running_thread(), c.block_extent), lane = thread % r.width;
  const std::uint32_t wanted = thread - lane + static_cast<std::uint32_t>(r.bad_lane);
  const bool exists = wanted < c.thread_count;
  throw barrier_error(
      place_of(self) + ": lane " + std::to_string(lane) + " reads lane " + std::to_string(r.bad_lane) + ", " +
      (exists ? "which has returned" : "which the block does not have") + "; " + place_in_launch() +
      ". Read only lanes that take part (warp.active()), or use warp.reduce()");
}

void throw_bad_distance(meeting what, int distance, int most, const char* file, int line) {
  const std::string inside = place_in_launch();
  throw bounds_error(std::string(name_of(what)) + " at " + file + ":" + std::to_string(line) +
                     " names a lane by " + std::to_string(distance) + ", which must be 0 … " +
                     std::to_string(most) + (inside.empty() ? "" : "; " + inside));
}

void throw_block_form(const char* call, const char* file, int line) {
  throw bounds_error(std::string(call) + " inside a kernel in block form at " + file + ":" +
                     std::to_string(line) + " (" + place_in_launch() + "): " + block_form_rule);
}

void throw_phase_misused(const char* phase, const char* file, int line) {
  const std::string inside = place_in_launch();
  const std::string place = std::string(" at ") + file + ":" + std::to_string(line) +
                            (inside.empty() ? "" : " (" + inside + ")") + ": ";
  if (current_context.thread_count > 1)
    throw bounds_error(std::string(phase) + " in a kernel in thread form" + place +
                       "each of its threads would run it for all of them; give the kernel a first parameter "
                       "of type amphi::block, or write what one thread does");
  if (current_context.in_phase)
    throw bounds_error(
        std::string(phase) + " inside another phase" + place +
        "all threads of a block must come to a phase, and each is in the other one for itself; "
        "end that one first");
  throw bounds_error(std::string(phase) + " after the last phase of a kernel in block form" + place +
                     "on a GPU no thread waits at the end of a phase that was called with last_phase; "
                     "name only the phase that the kernel ends with");
}

}  // namespace amphi::detail
