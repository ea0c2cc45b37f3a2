// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
//
// layout: the same work on the same numbers, arranged in memory in different ways. A GPU fetches 32 bytes at
// least, and a warp is fast when its threads want neighbours; a CPU fetches 64, and is fast when they fill a
// vector. GB/s counts the bytes that the work needs, so what is fetched in vain shows. All results are
// compared, bit by bit, with serial loops.

#include <cstdint>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "amphi/algorithm/for_each.hpp"
#include "amphi/algorithm/for_each_soa.hpp"
#include "amphi/core/vector.hpp"
#include "amphi/execution/parallel_for.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/memory/array2.hpp"
#include "amphi/memory/soa.hpp"
#include "amphi/runtime/device.hpp"
#include "common/command_line.hpp"
#include "common/median_time.hpp"
#include "common/same_bits.hpp"

namespace {

using amphi::vec3;
using amphi::vec4;

// A particle: 28 bytes, as an array of structures and, by the same fields, as a structure of arrays.
template <template <class> class F>
struct particle_fields {
  F<float> x, y, z, vx, vy, vz, mass;
};
using particle = particle_fields<amphi::as_value>;

// The same in vectors: vec3 has 12 bytes and the alignment of a float, vec4 16 bytes that move at once.
template <template <class> class F>
struct vec3_fields {
  F<vec3<float>> position, velocity;
  F<float> mass;
};
using vec3_particle = vec3_fields<amphi::as_value>;

template <template <class> class F>
struct vec4_fields {
  F<vec4<float>> position, velocity;  // position.w is the mass, velocity.w nothing
};
using vec4_particle = vec4_fields<amphi::as_value>;

// 32 bytes that start at a multiple of 16: four bytes are wasted so that it moves as two vectors.
struct alignas(16) aligned_particle {
  float x, y, z, mass, vx, vy, vz, unused;
};

// --- the work, once for all layouts: an element of an array of structures, or of a structure of arrays

// Needs position and velocity, writes the position: 36 bytes.
struct drift {
  float dt;
  template <class Particle>
  AMPHI_HOST_DEVICE void operator()(Particle&& p) const {
    if constexpr (requires { p.position; }) {
      auto position = p.position;
      position.x += dt * p.velocity.x;
      position.y += dt * p.velocity.y;
      position.z += dt * p.velocity.z;
      p.position = position;
    } else {
      p.x += dt * p.vx;
      p.y += dt * p.vy;
      p.z += dt * p.vz;
    }
  }
};

// Needs one number of each particle: 8 bytes.
struct lose_mass {
  float rate;
  template <class Particle>
  AMPHI_HOST_DEVICE void operator()(Particle&& p) const {
    p.mass -= rate * p.mass;
  }
};

struct scale {
  float factor;
  template <class V>
  AMPHI_HOST_DEVICE void operator()(V& v) const {
    V scaled = v;
    scaled.x *= factor, scaled.y *= factor, scaled.z *= factor;
    v = scaled;
  }
};

struct alignas(16) aligned_three {
  float x, y, z;
};

// --- who reads what

// Neighbouring threads, which have neighbouring rows, read elements `stride` apart; all columns together are
// each element once.
AMPHI_LAUNCHABLE void read_strided(std::int64_t row, std::int64_t column, std::int64_t rows,
                                   std::int64_t stride, const float* in, float* out) {
  out[column * rows + row] = 2.0f * in[row * stride + column];
}
AMPHI_LAUNCHABLE void read_neighbours(std::int64_t i, const float* in, float* out) { out[i] = 2.0f * in[i]; }

AMPHI_LAUNCHABLE void smooth_row(std::int64_t x, std::int64_t y, amphi::view2<const float> in,
                                 amphi::view2<float> out) {
  out(x, y) =
      0.5f * in(x, y) + 0.25f * (in(x == 0 ? 0 : x - 1, y) + in(x + 1 == in.extent().x ? x : x + 1, y));
}

// --- numbers

float number(std::int64_t i, unsigned field) {
  const std::uint32_t random = (static_cast<std::uint32_t>(i) * 8 + field) * 2654435761u >> 8;
  return static_cast<float>(random) / static_cast<float>(1 << 24) - 0.5f;
}

particle start(std::int64_t i) {
  return {number(i, 0), number(i, 1), number(i, 2), number(i, 3), number(i, 4), number(i, 5), number(i, 6)};
}

// Between a particle and the types that hold it otherwise.
template <class P>
P from_particle(const particle& p) {
  if constexpr (std::is_same_v<P, vec3_particle>) {
    return {{p.x, p.y, p.z}, {p.vx, p.vy, p.vz}, p.mass};
  } else if constexpr (std::is_same_v<P, vec4_particle>) {
    return {{p.x, p.y, p.z, p.mass}, {p.vx, p.vy, p.vz, 0}};
  } else if constexpr (std::is_same_v<P, aligned_particle>) {
    return {p.x, p.y, p.z, p.mass, p.vx, p.vy, p.vz, 0};
  } else {
    return p;
  }
}
template <class P>
particle to_particle(const P& p) {
  if constexpr (std::is_same_v<P, vec3_particle>) {
    return {p.position.x, p.position.y, p.position.z, p.velocity.x, p.velocity.y, p.velocity.z, p.mass};
  } else if constexpr (std::is_same_v<P, vec4_particle>) {
    return {p.position.x, p.position.y, p.position.z, p.velocity.x, p.velocity.y, p.velocity.z, p.position.w};
  } else if constexpr (std::is_same_v<P, aligned_particle>) {
    return {p.x, p.y, p.z, p.vx, p.vy, p.vz, p.mass};
  } else {
    return p;
  }
}

class table {
 public:
  table(std::int64_t n, int runs, amphi::policy p) : n_(n), runs_(runs), policy_(p) {}

