// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
//
// array_sync: an amphi::array follows the program between host and device, and copies only when an access
// needs it. Each step prints its time: on a GPU the copies show, on the CPU, where both sides are one memory,
// there are none. Also: several streams on one array, copies started early, events, and what is refused.

#include <chrono>
#include <cstdio>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include "amphi/core/error.hpp"
#include "amphi/execution/parallel_for.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/runtime/device.hpp"
#include "common/command_line.hpp"

namespace {

AMPHI_LAUNCHABLE void set_to(int i, float value, float* x) { x[i] = value + static_cast<float>(i % 2); }
AMPHI_LAUNCHABLE void add_to(int i, float value, float* x) { x[i] += value; }
AMPHI_LAUNCHABLE void sum_of(int i, const float* x, const float* y, float* out) { out[i] = x[i] + y[i]; }

bool good = true;

// Runs a step, waits for its work, and prints what it was and how long it took.
template <class Step>
void step(const char* words, Step&& run) {
  amphi::synchronize();
  const auto begin = std::chrono::steady_clock::now();
  run();
  const auto returned = std::chrono::steady_clock::now();
  amphi::synchronize();
  const auto done = std::chrono::steady_clock::now();
  using ms = std::chrono::duration<double, std::milli>;
  std::printf("  %-66s %9.3f %9.3f\n", words, ms(returned - begin).count(), ms(done - begin).count());
}

void section(const char* title) { std::printf("\n%-68s %9s %9s\n", title, "returned", "done, ms"); }

// Compares all elements with `even` at even and `odd` at odd indices.
void expect(const amphi::array<float>& x, float even, float odd) {
  const auto values = x.host_read();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float expected = i % 2 == 0 ? even : odd;
    if (values[i] == expected) continue;
    std::printf("element %zu is %.9g, expected %.9g\n", i, static_cast<double>(values[i]),
                static_cast<double>(expected));
    good = false;
    return;
  }
}

template <class Error, class Step>
void expect_refusal(const char* words, Step&& run) {
  try {
    run();
  } catch (const Error& e) {
    std::printf("  %s: %s\n", words, e.what());
    return;
  }
  std::printf("  %s: was not refused\n", words);
  good = false;
}

void lazy_copies(int n) {
  section("copies are made when an access needs them");
  amphi::array<float> x;
  step("array<float> x(n): no memory yet", [&] { x = amphi::array<float>(n); });
  step("launch with x.write(): device memory, no copy",
       [&] { amphi::parallel_for<set_to>(0, n, 1.0f, x.write()); });
  step("launch with x.read_write(): the device has it, no copy",
       [&] { amphi::parallel_for<add_to>(0, n, 2.0f, x.read_write()); });
  step("x.host_read(): device to host, waits", [&] { (void)x.host_read(); });
  step("x.host_read() again: nothing to do", [&] { (void)x.host_read(); });
  expect(x, 3, 4);
  step("x.host_read_write(), the host changes all elements", [&] {
    for (float& value : x.host_read_write()) value *= 2;
  });
  step("launch with x.read_write(): host to device",
       [&] { amphi::parallel_for<add_to>(0, n, 1.0f, x.read_write()); });
  step("y = x.clone(): copied on the device", [&] {
    const amphi::array<float> y = x.clone();
    expect(y, 7, 9);
  });
}

void streams_and_events(int n) {
  section("one array on several streams waits for itself, by events");
  const amphi::stream first, second;
  amphi::array<float> x(n), y(n, 1.0f), out(n);
  const amphi::policy on_first{.stream = first}, on_second{.stream = second};
  step("x written on the first stream, summed on the second", [&] {
    amphi::parallel_for<set_to>(on_first, 0, n, 10.0f, x.write(on_first));
    amphi::parallel_for<sum_of>(on_second, 0, n, x.read(on_second), y.read(on_second), out.write(on_second));
  });
  expect(out, 11, 12);

  const amphi::event begin = first.record();
  step("eight more launches on the first stream", [&] {
    for (int i = 0; i < 8; ++i) amphi::parallel_for<add_to>(on_first, 0, n, 1.0f, x.read_write(on_first));
  });
  const amphi::event end = first.record();
  std::printf("  %-66s %9s %9.3f\n", "the device's own time for them, elapsed(begin, end)", "",
              amphi::elapsed(begin, end).count());

  amphi::event copied;
  step("x.to_host(second): the copy starts, the host goes on", [&] { copied = x.to_host(second); });
  step("copied.synchronize(), then x.host_read() is free", [&] {
    copied.synchronize();
    (void)x.host_read();
  });
  expect(x, 18, 19);

  // Hand-made order for work that no array tells of.
  second.wait(first.record());
  second.synchronize();
}

void other_memory(int n) {
  section("memory of others, sizes");
  std::vector<float> own(static_cast<std::size_t>(n), 5.0f);
  step("adopt a std::vector's memory and add 1 to it", [&] {
    auto x = amphi::array<float>::adopt(own.data(), n);
    amphi::parallel_for<add_to>(0, n, 1.0f, x.read_write());
    expect(x, 6, 6);
  });
  amphi::array<float> copy;
  step("copy_from(vector): the size follows", [&] { copy.copy_from(own); });
  expect(copy, 6, 6);
  step("moved: the source is empty", [&] {
    const amphi::array<float> other = std::move(copy);
    good &= other.size() == own.size();
  });

  std::printf("\nwhat is refused:\n");
  expect_refusal<amphi::memory_error>("read before written", [&] { (void)amphi::array<float>(n).read(); });
  expect_refusal<amphi::memory_error>("negative size", [&] { (void)amphi::array<float>(-1); });
  expect_refusal<amphi::error>("too little room", [&] {
    std::vector<float> small(1);
    amphi::array<float>(n, 1.0f).copy_to(std::span<float>(small));
  });
}

}  // namespace

int main(int argc, char** argv) try {
  example::command_line options(argc, argv, "what an array copies, and when");
  const auto n = static_cast<int>(options.number("--n", 1 << 22, 2, 1 << 30, "elements"));
  options.finish();

  std::printf("%d floats, backend %s\n", n, amphi::name(amphi::backend_in_use()));
  lazy_copies(n);
  streams_and_events(n);
  other_memory(n);
  return good ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
