// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime_api.h>

#include "amphi/core/error.hpp"
#include "amphi/runtime/backend.hpp"
#include "common/texture_state.hpp"
#include "cuda/check.hpp"
#include "cuda/stream.hpp"

namespace amphi::detail {
namespace {

cudaChannelFormatDesc channels(const host_texture& shape) {
  int bits = 32;
  cudaChannelFormatKind kind = cudaChannelFormatKindFloat;
  switch (shape.kind) {
    case texel_kind::u8:
      bits = 8, kind = cudaChannelFormatKindUnsigned;
      break;
    case texel_kind::s8:
      bits = 8, kind = cudaChannelFormatKindSigned;
      break;
    case texel_kind::u16:
      bits = 16, kind = cudaChannelFormatKindUnsigned;
      break;
    case texel_kind::s16:
      bits = 16, kind = cudaChannelFormatKindSigned;
      break;
    case texel_kind::u32:
      kind = cudaChannelFormatKindUnsigned;
      break;
    case texel_kind::s32:
      kind = cudaChannelFormatKindSigned;
      break;
    case texel_kind::f16:
      bits = 16;
      break;
    case texel_kind::f32:
      break;
  }
  const int n = shape.components;
  return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 2 ? bits : 0, kind};
}

cudaTextureAddressMode address(address_mode mode) {
  switch (mode) {
    case address_mode::wrap:
      return cudaAddressModeWrap;
    case address_mode::mirror:
      return cudaAddressModeMirror;
    case address_mode::border:
      return cudaAddressModeBorder;
    case address_mode::clamp:
      break;
  }
  return cudaAddressModeClamp;
}

cudaExtent cuda_extent(const extent3& e) {
  return {static_cast<std::size_t>(e.x), static_cast<std::size_t>(e.y), static_cast<std::size_t>(e.z)};
}

cudaPos plane(std::int64_t z) { return {0, 0, static_cast<std::size_t>(z)}; }

cudaPitchedPtr linear(const texel_memory& m, std::size_t texel_bytes) {
  const auto pitch = static_cast<std::size_t>(m.pitch);
  return {m.data, pitch * texel_bytes, pitch, static_cast<std::size_t>(m.plane_pitch) / pitch};
}

}  // namespace

bool is_device_memory(const void* memory) {
  if (backend_in_use() != backend::cuda) return false;
  cudaPointerAttributes where{};
  check(cudaPointerGetAttributes(&where, memory), "asking where texels are");
  return where.type == cudaMemoryTypeDevice || where.type == cudaMemoryTypeManaged;
}

void* make_texture_array(const host_texture& shape) {
  const cudaChannelFormatDesc format = channels(shape);
  cudaExtent size = cuda_extent({shape.size[0], shape.size[1], shape.size[2]});
  if (shape.dimensions < 3 && !shape.layered) size.depth = 0;
  if (shape.dimensions < 2) size.height = 0;
  const relaxed_capture relaxed;
  cudaArray_t array = nullptr;
  check(cudaMalloc3DArray(&array, &format, size, shape.layered ? cudaArrayLayered : cudaArrayDefault),
        "allocating a texture");
  return array;
}

unsigned long long make_texture_object(void* array, const host_texture& shape) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = static_cast<cudaArray_t>(array);
  cudaTextureDesc how{};
  const bool exact = shape.options.sampling == sampling::exact;
  const address_mode modes[3] = {shape.options.address.x, shape.options.address.y, shape.options.address.z};
  // Axes that the texture lacks are clamped: with a border, hardware blends one-dimensional textures with it.
  for (int d = 0; d < 3; ++d)
    how.addressMode[d] = !exact && d < shape.dimensions ? address(modes[d]) : cudaAddressModeClamp;
  how.filterMode = shape.options.sampling == sampling::linear ? cudaFilterModeLinear : cudaFilterModePoint;
  how.readMode = shape.as_float && shape.kind != texel_kind::f32 && shape.kind != texel_kind::f16
                     ? cudaReadModeNormalizedFloat
                     : cudaReadModeElementType;
  how.normalizedCoords = !exact && shape.options.normalized ? 1 : 0;
  cudaTextureObject_t object = 0;
  const cudaError_t status = cudaCreateTextureObject(&object, &resource, &how, nullptr);
  if (status != cudaSuccess) {
    (void)clear_own(status);
    end_texture(array, 0);
    throw_cuda_error(status, "making a texture object");
  }
  return object;
}

void end_texture(void* array, unsigned long long object) noexcept {
  const relaxed_capture relaxed;
  if (object != 0) (void)clear_own(cudaDestroyTextureObject(object));
  (void)clear_own(cudaFreeArray(static_cast<cudaArray_t>(array)));
}

void fill_texture_array(void* array, std::int64_t first_plane, std::size_t texel_bytes,
                        const texel_memory& from, stream_view s) {
  cudaMemcpy3DParms copy{};
  copy.srcPtr = linear(from, texel_bytes);
  copy.dstArray = static_cast<cudaArray_t>(array);
  copy.dstPos = plane(first_plane);
  copy.extent = cuda_extent(from.extent);
  copy.kind = cudaMemcpyDefault;
  check(cudaMemcpy3DAsync(&copy, raw(s)), "copying to a texture");
}

void read_texture_array(void* array, std::int64_t first_plane, std::size_t texel_bytes,
                        const texel_memory& to, stream_view s) {
  cudaMemcpy3DParms copy{};
  copy.srcArray = static_cast<cudaArray_t>(array);
  copy.srcPos = plane(first_plane);
  copy.dstPtr = linear(to, texel_bytes);
  copy.extent = cuda_extent(to.extent);
  copy.kind = cudaMemcpyDefault;
  check(cudaMemcpy3DAsync(&copy, raw(s)), "copying from a texture");
}

}  // namespace amphi::detail
