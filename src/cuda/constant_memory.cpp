// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/constant_memory.hpp"

#include <cuda_runtime_api.h>

#include <string>

#include "amphi/runtime/backend.hpp"
#include "amphi/runtime/device.hpp"
#include "common/device.hpp"
#include "cuda/check.hpp"
#include "cuda/stream.hpp"

namespace amphi::detail {

void write_symbol(const void* symbol, const char* name, const void* from, std::size_t bytes,
                  std::size_t offset, stream_view stream) {
  if (backend_in_use() != backend::cuda) return;
  const int own = device_of(stream);
  const std::string doing = std::string("copying to the constant ") + name;
  for (int device = 0; device < device_count(); ++device) {
    const device_guard on(device);
    const cudaStream_t s = own < 0 || own == device ? raw(stream) : cudaStreamLegacy;
    check(cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, cudaMemcpyHostToDevice, s), doing.c_str());
  }
}

}  // namespace amphi::detail
