// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <iosfwd>
#include <string>
#include <type_traits>
#include <vector>

#include "amphi/core/error.hpp"
#include "amphi/core/view.hpp"
#include "amphi/runtime/device.hpp"
#include "amphi/runtime/policy.hpp"
#include "amphi/verify/floating_point_report.hpp"

// verify runs a computation on every path of this build and compares the results by bits:
//
//   const auto report = amphi::verify([&](const amphi::policy& p) {
//     amphi::array<float> y(n);
//     amphi::launch<my_kernel>(p, n, x.read(p), y.write(p));
//     return std::vector<float>(y.host_read().begin(), y.host_read().end());   // a copy on the host
//   });
//   if (!report.identical()) std::cout << report;

namespace amphi {

// One way to run: a name and the policy that asks for it.
struct verify_path {
  std::string name;
  amphi::policy policy;
};

// The paths of this build and machine: on the CPU serial, with 1, 2, 3 and 7 workers, in exact geometries
// with threads in forward, reverse and random order; on a GPU in use also automatic, <<<1,1>>> and several
// geometries.
std::vector<verify_path> verify_paths();

// What came of one path.
struct verify_row {
  enum class outcome { same, different, refused, failed };

  verify_path path;
  outcome result = outcome::same;
  double milliseconds = 0;      // of the whole computation, its copies included
  std::size_t elements = 0;     // of the result
  std::size_t differences = 0;  // elements whose bits differ from the first path's
  std::size_t first = 0;        // index of the first of them
  std::string detail;           // both values, their bits and distance; or the error's text
};

class verify_report {
 public:
  // Has every path that ran the same bits, and did none fail? A path is refused, which is no fault, when the
  // computation can't have its geometry (launch_error).
  bool identical() const;

  const std::vector<verify_row>& rows() const { return rows_; }
  // How this unit and the machine do floating-point arithmetic.
  const floating_point_findings& floating_point() const { return floating_point_; }

  // A line per path, then the first difference of each path that has one, then faults of the arithmetic.
  std::string text() const;

  // Used by verify().
  struct element {
    enum class kind { bytes, floating, signed_integer, unsigned_integer } type;
    std::size_t size;
  };
  explicit verify_report(floating_point_findings f) : floating_point_(f) {}
  void add(const verify_path& path, double milliseconds, const void* data, std::size_t count, element type);
  void add_error(const verify_path& path, bool refused, const char* what);

 private:
  std::vector<verify_row> rows_;
  std::vector<unsigned char> reference_;
  std::size_t reference_count_ = 0;
  bool has_reference_ = false;
  std::string reference_name_;
  floating_point_findings floating_point_;
};

std::ostream& operator<<(std::ostream& out, const verify_report& report);

namespace detail {

template <class T>
constexpr verify_report::element element_kind() {
  using kind = verify_report::element::kind;
  const kind k = std::is_floating_point_v<T> ? kind::floating
                 : !std::is_integral_v<T>    ? kind::bytes
                 : std::is_signed_v<T>       ? kind::signed_integer
                                             : kind::unsigned_integer;
  return {k, sizeof(T)};
}

template <class R>
void add_result(verify_report& report, const verify_path& path, double milliseconds, R& result) {
  if constexpr (requires { view(result); }) {
    const auto v = view(result);
    using T = typename decltype(v)::value_type;
    static_assert(std::is_trivially_copyable_v<T>, "amphi: verify compares elements that are plain data");
    report.add(path, milliseconds, v.data(), v.size(), element_kind<T>());
  } else {
    static_assert(
        std::is_trivially_copyable_v<R>,
        "amphi: what verify's computation gives must be plain data, or a container of it, on the host");
    report.add(path, milliseconds, &result, 1, element_kind<R>());
  }
}

}  // namespace detail

// Runs the computation once on each path. It is given the policy, which it must pass to all that it launches,
// and returns a host copy of its result: a container, or one value. The first path is what the others are
// compared with. Padding in elements counts as bits.
template <class Computation>
[[maybe_unused]] static verify_report verify(const std::vector<verify_path>& paths,
                                             Computation&& computation) {
  static_assert(std::is_invocable_v<Computation&, const policy&>,
                "amphi: verify's computation takes a const amphi::policy&");
  static_assert(!std::is_void_v<std::invoke_result_t<Computation&, const policy&>>,
                "amphi: verify's computation must return its result, a copy on the host");
  verify_report report(floating_point_report());
  for (const verify_path& path : paths) {
    try {
      const auto start = std::chrono::steady_clock::now();
      auto result = computation(path.policy);
      const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
      detail::add_result(report, path, time.count(), result);
    } catch (const launch_error& e) {
      report.add_error(path, true, e.what());
    } catch (const std::exception& e) {
      report.add_error(path, false, e.what());
    } catch (...) {
      report.add_error(path, false, "an exception that is no std::exception");
    }
  }
  return report;
}

template <class Computation>
[[maybe_unused]] static verify_report verify(Computation&& computation) {
  return verify(verify_paths(), computation);
}

}  // namespace amphi
