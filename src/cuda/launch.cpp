// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>

#include "amphi/core/error.hpp"
#include "amphi/core/integer.hpp"
#include "amphi/runtime/event.hpp"
#include "amphi/runtime/settings.hpp"
#include "common/cuda_launch.hpp"
#include "common/failure.hpp"
#include "common/launch_checks.hpp"
#include "common/observe.hpp"
#include "common/stream_order.hpp"
#include "cuda/check.hpp"
#include "cuda/device.hpp"
#include "cuda/stream.hpp"

#if AMPHI_HAVE_NVTX
#  include <nvtx3/nvToolsExt.h>
#endif

namespace amphi::detail {
namespace {

void check_kernel(int status, const kernel_state& state, const char* doing) {
  if (status != cudaSuccess) throw_cuda_error(static_cast<cudaError_t>(status), (doing + state.name).c_str());
}

// Each unit's device code learns once per device where failed checks are recorded.
void bind_failures(const kernel& k, const kernel_state& state, int device) {
  static std::mutex mutex;
  static auto* const bound = new std::set<std::pair<const cuda_calls*, int>>;
  const std::lock_guard lock(mutex);
  if (bound->contains({k.cuda, device})) return;
  check_kernel(k.cuda->bind_failures(device_failure_channel(device)), state,
               "preparing the first launch of ");
  bound->insert({k.cuda, device});
}

[[noreturn]] void too_many_threads(const kernel_state& state, std::int64_t threads, int limit) {
  throw launch_error("launch of " + state.name + ": a block of " + std::to_string(threads) +
                     " threads; this kernel's registers allow " + std::to_string(limit) +
                     "; use a smaller block");
}

int resident_blocks(int block, const void* address, const kernel& k, const kernel_state& state,
                    std::size_t fixed, std::size_t each) {
  int blocks = 0;
  check_kernel(k.cuda->blocks_per_multiprocessor(address, block,
                                                 fixed + each * static_cast<std::size_t>(block), blocks),
               state, "asking for the occupancy of ");
  return blocks;
}

// CUDA's calculator names the largest of the blocks with the best occupancy. 256 threads, where they reach
// the same occupancy, leave less idle at the end of a grid.
int smaller_block(int block, const void* address, const kernel& k, const kernel_state& state,
                  std::size_t fixed, std::size_t each) {
  constexpr int preferred = 256;
  if (block <= preferred) return block;
  const int threads = block * resident_blocks(block, address, k, state, fixed, each);
  return preferred * resident_blocks(preferred, address, k, state, fixed, each) >= threads ? preferred
                                                                                           : block;
}

// Chooses what the policy leaves open and checks shared memory, once per kernel, device and request.
kernel_choice choose(const kernel_choice& asked, const kernel& k, kernel_state& state,
                     const device_limits& limits) {
  kernel_choice c = asked;
  cuda_attributes attributes{};
  check_kernel(k.cuda->attributes(asked.address, attributes), state, "reading the properties of ");
  c.static_shared = static_cast<std::int64_t>(attributes.static_shared_bytes);
  c.registers = attributes.registers;
  c.max_threads = attributes.max_threads;
  c.starts_early = k.starts_early && attributes.ptx_version >= 90;
  const auto fixed = static_cast<std::size_t>(asked.shared_bytes),
             each = static_cast<std::size_t>(asked.shared_bytes_per_thread);

  // The most dynamic shared memory that this kernel can ever have, allowed once.
  const std::int64_t room = limits.shared_bytes_per_block_opt_in - c.static_shared;
  if (fixed + each * static_cast<std::size_t>(c.max_threads) > 0 && room > 0)
    check_kernel(k.cuda->allow_shared(asked.address, static_cast<std::size_t>(room)), state,
                 "allowing dynamic shared memory to ");

  c.threads = static_cast<int>(asked.block);
  if (asked.block == 0) {
    check_shared(state.name, limits, c.static_shared, asked.shared_bytes + asked.shared_bytes_per_thread);
    check_kernel(
        k.cuda->best_block(asked.address, fixed, each,
                           static_cast<int>(std::min(asked.max_block, limits.threads_per_block)), c.threads),
        state, "choosing a block for ");
    c.threads = smaller_block(c.threads, asked.address, k, state, fixed, each);
  }
  if (c.threads > c.max_threads) too_many_threads(state, c.threads, c.max_threads);
  check_shared(state.name, limits, c.static_shared,
               asked.shared_bytes + asked.shared_bytes_per_thread * c.threads);
  c.dynamic_shared = asked.shared_bytes + asked.shared_bytes_per_thread * c.threads;
  c.limits = &limits;
  const int per_multiprocessor = resident_blocks(c.threads, asked.address, k, state, fixed, each);
  int multiprocessors = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, asked.device),
        "counting the multiprocessors of a device");
  c.blocks = std::max(1, per_multiprocessor) * multiprocessors;
  return c;
}

