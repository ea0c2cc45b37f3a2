// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/algorithm/for_each_soa.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "amphi/core/vector.hpp"
#include "amphi/memory/soa.hpp"
#include "support/paths.hpp"

namespace {

template <template <class> class F>
struct star_fields {
  F<float> mass, x, y, z;
  F<amphi::vec3<float>> velocity;
  F<unsigned> visits;
};
using star = star_fields<amphi::as_value>;

// Field by field; for elements of an array of structures too.
struct drift {
  float dt;
  template <class Star>
  AMPHI_HOST_DEVICE void operator()(Star&& s) const {
    s.x += dt * s.velocity.x;
    s.y += dt * s.velocity.y;
    s.z += dt * s.velocity.z;
    s.visits += 1;
  }
};
// As a whole.
struct drift_copy {
  float dt;
  AMPHI_HOST_DEVICE void operator()(amphi::soa_reference<star> s) const {
    star copy = s;
    drift{dt}(copy);
    s = copy;
  }
};
// Reads only.
struct add_up {
  unsigned* visits;
  AMPHI_HOST_DEVICE void operator()(const star& s) const {
    for (unsigned i = 0; i < s.visits; ++i) amphi_test::count_visit(visits);
  }
};

star number(int i) {
  const auto x = static_cast<float>(i);
  return {1, x, -x, 0.5f, {1, 2, x}, 0};
}

TEST(for_each_soa, visits_each_element_once) {
  for (const int n : {0, 1, 33, 1000, 10007}) {
    std::vector<star> expected;
    for (int i = 0; i < n; ++i) {
      expected.push_back(number(i));
      for (int k = 0; k < 2; ++k) {
        star& s = expected.back();
        s.x += 0.25f, s.y += 0.25f * 2, s.z += 0.25f * static_cast<float>(i);
        s.visits += 1;
      }
    }
    for (const amphi_test::path& path : amphi_test::all_paths()) {
      SCOPED_TRACE(path.name + ", n = " + std::to_string(n));
      amphi::soa<star> stars(n);
      const amphi::soa_view<star> start = stars.host_write();
      for (int i = 0; i < n; ++i) start[i] = number(i);
      amphi::for_each(path.policy, stars.read_write(path.policy), drift{0.25f});
      amphi::for_each(path.policy, stars.read_write(path.policy), drift_copy{0.25f});
      amphi_test::shared_data<unsigned> visits(1, 0u);
      amphi::for_each(path.policy, stars.read(path.policy), add_up{visits.data()});
      std::vector<star> got(static_cast<std::size_t>(n));
      stars.copy_to(got);
      ASSERT_TRUE(amphi_test::same_bits(got, expected));
      ASSERT_EQ(visits.on_host()[0], 2u * static_cast<unsigned>(n));
    }
  }
}

struct count {
  unsigned* visits;
  AMPHI_HOST_DEVICE void operator()(amphi::soa_reference<const star>) const {
    amphi_test::count_visit(visits);
  }
};

TEST(for_each_soa, needs_no_policy) {
  const amphi::soa<star> stars(100, number(3));
  amphi_test::shared_data<unsigned> visits(1, 0u);
  amphi::for_each(stars.read(), count{visits.data()});
  EXPECT_EQ(visits.on_host()[0], 100u);
}

}  // namespace
