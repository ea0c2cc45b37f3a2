// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
//
// policy: what a policy can say about a launch (geometry, stream, workers, order, backend), what the library
// made of it, and what it answers to a policy that can't be done. A launch observer supplies the table.

#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "amphi/core/error.hpp"
#include "amphi/execution/atomic_ref.hpp"
#include "amphi/execution/launch.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/runtime/device.hpp"
#include "amphi/runtime/launch_observer.hpp"
#include "amphi/runtime/settings.hpp"
#include "common/command_line.hpp"

namespace {

AMPHI_LAUNCHABLE void square(int n, float* out) {
  for (const int i : amphi::grid_stride_range(0, n)) out[i] = static_cast<float>(i) * static_cast<float>(i);
}

// Threads draw a number each; run by one worker, the numbers show in which order the threads ran.
AMPHI_LAUNCHABLE void draw_number(int* next, int* drawn) {
  drawn[amphi::global_thread_index()] = amphi::atomic_ref<int>(*next).fetch_add(1);
}

std::string size(const amphi::extent3& e) {
  std::string text = std::to_string(e.x);
  if (e.y != 1 || e.z != 1) text += "," + std::to_string(e.y);
  if (e.z != 1) text += "," + std::to_string(e.z);
  return text;
}

// Remembers the last launch.
void remember(const amphi::launch_record& record, void* user) {
  if (record.finished) *static_cast<amphi::launch_record*>(user) = record;
}

bool show(const char* words, const amphi::policy& p, int n) {
  amphi::array<float> out(n);
  amphi::launch_record seen;
  amphi::set_launch_observer(remember, &seen, true);
  amphi::launch<square>(p, n, out.write(p));
  amphi::set_launch_observer(nullptr);
  std::printf("  %-44s %-5s %8s %8s %7lld %9.3f\n", words, amphi::name(seen.backend), size(seen.grid).c_str(),
              size(seen.block).c_str(), static_cast<long long>(seen.shared_bytes), seen.milliseconds);
  const auto values = out.host_read();
  for (int i = 0; i < n; ++i) {
    const float expected = static_cast<float>(i) * static_cast<float>(i);
    if (values[i] == expected) continue;
    std::printf("%s: element %d is %.9g, expected %.9g\n", words, i, static_cast<double>(values[i]),
                static_cast<double>(expected));
    return false;
  }
  return true;
}

// In which order one worker of the CPU starts the threads of two blocks: the rank of the first thread, and so
// on.
std::vector<int> ranks_in_order(const amphi::thread_order& order) {
  const amphi::policy p{.grid = 2, .block = 4, .backend = amphi::backend::cpu, .workers = 1, .order = order};
  amphi::array<int> next(1, 0), drawn(8);
  amphi::launch<draw_number>(p, next.read_write(p), drawn.write(p));
  std::vector<int> ranks(8);
  for (int rank = 0; rank < 8; ++rank) ranks[static_cast<std::size_t>(drawn.host_read()[rank])] = rank;
  return ranks;
}

void show_order(const char* words, const amphi::thread_order& order) {
  std::printf("  %-44s", words);
  for (const int rank : ranks_in_order(order)) std::printf(" %d", rank);
  std::printf("\n");
}

// A policy that must be refused, with the words that the user sees.
bool show_error(const amphi::policy& p) {
  amphi::array<float> out(1);
  try {
    amphi::launch<square>(p, 1, out.write());
    amphi::synchronize();
  } catch (const amphi::error& e) {
    std::printf("  %s\n", e.what());
    return true;
  }
  std::printf("  a policy was accepted that can't be done: grid %s, block %s\n", size(p.grid).c_str(),
              size(p.block).c_str());
  return false;
}

}  // namespace

int main(int argc, char** argv) try {
  example::command_line options(argc, argv, "what a policy says, what becomes of it, and what can't be done");
  const auto n = static_cast<int>(options.number("--n", 100000, 1, 1 << 30, "elements"));
  options.finish();

  const amphi::stream stream;
  std::printf("  %-44s %-5s %8s %8s %7s %9s\n", "policy", "on", "grid", "block", "shared", "ms");
  bool good = show("{}", {}, n);
  good &= show("{.block = 128}", {.block = 128}, n);
  good &= show("{.grid = 40}", {.grid = 40}, n);
  good &= show("{.grid = 40, .block = 128}", {.grid = 40, .block = 128}, n);
  good &= show("{.grid = {8, 4}, .block = {16, 8, 2}}", {.grid = {8, 4}, .block = {16, 8, 2}}, n);
  good &= show("{.block = 64, .shared_bytes = 1024}", {.block = 64, .shared_bytes = 1024}, n);
  good &= show("{.block = 64, .shared_bytes_per_thread = 8}", {.block = 64, .shared_bytes_per_thread = 8}, n);
  good &= show("{.max_block = 96}", {.max_block = 96}, n);
  good &= show("{.stream = stream}", {.stream = stream}, n);
  good &= show("{.backend = backend::cpu}", {.backend = amphi::backend::cpu}, n);
  good &= show("{.backend = backend::cpu, .workers = 1}", {.backend = amphi::backend::cpu, .workers = 1}, n);
  good &= show("serial", amphi::serial, n);

  std::printf(
      "\norder in which the CPU starts 2 blocks of 4 threads (a result that changes with it has a race):\n");
  show_order("{.order = thread_order::forward}", amphi::thread_order::forward);
  show_order("{.order = thread_order::reverse}", amphi::thread_order::reverse);
  show_order("{.order = thread_order::random(7)}", amphi::thread_order::random(7));
  const std::vector<int> backwards = {7, 6, 5, 4, 3, 2, 1, 0};
  if (ranks_in_order(amphi::thread_order::reverse) != backwards) {
    std::printf("the reverse order is not the forward order read backwards\n");
    good = false;
  }

  std::printf("\nwhat can't be done is said before anything has run:\n");
  good &= show_error({.block = 0});
  good &= show_error({.grid = -1});
  good &= show_error({.block = 2048});
  good &= show_error({.block = {64, 32}});
  good &= show_error({.block = {1, 1, 65}});
  good &= show_error({.grid = {1, 65536}, .block = 1});
  good &= show_error({.grid = std::int64_t{1} << 31, .block = 1});
  good &= show_error({.shared_bytes = 1 << 20});
  good &= show_error({.workers = 0});
  if (amphi::backend_in_use() == amphi::backend::cpu &&
      amphi::current_settings().backend != amphi::backend::cpu)
    good &= show_error({.backend = amphi::backend::cuda});
  return good ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