const kernel_choice* known_choice(const kernel_choice& asked, const kernel_state& state) {
  for (auto* c = __atomic_load_n(&state.choices, __ATOMIC_ACQUIRE); c != nullptr; c = c->next)
    if (c->answers(asked)) return c;
  return nullptr;
}

const kernel_choice* new_choice(const kernel_choice& asked, const kernel& k, kernel_state& state) {
  bind_failures(k, state, asked.device);
  auto made = std::make_unique<kernel_choice>(choose(asked, k, state, limits_of_device(asked.device)));
  const std::lock_guard lock(state.mutex);
  made->next = state.choices;
  state.owned.push_back(std::move(made));
  const kernel_choice* newest = state.owned.back().get();
  __atomic_store_n(&state.choices, newest, __ATOMIC_RELEASE);
  return newest;
}

// Host memory that was not pinned or managed lies out of reach, but for systems that map all of it.
bool reachable_by_device(const void* pointer, int device) {
  cudaPointerAttributes a{};
  if (clear_own(cudaPointerGetAttributes(&a, pointer)) != cudaSuccess) return true;  // not for us to judge
  if (a.type != cudaMemoryTypeUnregistered) return true;
  int pageable = 0;
  check(cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, device),
        "reading a device attribute");
  return pageable != 0;
}

// A pointer that the device can't follow would end the process's CUDA; found here it is an ordinary error.
void check_pointers(const kernel& k, const kernel_state& state, const launch_call& call, int device) {
  for (int i = 0; i < std::min(call.argument_count, 64); ++i) {
    if ((k.pointers >> i & 1) == 0) continue;
    const void* pointer = *static_cast<void* const*>(call.arguments[i]);
    if (pointer == nullptr || reachable_by_device(pointer, device)) continue;
    char text[32];
    std::snprintf(text, sizeof(text), "%p", pointer);
    throw memory_error("launch of " + state.name + ": argument " + std::to_string(i + 1) + " (" + text +
                       ") points to host memory that the GPU can't reach; pass what array.read() or .write() "
                       "gives, or memory of memory_space::device");
  }
}

cuda_geometry narrow(const extent3& grid, const extent3& block, std::int64_t shared_bytes, stream_view stream,
                     bool cooperative, bool starts_early) {
  const auto u = [](std::int64_t v) { return static_cast<std::uint32_t>(v); };
  return {{u(grid.x), u(grid.y), u(grid.z)},
          {u(block.x), u(block.y), u(block.z)},
          static_cast<std::size_t>(shared_bytes),
          raw(stream),
          cooperative,
          starts_early};
}

// A range with a name in the profiles of NVIDIA's tools.
class profiler_range {
 public:
  explicit profiler_range([[maybe_unused]] const char* name) {
#if AMPHI_HAVE_NVTX
    nvtxRangePushA(name);
#endif
  }
  ~profiler_range() {
#if AMPHI_HAVE_NVTX
    nvtxRangePop();
#endif
  }
  profiler_range(const profiler_range&) = delete;
  profiler_range& operator=(const profiler_range&) = delete;
};

