// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/memory/texture_options.hpp"

// What a GPU's texture unit computes, for the CPU: the rules stand in README.md of this folder. Found by
// experiment on hardware, since the vendor documents only part of them.

namespace amphi::detail {

// Component types of texels.
enum class texel_kind : unsigned char { u8, s8, u16, s16, u32, s32, f16, f32 };

// Where the texels of a texture lie on the host, and how they are read: what a view needs there. x is
// contiguous, without gaps; layers follow each other, and their number is the third size. `alive` counts up
// when the texture ends, so that late users are found.
struct host_texture {
  const unsigned char* texels = nullptr;
  const std::uint32_t* alive = nullptr;
  std::uint32_t life = 0;
  std::int32_t size[3] = {1, 1, 1};
  texture_options options{};
  texel_kind kind = texel_kind::f32;
  unsigned char components = 1, dimensions = 1;
  bool as_float = true, layered = false;
};

// One sample: `components` floats, or integers of the texel's type, into `result`. Throws memory_error when
// the texture is gone, or its texels are on a GPU. Layers that do not exist, negative ones too, are the last.
void sample_on_host(const host_texture& t, const float* coordinate, void* result, std::int32_t layer = 0);

// The texel that stands at an index; negative where there is none.
std::int64_t texel_index(std::int64_t i, std::int64_t size, address_mode mode);

// The texel that a coordinate falls into; negative where there is none.
std::int64_t locate_texel(float x, std::int64_t size, bool normalized, address_mode mode);

// The two texels that a coordinate lies between, and the weight of the second in 1/256.
struct texture_cell {
  std::int64_t texel[2];
  int fraction;
};
texture_cell locate_cell(float x, std::int64_t size, bool normalized, address_mode mode);

// Weights in 1/256 of the 2^dimensions corners of a cell, which sum to 256; bit k of a corner's number says
// which side of axis k it stands on.
void corner_weights(int dimensions, const int* fractions, int* weights);

// The filtered value of a cell whose corners have these bits.
float filtered_cell(texel_kind kind, int dimensions, const std::uint32_t* corners, const int* fractions);

}  // namespace amphi::detail
