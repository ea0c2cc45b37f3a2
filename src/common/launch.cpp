// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <chrono>

#include "amphi/core/error.hpp"
#include "amphi/core/integer.hpp"
#include "amphi/runtime/settings.hpp"
#include "common/cpu_launch.hpp"
#include "common/cuda_launch.hpp"
#include "common/kernel_state.hpp"
#include "common/launch_checks.hpp"
#include "common/observe.hpp"
#include "common/recording.hpp"

namespace amphi::detail {
namespace {

constexpr std::int64_t cpu_block = 256;  // an automatic block of an exact geometry on the CPU

launch_index narrow(const extent3& e) {
  return {static_cast<std::uint32_t>(e.x), static_cast<std::uint32_t>(e.y), static_cast<std::uint32_t>(e.z)};
}

[[noreturn]] void no_host_body(const std::string& name, const kernel& k) {
  const char* reason = cuda_unavailable_reason();
  const std::string why =
      reason != nullptr ? std::string(" (no GPU is in use: ") + reason + ")" : std::string();
  if (k.device_only)
    throw device_error(
        "launch of " + name + " on the CPU" + why +
        ": the lambda is marked __device__ only, so it has no host body; mark it AMPHI_LAMBDA");
  throw device_error(
      "launch of " + name + " on the CPU" + why +
      ": a __global__ function runs on a GPU only; make it AMPHI_LAUNCHABLE and write launch<function>");
}

// A launch on the CPU, in the words of the table in the README: automatic, exact geometry or serial.
void launch_on_cpu(const policy& p, kernel& k, kernel_state& state, const launch_call& call) {
  const std::string& name = state.name;
  if (call.run == nullptr) no_host_body(name, k);
  const settings& s = current_settings();
  const device_limits& limits = limits_of(s.limits);

  cpu_plan plan;
  plan.kernel = name.c_str();
  plan.run = call.run;
  plan.end = call.end;
  plan.body = call.body;
  plan.body_bytes = call.body_bytes;
  plan.body_alignment = call.body_alignment;
  plan.block_form = k.block_form;
  plan.order = p.order == thread_order{} ? s.order : p.order;
  plan.workers = p.workers.value_or(available_workers());
  extent3 grid = 1, block = 1;
  const bool automatic = p.grid.is_automatic() && p.block.is_automatic();
  if (automatic || call.any_geometry) {
    if (!automatic)
      check_geometry(name, limits, p.grid.is_automatic() ? extent3(1) : p.grid,
                     p.block.is_automatic() ? extent3(1) : p.block);
    plan.chunked = true;
    if (s.serial) plan.workers = 1;
    if (call.work >= 0) {
      plan.workers = std::clamp<std::int64_t>(call.work, 1, plan.workers);
      if (p.workers.is_automatic()) plan.pace = &state.pace, plan.work = call.work;
    }
    grid = plan.workers;
  } else {
    block = p.block.is_automatic() ? extent3(std::min(cpu_block, p.max_block.value_or(cpu_block))) : p.block;
    grid = p.grid;
    if (grid.is_automatic()) {
      check_geometry(name, limits, 1, block);
      grid = plan.workers;
      if (call.work >= 0) grid = std::clamp<std::int64_t>(ceil_div(call.work, block.size()), 1, plan.workers);
    }
    check_geometry(name, limits, grid, block);
    plan.grid = narrow(grid);
    plan.block = narrow(block);
  }
  plan.shared_bytes = dynamic_shared_bytes(name, p, block.size());
  check_shared(name, limits, 0, plan.shared_bytes);

  if (record_launch(p, k, name, call)) return;
  if (!launches_observed()) return cpu_launch(plan);
  launch_record record{.kernel = name.c_str(),
                       .backend = backend::cpu,
                       .grid = grid,
                       .block = block,
                       .shared_bytes = plan.shared_bytes,
                       .stream = p.stream};
  observe(record);
  const auto start = std::chrono::steady_clock::now();
  const auto report = [&] {
    record.milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    record.finished = true;
    observe(record);
  };
  try {
    cpu_launch(plan);
  } catch (...) {
    report();
    throw;
  }
  report();
}

}  // namespace

void launch(const policy& p, kernel& k, const launch_call& call) {
  kernel_state& state = state_of(k);
  check_numbers(state.name, p);
  if (resolve(p.backend) == backend::cuda) {
    cuda_launch(p, k, state, call);
  } else {
    launch_on_cpu(p, k, state, call);
  }
}

}  // namespace amphi::detail
