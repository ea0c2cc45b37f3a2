// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/config/macros.hpp"

namespace amphi {

// How a texture answers between its texels.
//   point   the texel that the coordinate falls into
//   linear  what the texture unit of a GPU computes: weights of 8 bits between neighbouring texels. The CPU
//           computes the same bits (README.md of this folder says how).
//   exact   the same interpolation with weights and sums in float, computed by the program on both sides:
//           the same bits again, several times slower on a GPU
enum class sampling : unsigned char { point, linear, exact };

// What stands outside of the texels. Wrap and mirror repeat the texture and need normalised coordinates.
//   clamp   the nearest texel
//   wrap    the texture again
//   mirror  the texture again, every second time reversed
//   border  zero
enum class address_mode : unsigned char { clamp, wrap, mirror, border };

// An address mode for each axis, or one for all.
struct address_modes {
  address_mode x = address_mode::clamp, y = x, z = x;

  constexpr address_modes() = default;
  AMPHI_HOST_DEVICE constexpr address_modes(address_mode all) : x(all), y(all), z(all) {}
  AMPHI_HOST_DEVICE constexpr address_modes(address_mode x_, address_mode y_,
                                            address_mode z_ = address_mode::clamp)
      : x(x_), y(y_), z(z_) {}
  friend constexpr bool operator==(const address_modes&, const address_modes&) = default;
};

// What a sample of integer texels is.
//   element     the integer; point sampling only
//   normalized  a float: unsigned texels give 0 to 1, signed ones -1 to 1 (both of the lowest two give -1)
enum class read_mode : unsigned char { element, normalized };

// How a texture is read; fixed when it is made. New members go last.
struct texture_options {
  amphi::sampling sampling = amphi::sampling::point;
  address_modes address{};
  bool normalized = false;  // coordinates run from 0 to 1 instead of from 0 to the size

  friend constexpr bool operator==(const texture_options&, const texture_options&) = default;
};

}  // namespace amphi
