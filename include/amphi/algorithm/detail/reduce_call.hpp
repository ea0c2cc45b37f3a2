// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/compiled.hpp"
#include "amphi/algorithm/detail/reduce_kernel.hpp"

// A reduction over any source, by value or into memory: what reduce and all that stands on it share.

namespace amphi::detail {

template <class Source, class F>
using mapped = std::remove_cvref_t<decltype(std::declval<const Source&>().at(0, std::declval<F&>()))>;

template <class T, class Source, class Out, class Op, class F>
void run_reduce(const char* name, const policy& p, const Source& source, std::int64_t n, Out* out,
                const T& init, const Op& op, const F& f);
template <class T, class Source, class Op, class F>
T run_reduce_value(const char* name, const policy& p, const Source& source, std::int64_t n, const T& init,
                   const Op& op, const F& f);
#if !AMPHI_CUDA || AMPHI_CUDA_UNIT
template <class T, class Source, class Out, class Op, class F>
void run_reduce(const char* name, const policy& p, const Source& source, std::int64_t n, Out* out,
                const T& init, const Op& op, const F& f) {
  const algorithm_plan plan = plan_algorithm(name, p, reduce_kernel::threads);
  const int rows = reduce_rows(n);
  const scratch s(name, plan, reduce_scratch_bytes<T>(n, rows), sizeof(unsigned));
  reduce_elements<T>(plan, source, n, out, init, op, f, s, rows);
}

template <class T, class Source, class Op, class F>
T run_reduce_value(const char* name, const policy& p, const Source& source, std::int64_t n, const T& init,
                   const Op& op, const F& f) {
  const algorithm_plan plan = plan_algorithm(name, p, reduce_kernel::threads);
  refuse_capture(name, plan);
  const int rows = reduce_rows(n);
  const scratch s(name, plan, reduce_scratch_bytes<T>(n, rows), sizeof(unsigned), sizeof(T));
  T* const result = static_cast<T*>(s.result());
  reduce_elements<T>(plan, source, n, result, init, op, f, s, rows);
  s.wait();
  return *result;
}
#endif

template <class T, class Source, class Out, class Op, class F>
void reduce_to(const char* name, const policy& p, const Source& source, std::int64_t n, Out* out,
               const T& init, const Op& op, const F& f) {
  check_accumulator<mapped<Source, F>, T>();
  check_unit_or_library<is_compiled_reduction<T, Source, Op, F> && std::is_same_v<Out, T>, Source, Op, F>();
  run_reduce<T>(name, p, source, n, out, init, as_compiled<T>(op), f);
}

template <class T, class Source, class Op, class F>
T reduce_value(const char* name, const policy& p, const Source& source, std::int64_t n, const T& init,
               const Op& op, const F& f) {
  check_accumulator<mapped<Source, F>, T>();
  check_unit_or_library<is_compiled_reduction<T, Source, Op, F>, Source, Op, F>();
  return n == 0 ? init : run_reduce_value<T>(name, p, source, n, init, as_compiled<T>(op), f);
}

// Two inputs of one size as one source.
template <class In0, class In1>
std::int64_t common_count(const char* name, In0& in0, In1& in1) {
  const std::int64_t n = count_of(name, in0), m = count_of(name, in1);
  if (n != m)
    throw_too_small(name, "an input", static_cast<std::uint64_t>(n < m ? n : m),
                    static_cast<std::uint64_t>(n < m ? m : n));
  return n;
}

}  // namespace amphi::detail