// Work that a profiler, failure reports and, where anybody looks, observers see under a name.
template <class Work>
void run_named(const launch_record& seen, const Work& work) {
  const auto run = [&] {
    int status = cudaSuccess;
    {
      const profiler_range range(seen.kernel);
      status = work();
    }
    if (status != cudaSuccess)
      throw_cuda_error(static_cast<cudaError_t>(status), (std::string("launching ") + seen.kernel).c_str());
    note_launch(seen.kernel);
  };
  if (!launches_observed()) return run();
  launch_record record = seen;
  observe(record);
  event start;
  const bool measured = launches_measured() && !is_capturing(record.stream);
  if (measured) start = record.stream.record();
  run();
  if (measured) record.milliseconds = elapsed(start, record.stream.record()).count();
  record.finished = true;
  observe(record);
}

void synchronize_if_asked(stream_view s) {
  if (current_settings().sync && !is_capturing(s)) s.synchronize();
}

}  // namespace

void cuda_launch(const policy& p, kernel& k, kernel_state& state, const launch_call& call) {
  const settings& s = current_settings();
  if (k.address == nullptr)
    throw device_error("launch of " + state.name +
                       " on a GPU: the file that launches it was compiled as C++; name it in "
                       "amphi_target_sources_as_cuda(target file)");
  const device_guard where(device_of(p.stream));  // the stream's device is current until the end of this call
  const std::string& name = state.name;

  extent3 grid = p.grid, block = p.block;
  if (s.serial && grid.is_automatic() && block.is_automatic()) grid = block = 1;
  kernel_choice asked;
  asked.device = where.device();
  const bool line = block.is_automatic() || (block.y == 1 && block.z == 1);
  asked.address = line && k.line_address != nullptr ? k.line_address : k.address;
  asked.block = block.is_automatic() ? 0 : block.size();
  asked.shared_bytes = p.shared_bytes.value_or(0);
  asked.shared_bytes_per_thread = p.shared_bytes_per_thread.value_or(0);
  asked.max_block = p.max_block.value_or(INT64_MAX);
  const kernel_choice* choice = known_choice(asked, state);
  if (choice == nullptr) {
    // What a device refuses of any kernel comes before what it refuses of this one.
    const device_limits& limits = limits_of_device(where.device());
    if (!block.is_automatic()) check_geometry(name, limits, grid.is_automatic() ? extent3(1) : grid, block);
    check_shared(name, limits, 0, dynamic_shared_bytes(name, p, block.is_automatic() ? 1 : block.size()));
    choice = new_choice(asked, k, state);
  }
  if (block.is_automatic()) block = choice->threads;
  if (grid.is_automatic()) {
    grid = choice->blocks;
    if (call.work >= 0) grid = std::clamp<std::int64_t>(ceil_div(call.work, block.size()), 1, choice->blocks);
  }
  check_geometry(name, *choice->limits, grid, block);
  // A cooperative launch takes longer, and one block has nobody to wait for.
  const bool cooperative = k.cooperative && grid.size() > 1;
  const cuda_geometry geometry =
      narrow(grid, block, choice->dynamic_shared, p.stream, cooperative, choice->starts_early);
  if (s.sync) check_pointers(k, state, call, where.device());

  run_named({.kernel = name.c_str(),
             .backend = backend::cuda,
             .grid = grid,
             .block = block,
             .shared_bytes = choice->dynamic_shared,
             .device = where.device(),
             .stream = p.stream,
             .registers = choice->registers,
             .declared_bytes = choice->static_shared},
            [&] { return k.cuda->launch(choice->address, geometry, call.arguments); });
  synchronize_if_asked(p.stream);
}

void launch_library(const char* name, stream_view s, void (*work)(void*), void* closure) {
  const device_guard where(device_of(s));
  launch_record seen;
  seen.kernel = name, seen.backend = backend::cuda, seen.device = where.device(), seen.stream = s;
  run_named(seen, [&] {
    work(closure);
    return cudaSuccess;
  });
  synchronize_if_asked(s);
}

}  // namespace amphi::detail
