// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
//
// amphi-info: what amphi sees of this machine and this process: version, backend (and why there is no GPU),
// devices and their limits, the switches of the environment, the OpenMP runtime, how arithmetic is done. Put
// its output into a report of a problem.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "amphi/core/error.hpp"
#include "amphi/runtime/backend.hpp"
#include "amphi/runtime/device.hpp"
#include "amphi/runtime/settings.hpp"
#include "amphi/verify/floating_point_report.hpp"
#include "common/command_line.hpp"
#include "info/openmp.hpp"

namespace {

void line(const char* name, const std::string& value) { std::printf("  %-34s %s\n", name, value.c_str()); }

std::string size(const amphi::extent3& e) {
  return std::to_string(e.x) + " x " + std::to_string(e.y) + " x " + std::to_string(e.z);
}

std::string bytes(std::int64_t n) {
  if (n < 1 << 10) return std::to_string(n) + " bytes";
  char text[64];
  const double kib = static_cast<double>(n) / 1024;
  if (n < 1 << 20) {
    std::snprintf(text, sizeof(text), "%.4g KiB", kib);
  } else if (n < 1 << 30) {
    std::snprintf(text, sizeof(text), "%.4g MiB", kib / 1024);
  } else {
    std::snprintf(text, sizeof(text), "%.4g GiB", kib / (1024 * 1024));
  }
  return text;
}

void print_build() {
  std::printf("amphi %d.%d.%d\n", AMPHI_VERSION_MAJOR, AMPHI_VERSION_MINOR, AMPHI_VERSION_PATCH);
  line("backends of this build", AMPHI_CUDA ? "cuda, cpu" : "cpu");
  line("equal bits promised", AMPHI_BIT_EXACT ? "yes" : "no (AMPHI_BIT_EXACT=OFF)");
  line("checks", AMPHI_CHECKED ? "on" : "off (AMPHI_CHECKED)");
  line("backend in use", amphi::name(amphi::backend_in_use()));
  if (amphi::backend_in_use() == amphi::backend::cuda) return;
  if (amphi::current_settings().backend == amphi::backend::cpu)
    return line("why no GPU", "AMPHI_BACKEND=cpu is set");
  try {
    (void)amphi::resolve(amphi::backend::cuda);
  } catch (const amphi::device_error& e) {
    line("why no GPU", e.what());
  }
}

void print_limits(const amphi::device_limits& l) {
  line("threads of a block", std::to_string(l.threads_per_block));
  line("largest block", size(l.block));
  line("largest grid", size(l.grid));
  line("threads of a warp", std::to_string(l.warp_size));
  line("shared memory of a block",
       bytes(l.shared_bytes_per_block) + ", opted in " + bytes(l.shared_bytes_per_block_opt_in));
  line("shared memory of a multiprocessor", bytes(l.shared_bytes_per_multiprocessor));
  line("registers of a thread", std::to_string(l.registers_per_thread));
  line("registers of a block", std::to_string(l.registers_per_block));
  line("registers of a multiprocessor", std::to_string(l.registers_per_multiprocessor));
  line("threads of a multiprocessor", std::to_string(l.threads_per_multiprocessor));
  line("blocks of a multiprocessor", std::to_string(l.blocks_per_multiprocessor));
}

void print_device(const amphi::device_properties& d) {
  const bool gpu = d.device >= 0;
  std::printf("\n%s %s\n", gpu ? ("device " + std::to_string(d.device) + ":").c_str() : "host:", d.name);
  line(gpu ? "multiprocessors" : "threads that can run at once", std::to_string(d.multiprocessors));
  line("memory", bytes(d.memory_bytes));
  line(gpu ? "L2 cache" : "last cache", bytes(d.l2_bytes));
  if (gpu) {
    line("constant memory", bytes(d.constant_bytes));
    line("clock", std::to_string(d.clock_khz / 1000) + " MHz");
    if (d.memory_clock_khz > 0)
      line("memory clock and bus", std::to_string(d.memory_clock_khz / 1000) + " MHz, " +
                                       std::to_string(d.memory_bus_bits) + " bits");
    line("managed memory used at once", d.concurrent_managed_access ? "yes" : "no, host and device in turns");
  }
  std::printf(gpu ? "  limits of sm_%d\n" : "  launches are held to the limits of sm_%d (AMPHI_LIMITS)\n",
              d.limits.compute_capability);
  print_limits(d.limits);
}

void print_switches() {
  struct entry {
    const char *name, *otherwise;
  };
  constexpr entry switches[] = {{"AMPHI_BACKEND", "cuda where there is a GPU, else cpu"},
                                {"AMPHI_SERIAL", "0"},
                                {"AMPHI_WORKERS", "what OpenMP says"},
                                {"AMPHI_ORDER", "forward"},
                                {"AMPHI_TRACE", "0"},
                                {"AMPHI_PROFILE", "0"},
                                {"AMPHI_BREAK", "no stop"},
                                {"AMPHI_SYNC", "0"},
                                {"AMPHI_LIMITS", "sm_90"},
                                {"AMPHI_DEVICE", "what CUDA says"},
                                {"AMPHI_STACK", "the library's choice"}};
  std::printf("\nswitches\n");
  for (const entry& s : switches) {
    const char* value = std::getenv(s.name);
    const bool set = value != nullptr && *value != 0;
    line(s.name, set ? std::string(value) : std::string("not set: ") + s.otherwise);
  }
}

void print_openmp() {
  const info::openmp_runtime o = info::openmp();
  std::printf("\nOpenMP\n");
  line("specification", std::to_string(o.version / 100) + "-" + (o.version % 100 < 10 ? "0" : "") +
                            std::to_string(o.version % 100));
  line("library", o.library);
  line("threads of a region", std::to_string(o.max_threads));
  line("processors", std::to_string(o.processors));
  line("thread limit", o.thread_limit == INT32_MAX ? "none" : std::to_string(o.thread_limit));
  line("fewer threads at will (dynamic)", o.dynamic ? "yes" : "no");
  line("binding, places", o.binding + ", " + (o.places == 0 ? "none" : std::to_string(o.places)));
}

}  // namespace

int main(int argc, char** argv) try {
  example::command_line options(argc, argv, "what amphi sees of this machine and this process");
  options.finish();

  print_build();
  for (int i = 0; i < amphi::device_count(); ++i) print_device(amphi::properties_of(i));
  if (amphi::device_count() == 0) print_device(amphi::properties_of_current_device());
  print_switches();
  print_openmp();
  std::printf("\nfloating-point arithmetic of this program\n%s",
              amphi::floating_point_report().text().c_str());
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