  void section(const char* title) {
    first_ = 0;
    std::printf("\n%-46s %10s %9s %9s  %s\n", title, "ms", "GB/s", "to first", "result");
  }

  // `launch` does the work once; `check` compares the result of the first time.
  template <class Launch, class Check>
  void row(const char* name, double bytes, Launch launch, Check check) {
    launch();
    const bool right = check();
    good_ &= right;
    const double ms = example::median_milliseconds(runs_, launch);
    if (first_ == 0) first_ = ms;
    std::printf("  %-44s %10.4f %9.1f %9.2f  %s\n", name, ms, 1e-6 * bytes / ms, first_ / ms,
                right ? "right" : "WRONG");
    std::fflush(stdout);
  }

  // The same particles in an array of structures or a structure of arrays, `Owner`.
  template <class Owner, class Work>
  void particles(const char* name, double bytes, Work work) {
    using P = typename Owner::value_type;
    Owner owner(n_);
    const auto all = owner.host_write();
    for (std::int64_t i = 0; i < n_; ++i) all[i] = from_particle<P>(start(i));
    row(
        name, bytes * static_cast<double>(n_),
        [&] { amphi::for_each(policy_, owner.read_write(policy_), work); },
        [&] {
          const auto result = owner.host_read();
          std::vector<float> got, expected;
          const auto append = [](std::vector<float>& to, const particle& p) {
            to.insert(to.end(), {p.x, p.y, p.z, p.vx, p.vy, p.vz, p.mass});
          };
          for (std::int64_t i = 0; i < n_; ++i) {
            particle p = start(i);
            work(p);
            append(expected, p);
            append(got, to_particle<P>(result[i]));
          }
          return example::same_bits<float>(name, expected, got);
        });
  }

  void access() {
    section("y[i] = 2 x[…]");
    for (const std::int64_t stride : {1, 2, 4, 8, 16, 32, 64}) {
      const std::int64_t rows = n_ / stride, used = rows * stride;
      amphi::array<float> in(n_), out(n_);
      const auto x = in.host_write();
      for (std::int64_t i = 0; i < n_; ++i) x[i] = number(i, 0);
      const std::string name = stride == 1 ? "coalesced: threads read neighbours"
                                           : "strided: " + std::to_string(stride) + " elements apart";
      row(
          name.c_str(), 8.0 * static_cast<double>(used),
          [&] {
            const float* const from = in.read(policy_);
            float* const to = out.write(policy_);
            if (stride == 1) {
              amphi::parallel_for<read_neighbours>(policy_, 0, used, from, to);
            } else {
              amphi::parallel_for<read_strided>(policy_, amphi::extent2{rows, stride}, rows, stride, from,
                                                to);
            }
          },
          [&] {
            std::vector<float> expected(static_cast<std::size_t>(used));
            for (std::int64_t column = 0, i = 0; column < stride; ++column)
              for (std::int64_t row = 0; row < rows; ++row)
                expected[static_cast<std::size_t>(i++)] = 2.0f * number(row * stride + column, 0);
            return example::same_bits<float>(name.c_str(), expected,
                                             {out.host_read().data(), static_cast<std::size_t>(used)});
          });
    }
  }

