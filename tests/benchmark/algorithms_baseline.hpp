// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

// What amphi's algorithms are measured against on a GPU. T is float, double, std::int32_t or std::int64_t.

struct CUstream_st;

namespace baseline {

// algorithms_cub.cpp: CUB, with its temporary storage allocated beforehand.
class cub_storage {
 public:
  cub_storage() = default;
  ~cub_storage();
  cub_storage(const cub_storage&) = delete;
  cub_storage& operator=(const cub_storage&) = delete;

  template <class T>
  void sum(const T* x, T* out, std::int64_t n, CUstream_st* s = nullptr);
  template <class T>
  void scan(const T* x, T* y, std::int64_t n, CUstream_st* s = nullptr);

 private:
  void* reserve(std::size_t bytes);
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};
void cub_saxpy(std::int64_t n, float a, const float* x, float* y);
void cuda_copy(void* to, const void* from, std::int64_t bytes);

}  // namespace baseline
