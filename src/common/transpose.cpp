// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "amphi/algorithm/detail/transpose_kernel.hpp"
#include "amphi/core/error.hpp"

namespace amphi::detail {
namespace {

// --- tiles through registers: vectors of 16 bytes, which every processor has or does as two halves

template <std::size_t Bytes>
struct lanes;
template <>
struct lanes<1> {
  using type = std::uint8_t;
};
template <>
struct lanes<2> {
  using type = std::uint16_t;
};
template <>
struct lanes<4> {
  using type = std::uint32_t;
};
template <>
struct lanes<8> {
  using type = std::uint64_t;
};

template <std::size_t Size>
using vector_of [[gnu::vector_size(16)]] = typename lanes<Size>::type;

template <std::size_t Size>
vector_of<Size> load(const char* from) {
  vector_of<Size> v;
  std::memcpy(&v, from, 16);
  return v;
}

// Lanes of a and b in turn, of their lower halves or their upper ones.
template <std::size_t Size, bool Upper, std::size_t... I>
vector_of<Size> interleave(vector_of<Size> a, vector_of<Size> b, std::index_sequence<I...>) {
  constexpr std::size_t n = sizeof...(I);
  return __builtin_shufflevector(a, b,
                                 static_cast<int>(I / 2 + (Upper ? n / 2 : 0) + (I % 2 == 0 ? 0 : n))...);
}

// A square of 16 / Size elements: log2 times, rows of the upper half interleave with those of the lower one.
template <std::size_t Size>
void transpose_square(const char* in, std::int64_t in_pitch, char* out, std::int64_t out_pitch) {
  constexpr std::size_t n = 16 / Size;
  using order = std::make_index_sequence<n>;
  vector_of<Size> rows[n], next[n];
  for (std::size_t i = 0; i < n; ++i) rows[i] = load<Size>(in + static_cast<std::int64_t>(i) * in_pitch);
  for (std::size_t done = 1; done < n; done *= 2) {
    for (std::size_t i = 0; i < n / 2; ++i) {
      next[2 * i] = interleave<Size, false>(rows[i], rows[i + n / 2], order());
      next[2 * i + 1] = interleave<Size, true>(rows[i], rows[i + n / 2], order());
    }
    std::memcpy(rows, next, sizeof(rows));
  }
  for (std::size_t i = 0; i < n; ++i)
    std::memcpy(out + static_cast<std::int64_t>(i) * out_pitch, &rows[i], 16);
}

template <std::size_t Size>
void transpose_plainly(const char* in, std::int64_t in_pitch, char* out, std::int64_t out_pitch,
                       std::int64_t nx, std::int64_t ny) {
  constexpr auto size = static_cast<std::int64_t>(Size);
  for (std::int64_t x = 0; x < nx; ++x)
    for (std::int64_t y = 0; y < ny; ++y)
      std::memcpy(out + x * out_pitch + y * size, in + y * in_pitch + x * size, Size);
}

// Squares in strips that write whole cache lines of 64 bytes; what is left over at two sides plainly.
template <std::size_t Size>
void transpose_sized(const char* in, std::int64_t in_pitch, char* out, std::int64_t out_pitch,
                     std::int64_t nx, std::int64_t ny) {
  if constexpr (Size == 16) {
    transpose_plainly<Size>(in, in_pitch, out, out_pitch, nx, ny);
  } else {
    constexpr auto size = static_cast<std::int64_t>(Size), n = 16 / size, strip = 64 / size;
    const std::int64_t whole_x = nx / n * n, whole_y = ny / n * n;
    for (std::int64_t y0 = 0; y0 < whole_y; y0 += strip) {
      const std::int64_t end = y0 + strip < whole_y ? y0 + strip : whole_y;
      for (std::int64_t x = 0; x < whole_x; x += n)
        for (std::int64_t y = y0; y < end; y += n)
          transpose_square<Size>(in + y * in_pitch + x * size, in_pitch, out + x * out_pitch + y * size,
                                 out_pitch);
    }
    transpose_plainly<Size>(in + whole_x * size, in_pitch, out + whole_x * out_pitch, out_pitch, nx - whole_x,
                            ny);
    transpose_plainly<Size>(in + whole_y * in_pitch, in_pitch, out + whole_y * size, out_pitch, whole_x,
                            ny - whole_y);
  }
}

// --- what a call may be given

std::string name_of(const matrix_bytes& m) {
  return std::to_string(m.extent.x) + " × " + std::to_string(m.extent.y);
}

[[noreturn]] void refuse(const std::string& text) { throw bounds_error("amphi::transpose: " + text); }

void check_matrix(const char* what, const matrix_bytes& m, std::size_t size) {
  if (m.extent.x < 0 || m.extent.y < 0)
    refuse(std::string(what) + " has the extent " + name_of(m) + ", below zero");
  if (m.extent.empty()) return;
  if (m.pitch < m.extent.x)
    refuse(std::string(what) + " has the pitch " + std::to_string(m.pitch) + ", so that its rows of " +
           std::to_string(m.extent.x) + " elements overlap; give a pitch of that or more");
  std::int64_t elements = 0, bytes = 0;
  if (__builtin_mul_overflow(m.pitch, m.extent.y, &elements) ||
      __builtin_mul_overflow(elements, static_cast<std::int64_t>(size), &bytes))
    refuse(std::string(what) + " of " + name_of(m) + " elements of " + std::to_string(size) +
           " bytes, with the pitch " + std::to_string(m.pitch) + ", is larger than any memory");
}

bool rows_meet(std::int64_t first, std::int64_t count, std::int64_t other_first, std::int64_t other_count) {
  return first < other_first + other_count && other_first < first + count;
}

// Do two matrices that are not empty share an element?
bool share_elements(const matrix_bytes& a, const matrix_bytes& b, std::size_t size) {
  const auto length = [&](const matrix_bytes& m) {
    return static_cast<std::uintptr_t>((m.extent.y - 1) * m.pitch + m.extent.x) * size;
  };
  const auto a0 = reinterpret_cast<std::uintptr_t>(a.data), b0 = reinterpret_cast<std::uintptr_t>(b.data);
  if (a0 >= b0 + length(b) || b0 >= a0 + length(a)) return false;
  if (b0 < a0) return share_elements(b, a, size);
  if (a.pitch != b.pitch || (b0 - a0) % size != 0) return true;
  // On the grid of a's rows, b begins at column x of row y; its rows may reach round into the next ones.
  const auto distance = static_cast<std::int64_t>((b0 - a0) / size);
  const std::int64_t x = distance % a.pitch, y = distance / a.pitch;
  return (x < a.extent.x && rows_meet(0, a.extent.y, y, b.extent.y)) ||
         (x + b.extent.x > a.pitch && rows_meet(0, a.extent.y, y + 1, b.extent.y));
}

}  // namespace

bool check_transpose(const matrix_bytes& in, const matrix_bytes& out, std::size_t size) {
  check_matrix("the input", in, size);
  check_matrix("the output", out, size);
  if (out.extent.x != in.extent.y || out.extent.y != in.extent.x)
    refuse("the output is " + name_of(out) + " for an input of " + name_of(in) + "; it must be " +
           std::to_string(in.extent.y) + " × " + std::to_string(in.extent.x));
  if (in.extent.empty()) return false;
  const bool same =
      in.data == out.data && in.extent == out.extent && (in.pitch == out.pitch || in.extent.y == 1);
  if (!same && share_elements(in, out, size))
    refuse("the output overlaps the input; they must lie apart, or be the same square matrix");
  return same;
}

void transpose_bytes(const void* in, std::int64_t in_pitch, void* out, std::int64_t out_pitch,
                     std::int64_t nx, std::int64_t ny, std::size_t size) {
  const char* const from = static_cast<const char*>(in);
  char* const to = static_cast<char*>(out);
  switch (size) {
    case 1:
      return transpose_sized<1>(from, in_pitch, to, out_pitch, nx, ny);
    case 2:
      return transpose_sized<2>(from, in_pitch, to, out_pitch, nx, ny);
    case 4:
      return transpose_sized<4>(from, in_pitch, to, out_pitch, nx, ny);
    case 8:
      return transpose_sized<8>(from, in_pitch, to, out_pitch, nx, ny);
    default:
      return transpose_sized<16>(from, in_pitch, to, out_pitch, nx, ny);
  }
}

}  // namespace amphi::detail
