// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>

#include "amphi/core/error.hpp"
#include "amphi/core/integer.hpp"
#include "common/array_state.hpp"
#include "common/device.hpp"
#include "cuda/check.hpp"
#include "cuda/stream.hpp"

namespace amphi::detail {
namespace {

// One element as a kernel argument.
constexpr std::size_t most_element_bytes = 256;
struct element_words {
  alignas(8) unsigned char bytes[most_element_bytes];
};

// Writes words of the element over and over; word i of the memory is word i mod `words` of the element.
template <class Word>
__global__ void fill_words(Word* to, element_words element, std::size_t words, std::size_t all) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < all; i += stride)
    to[i] = reinterpret_cast<const Word*>(element.bytes)[i % words];
}

template <class Word>
void launch_fill(void* memory, const element_words& element, std::size_t element_bytes, std::size_t count,
                 cudaStream_t stream) {
  const std::size_t words = element_bytes / sizeof(Word), all = words * count;
  const auto blocks = static_cast<unsigned>(std::min<std::size_t>(ceil_div(all, std::size_t{256}), 2048));
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(256);
  config.stream = stream;
  check(cudaLaunchKernelEx(&config, fill_words<Word>, static_cast<Word*>(memory), element, words, all),
        "filling an array");
}

}  // namespace

bool pin_memory(void* memory, std::size_t bytes) noexcept {
  const relaxed_capture relaxed;
  return clear_own(cudaHostRegister(memory, bytes, cudaHostRegisterPortable)) == cudaSuccess;
}

void unpin_memory(void* memory) noexcept { (void)clear_own(cudaHostUnregister(memory)); }

int device_of_memory(const void* memory) {
  cudaPointerAttributes where{};
  check(cudaPointerGetAttributes(&where, memory), "asking where adopted memory is");
  if (where.type == cudaMemoryTypeUnregistered)
    throw memory_error(
        "an array adopted memory as memory of a GPU, but CUDA does not know it; adopt host memory as "
        "memory_space::pageable");
  return where.device;
}

void device_fill(void* memory, const void* element, std::size_t element_bytes, std::size_t count,
                 stream_view s) {
  const auto* bytes = static_cast<const unsigned char*>(element);
  if (std::all_of(bytes, bytes + element_bytes, [&](unsigned char b) { return b == bytes[0]; })) {
    check(cudaMemsetAsync(memory, bytes[0], element_bytes * count, raw(s)), "filling an array");
    return;
  }
  element_words words{};
  if (element_bytes > sizeof(words)) {
    // Doubles the filled part until all is filled.
    check(cudaMemcpyAsync(memory, element, element_bytes, cudaMemcpyDefault, raw(s)), "filling an array");
    for (std::size_t done = 1; done < count;) {
      const std::size_t step = std::min(done, count - done);
      check(cudaMemcpyAsync(static_cast<char*>(memory) + done * element_bytes, memory, step * element_bytes,
                            cudaMemcpyDefault, raw(s)),
            "filling an array");
      done += step;
    }
    return;
  }
  std::memcpy(words.bytes, element, element_bytes);
  if (element_bytes % 8 == 0) {
    launch_fill<unsigned long long>(memory, words, element_bytes, count, raw(s));
  } else if (element_bytes % 4 == 0) {
    launch_fill<unsigned>(memory, words, element_bytes, count, raw(s));
  } else {
    launch_fill<unsigned char>(memory, words, element_bytes, count, raw(s));
  }
}

}  // namespace amphi::detail