  template <class V>
  void three_numbers(const char* name) {
    amphi::array<V> v(n_);
    const auto all = v.host_write();
    for (std::int64_t i = 0; i < n_; ++i) {
      all[i] = V{};
      all[i].x = number(i, 0), all[i].y = number(i, 1), all[i].z = number(i, 2);
    }
    row(
        name, 24.0 * static_cast<double>(n_),
        [&] { amphi::for_each(policy_, v.read_write(policy_), scale{1.5f}); },
        [&] {
          std::vector<float> got, expected;
          for (const V& u : v.host_read()) got.insert(got.end(), {u.x, u.y, u.z});
          for (std::int64_t i = 0; i < n_; ++i)
            for (unsigned field = 0; field < 3; ++field) expected.push_back(1.5f * number(i, field));
          return example::same_bits<float>(name, expected, got);
        });
  }

  void rows_of_picture(const char* name, std::int64_t nx, bool padded) {
    const amphi::extent2 size{nx, n_ < nx ? 1 : n_ / nx};
    const auto make = [&] {
      return padded ? amphi::array2<float>(size) : amphi::array2<float>::with_pitch(size, nx);
    };
    amphi::array2<float> in = make(), out = make();
    const amphi::view2<float> start = in.host_write();
    for (std::int64_t y = 0; y < size.y; ++y)
      for (std::int64_t x = 0; x < nx; ++x) start(x, y) = number(y * nx + x, 0);
    row(
        name, 8.0 * static_cast<double>(size.size()),
        [&] { amphi::parallel_for<smooth_row>(policy_, size, in.read(policy_), out.write(policy_)); },
        [&] {
          std::vector<float> got(static_cast<std::size_t>(size.size())), expected;
          out.copy_to({got.data(), size});
          for (std::int64_t y = 0; y < size.y; ++y)
            for (std::int64_t x = 0; x < nx; ++x) {
              const auto at = [&](std::int64_t i) {
                return number(y * nx + (i < 0 ? 0 : i < nx ? i : nx - 1), 0);
              };
              expected.push_back(0.5f * at(x) + 0.25f * (at(x - 1) + at(x + 1)));
            }
          return example::same_bits<float>(name, expected, got);
        });
  }

  bool run() {
    access();

    section("x += dt v, 36 bytes a particle");
    particles<amphi::array<particle>>("array of structures, 28 bytes", 36, drift{0.25f});
    particles<amphi::array<aligned_particle>>("array of structures, 32 bytes, aligned to 16", 36,
                                              drift{0.25f});
    particles<amphi::soa<particle>>("structure of arrays of float", 36, drift{0.25f});
    particles<amphi::soa<vec3_particle>>("structure of arrays of vec3", 36, drift{0.25f});
    particles<amphi::soa<vec4_particle>>("structure of arrays of vec4", 36, drift{0.25f});

    section("m -= rate m, 8 bytes a particle");
    particles<amphi::array<particle>>("array of structures, 28 bytes", 8, lose_mass{0.125f});
    particles<amphi::array<aligned_particle>>("array of structures, 32 bytes, aligned to 16", 8,
                                              lose_mass{0.125f});
    particles<amphi::soa<particle>>("structure of arrays of float", 8, lose_mass{0.125f});

    section("v *= 1.5, three floats, 24 bytes");
    three_numbers<vec3<float>>("float3: vec3, 12 bytes");
    three_numbers<vec4<float>>("float4: vec4, 16 bytes, one unused float");
    three_numbers<aligned_three>("struct of three floats, aligned to 16");

    section("rows of 1001 floats, smoothed");
    rows_of_picture("dense: each row starts where the last one ends", 1001, false);
    rows_of_picture("array2: rows start at multiples of 128 bytes", 1001, true);
    return good_;
  }

 private:
  std::int64_t n_;
  int runs_;
  amphi::policy policy_;
  double first_ = 0;
  bool good_ = true;
};

}  // namespace

int main(int argc, char** argv) try {
  const bool gpu = amphi::backend_in_use() == amphi::backend::cuda;
  example::command_line options(argc, argv,
                                "time and bandwidth of layouts: coalesced, strided, AoS, SoA, vectors");
  const auto n = options.number("--n", gpu ? 1 << 24 : 1 << 22, 64, 1 << 28, "elements");
  const auto runs = options.number("--runs", 11, 1, 1000, "runs of each row; the median counts");
  options.finish();

  const amphi::device_properties device = amphi::properties_of_current_device();
  std::printf("%lld elements, %s (%s)\n", static_cast<long long>(n), device.name,
              amphi::name(amphi::backend_in_use()));
  bool good = table(n, static_cast<int>(runs), {}).run();
  if (gpu) {
    std::printf("\nThe same on the CPU:\n");
    good &= table(n, static_cast<int>(runs), {.backend = amphi::backend::cpu}).run();
  }
  return good ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
