// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/execution/detail/launch_call.hpp"

#if AMPHI_CUDA && AMPHI_CUDA_UNIT

namespace amphi::detail {

// What each thread of amphi's kernels does first. The kernel may have been put on the GPU while the one
// before it in its stream was at work: it waits here until all of that is done and visible. From then on the
// next one may be put there likewise, as soon as there is room. So launches overlap, and nothing else does.
__device__ inline void begin_kernel() {
#  if AMPHI_DEVICE_ARCH >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#  endif
}

// The entry points of this unit into its CUDA runtime. Internal linkage: a merged copy in another shared
// library would ask a runtime that does not know the kernel.
namespace {

inline int clear(cudaError_t status) {
  if (status != cudaSuccess) (void)cudaGetLastError();
  return static_cast<int>(status);
}

[[maybe_unused]] const cuda_calls unit_cuda_calls = {
    [](const void* kernel, const cuda_geometry& g, void** arguments) {
      cudaLaunchConfig_t config{};
      config.gridDim = dim3(g.grid[0], g.grid[1], g.grid[2]);
      config.blockDim = dim3(g.block[0], g.block[1], g.block[2]);
      config.dynamicSmemBytes = g.shared_bytes;
      config.stream = g.stream;
      cudaLaunchAttribute attributes[2]{};
      config.attrs = attributes;
      if (g.cooperative) {
        cudaLaunchAttribute& a = attributes[config.numAttrs++];
        a.id = cudaLaunchAttributeCooperative;
        a.val.cooperative = 1;
      }
      if (g.starts_early) {
        cudaLaunchAttribute& a = attributes[config.numAttrs++];
        a.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        a.val.programmaticStreamSerializationAllowed = 1;
      }
      return clear(cudaLaunchKernelExC(&config, kernel, arguments));
    },
    [](const void* kernel, cuda_attributes& out) {
      cudaFuncAttributes a{};
      const int status = clear(cudaFuncGetAttributes(&a, kernel));
      out = {a.sharedSizeBytes, a.numRegs, a.maxThreadsPerBlock, a.ptxVersion};
      return status;
    },
    [](const void* kernel, int block, std::size_t shared_bytes, int& out) {
      return clear(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&out, kernel, block, shared_bytes));
    },
    [](const void* kernel, std::size_t shared_bytes, std::size_t shared_bytes_per_thread, int max_block,
       int& block) {
      int grid = 0;
      const auto shared = [=](int threads) {
        return shared_bytes + shared_bytes_per_thread * static_cast<std::size_t>(threads);
      };
      return clear(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, kernel, shared, max_block));
    },
    [](const void* kernel, std::size_t bytes) {
      return clear(
          cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
    },
    [](const failure_channel& channel) {
      // Legal while another thread captures a stream: a private stream, in relaxed mode.
      cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
      cudaError_t status = cudaThreadExchangeStreamCaptureMode(&mode);
      cudaStream_t stream = nullptr;
      if (status == cudaSuccess) status = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
      if (status == cudaSuccess) {
        status = cudaMemcpyToSymbolAsync(device_failures, &channel, sizeof(channel), 0,
                                         cudaMemcpyHostToDevice, stream);
        const cudaError_t waited = cudaStreamSynchronize(stream);
        if (status == cudaSuccess) status = waited;
        (void)cudaStreamDestroy(stream);
      }
      (void)cudaThreadExchangeStreamCaptureMode(&mode);
      return clear(status);
    }};

}  // namespace
}  // namespace amphi::detail

#endif
