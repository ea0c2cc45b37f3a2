// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/device.hpp"

#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "amphi/core/error.hpp"
#include "amphi/runtime/settings.hpp"
#include "common/backend.hpp"
#include "common/failure.hpp"
#include "common/host.hpp"
#include "common/recording.hpp"
#include "cuda/check.hpp"
#include "cuda/device.hpp"

namespace amphi {
namespace {

// Exists only to be looked up: is there code for the device in this program?
__global__ void probe() {}

// Who writes the device's record of failed checks; one on each device.
__device__ std::uint32_t failure_claim = 0;

int count_devices() {
  static const int count = [] {
    int n = 0;
    return detail::clear_own(cudaGetDeviceCount(&n)) == cudaSuccess ? n : 0;
  }();
  return count;
}

[[noreturn]] void throw_bad_device(const char* who, int device) {
  const int n = count_devices();
  throw device_error(std::string(who) + std::to_string(device) + ", but this process sees " +
                     std::to_string(n) + (n == 1 ? " device" : " devices") + ", numbered from 0");
}

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  detail::check(cudaDeviceGetAttribute(&value, which, device), "reading a device attribute");
  return value;
}

std::string find_unavailable_reason() {
  int n = 0;
  if (const cudaError_t status = detail::clear_own(cudaGetDeviceCount(&n)); status != cudaSuccess) {
    const char* what = status == cudaErrorInsufficientDriver ? "no NVIDIA driver, or one that is too old ("
                       : status == cudaErrorNoDevice         ? "no CUDA device ("
                                                             : "CUDA can't start (";
    return what + detail::cuda_text(status) + ")";
  }
  if (n == 0) return "no CUDA device";
  const int wanted = current_settings().device;
  if (wanted >= n) throw_bad_device("AMPHI_DEVICE asks for device ", wanted);
  const int device = detail::active_device();
  cudaFuncAttributes attributes{};
  if (const cudaError_t status = detail::clear_own(cudaFuncGetAttributes(&attributes, probe));
      status != cudaSuccess) {
    if (status != cudaErrorNoKernelImageForDevice && status != cudaErrorInvalidDeviceFunction &&
        status != cudaErrorUnsupportedPtxVersion)
      return "device " + std::to_string(device) + " does not answer (" + detail::cuda_text(status) + ")";
    const int capability = 10 * attribute(cudaDevAttrComputeCapabilityMajor, device) +
                           attribute(cudaDevAttrComputeCapabilityMinor, device);
    return "the program holds no code for device " + std::to_string(device) + ", an sm_" +
           std::to_string(capability) + " (" + detail::cuda_text(status) +
           "); build with CMAKE_CUDA_ARCHITECTURES=" + std::to_string(capability);
  }
  return {};
}

device_limits read_limits(int device) {
  const auto get = [device](cudaDeviceAttr which) { return attribute(which, device); };
  device_limits l;
  l.compute_capability = 10 * get(cudaDevAttrComputeCapabilityMajor) + get(cudaDevAttrComputeCapabilityMinor);
  l.threads_per_block = get(cudaDevAttrMaxThreadsPerBlock);
  l.block = {get(cudaDevAttrMaxBlockDimX), get(cudaDevAttrMaxBlockDimY), get(cudaDevAttrMaxBlockDimZ)};
  l.grid = {get(cudaDevAttrMaxGridDimX), get(cudaDevAttrMaxGridDimY), get(cudaDevAttrMaxGridDimZ)};
  l.warp_size = get(cudaDevAttrWarpSize);
  l.shared_bytes_per_block = get(cudaDevAttrMaxSharedMemoryPerBlock);
  l.shared_bytes_per_block_opt_in = get(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  l.shared_bytes_reserved = get(cudaDevAttrReservedSharedMemoryPerBlock);
  l.shared_bytes_per_multiprocessor = get(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  l.registers_per_block = get(cudaDevAttrMaxRegistersPerBlock);
  l.registers_per_multiprocessor = get(cudaDevAttrMaxRegistersPerMultiprocessor);
  l.threads_per_multiprocessor = get(cudaDevAttrMaxThreadsPerMultiProcessor);
  l.blocks_per_multiprocessor = get(cudaDevAttrMaxBlocksPerMultiprocessor);
  // CUDA has no attributes for these.
  l.registers_per_thread = 255;
  l.register_granularity = 256;
  l.partitions = 4;
  l.shared_granularity = l.compute_capability >= 80 ? 128 : 256;
  return l;
}

}  // namespace

namespace detail {

std::string cuda_text(cudaError_t code) {
  return std::string(cudaGetErrorName(code)) + ": " + cudaGetErrorString(code);
}

void throw_cuda_error(cudaError_t code, const char* doing) {
  std::string text = std::string("while ") + doing + ": " + cuda_text(code);
  // Only these are left behind by work that ran earlier.
  switch (code) {
    case cudaErrorIllegalAddress:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorHardwareStackError:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
      text += launches_since_synchronisation();
      if (!current_settings().sync) text += "; AMPHI_SYNC=1 finds the launch that failed";
      break;
    default:
      break;
  }
  throw cuda_error(static_cast<int>(code), text);
}

const char* cuda_unavailable_reason() {
  static const std::string* const reason = new std::string(find_unavailable_reason());
  return reason->empty() ? nullptr : reason->c_str();
}

int active_device() {
  thread_local bool chosen = false;
  if (chosen && count_devices() == 1) return 0;
  int device = 0;
  check(cudaGetDevice(&device), "asking for the current device");
  if (!chosen) {
    // Device 0 is what a thread has that has chosen nothing.
    if (const int wanted = current_settings().device; wanted > 0 && device == 0) {
      if (wanted >= count_devices()) throw_bad_device("AMPHI_DEVICE asks for device ", wanted);
      check(cudaSetDevice(wanted), "selecting the device that AMPHI_DEVICE names");
      device = wanted;
    }
    chosen = true;
  }
  return device;
}

device_guard::device_guard(int device) : device_(device) {
  if (backend_in_use() != backend::cuda) return;  // no driver to ask, or none that this process uses
  const int current = active_device();
  if (device < 0 || device == current) {
    device_ = current;
    return;
  }
  check(cudaSetDevice(device), "switching to the device of a stream or array");
  restore_ = current;
}

device_guard::~device_guard() {
  if (restore_ >= 0) (void)clear_own(cudaSetDevice(restore_));
}

const device_limits& limits_of_device(int device) {
  static std::mutex mutex;
  static auto& known = *new std::vector<const device_limits*>;
  const std::lock_guard lock(mutex);
  if (device < 0) device = active_device();
  if (device >= count_devices()) throw_bad_device("limits were asked for device ", device);
  if (known.empty()) known.resize(static_cast<std::size_t>(count_devices()));
  const device_limits*& entry = known[static_cast<std::size_t>(device)];
  if (entry == nullptr) entry = new device_limits(read_limits(device));
  return *entry;
}

namespace {
constinit failure_record* records = nullptr;  // one per device
}

failure_channel device_failure_channel(int device) {
  const relaxed_capture relaxed;
  static failure_record* const made = [] {
    const std::size_t bytes = sizeof(failure_record) * static_cast<std::size_t>(count_devices());
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped),
          "allocating the records of failed device checks");
    std::memset(memory, 0, bytes);
    __atomic_store_n(&records, static_cast<failure_record*>(memory), __ATOMIC_RELEASE);
    return records;  // unified addressing: the devices see it at the same address
  }();
  void* claim = nullptr;
  check(cudaGetSymbolAddress(&claim, failure_claim),
        "finding the claim on the record of failed device checks");
  return {made + device, static_cast<std::uint32_t*>(claim)};
}

std::span<failure_record> device_failure_records() noexcept {
  failure_record* const made = __atomic_load_n(&records, __ATOMIC_ACQUIRE);
  if (made == nullptr) return {};
  return {made, static_cast<std::size_t>(count_devices())};
}

}  // namespace detail

