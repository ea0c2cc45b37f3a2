// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace example {

// Writes an image of width x height pixels, three bytes each (red, green, blue), as a PNG file without
// compression, so that no library is needed.
class png_file {
 public:
  png_file(const std::string& name, std::uint32_t width, std::uint32_t height, const unsigned char* pixels) {
    all_ = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    bytes header;
    put32(header, width);
    put32(header, height);
    header.insert(header.end(), {8, 2, 0, 0, 0});  // 8 bits, three colours
    chunk("IHDR", header);
    chunk("IDAT", stored(width, height, pixels));
    chunk("IEND", {});
    std::FILE* out = std::fopen(name.c_str(), "wb");
    if (out == nullptr) throw std::runtime_error("can't write " + name);
    const bool written = std::fwrite(all_.data(), 1, all_.size(), out) == all_.size();
    if (std::fclose(out) != 0 || !written) throw std::runtime_error("can't write all of " + name);
  }

 private:
  using bytes = std::vector<unsigned char>;

  static void put(bytes& to, unsigned char c) { to.push_back(c); }
  static void put32(bytes& to, std::uint32_t v) {
    for (int shift = 24; shift >= 0; shift -= 8) put(to, static_cast<unsigned char>(v >> shift));
  }

  // A zlib stream of blocks that are not compressed. Each row begins with a filter's number, 0 for none.
  static bytes stored(std::uint32_t width, std::uint32_t height, const unsigned char* pixels) {
    bytes rows;
    const std::size_t row = std::size_t{3} * width;
    for (std::uint32_t y = 0; y < height; ++y) {
      put(rows, 0);
      rows.insert(rows.end(), pixels + y * row, pixels + (y + 1) * row);
    }
    bytes z = {0x78, 0x01};
    std::uint32_t a = 1, b = 0;
    for (std::size_t at = 0; at < rows.size();) {
      const std::size_t n = rows.size() - at < 65535 ? rows.size() - at : 65535;
      put(z, at + n == rows.size() ? 1 : 0);
      for (const std::size_t v : {n, ~n}) {
        put(z, static_cast<unsigned char>(v));
        put(z, static_cast<unsigned char>(v >> 8));
      }
      for (const std::size_t end = at + n; at < end; ++at) {
        put(z, rows[at]);
        a = (a + rows[at]) % 65521;
        b = (b + a) % 65521;
      }
    }
    put32(z, b << 16 | a);
    return z;
  }

  void chunk(const char* type, const bytes& data) {
    put32(all_, static_cast<std::uint32_t>(data.size()));
    const std::size_t begin = all_.size();
    for (int i = 0; i < 4; ++i) put(all_, static_cast<unsigned char>(type[i]));
    all_.insert(all_.end(), data.begin(), data.end());
    std::uint32_t crc = 0xffffffffu;
    for (std::size_t i = begin; i < all_.size(); ++i) {
      crc ^= all_[i];
      for (int k = 0; k < 8; ++k) crc = (crc & 1u) != 0 ? 0xedb88320u ^ crc >> 1 : crc >> 1;
    }
    put32(all_, ~crc);
  }

  bytes all_;
};

}  // namespace example