int device_count() { return backend_in_use() == backend::cuda ? count_devices() : 0; }

int current_device() { return backend_in_use() == backend::cuda ? detail::active_device() : -1; }

void set_device(int device) {
  if (backend_in_use() != backend::cuda) {
    const char* reason = detail::cuda_unavailable_reason();
    throw device_error("set_device(" + std::to_string(device) + "): this process runs on the CPU: " +
                       (reason != nullptr ? reason : "AMPHI_BACKEND=cpu is set"));
  }
  if (device < 0 || device >= count_devices()) throw_bad_device("set_device was asked for device ", device);
  (void)detail::active_device();  // this thread's choice is made; AMPHI_DEVICE does not come back later
  detail::check(cudaSetDevice(device), "selecting a device");
}

void synchronize() {
  detail::refuse_wait_in_capture();
  if (backend_in_use() != backend::cuda) return;
  const char* const doing = "synchronising a device";
  (void)detail::active_device();
  detail::check(cudaDeviceSynchronize(), doing);
  detail::throw_pending_failures(doing);
  detail::forget_launches();
}

device_properties properties_of_current_device() { return properties_of(current_device()); }

device_properties properties_of(int device) {
  if (backend_in_use() != backend::cuda && device == -1) return detail::host_properties();
  if (device < 0 || device >= device_count()) throw_bad_device("properties were asked for device ", device);
  cudaDeviceProp p{};
  detail::check(cudaGetDeviceProperties(&p, device), "reading the properties of a device");
  device_properties out;
  std::memcpy(out.name, p.name, sizeof(out.name) - 1);
  out.device = device;
  out.multiprocessors = p.multiProcessorCount;
  out.memory_bytes = static_cast<std::int64_t>(p.totalGlobalMem);
  out.l2_bytes = p.l2CacheSize;
  out.constant_bytes = static_cast<std::int64_t>(p.totalConstMem);
  out.clock_khz = attribute(cudaDevAttrClockRate, device);
  out.memory_clock_khz = attribute(cudaDevAttrMemoryClockRate, device);
  out.memory_bus_bits = p.memoryBusWidth;
  out.concurrent_managed_access = p.concurrentManagedAccess != 0;
  out.limits = detail::limits_of_device(device);
  return out;
}

}  // namespace amphi
