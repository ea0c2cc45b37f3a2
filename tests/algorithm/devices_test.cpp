// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <thread>

#include "algorithm/reference.hpp"
#include "amphi/algorithm/reduce.hpp"
#include "amphi/algorithm/scan.hpp"
#include "amphi/algorithm/scatter_plan.hpp"
#include "amphi/algorithm/segmented_reduce.hpp"
#include "amphi/algorithm/sort.hpp"
#include "amphi/core/error.hpp"
#include "amphi/core/expects.hpp"
#include "amphi/execution/parallel_for.hpp"
#include "amphi/memory/constant.hpp"
#include "amphi/runtime/graph.hpp"
#include "support/paths.hpp"

// Every device of the machine, while another one is current where there are several; the CPU where there is
// none.

namespace {

using namespace amphi_test;

AMPHI_CONSTANT(weights, float[4]);

// Makes a device current for as long as it lives.
class use_device {
 public:
  explicit use_device(int device) : before_(amphi::current_device()) {
    if (device >= 0) amphi::set_device(device);
  }
  ~use_device() {
    if (before_ >= 0) amphi::set_device(before_);
  }
  use_device(const use_device&) = delete;
  use_device& operator=(const use_device&) = delete;

 private:
  int before_;
};

std::vector<int> devices() {
  std::vector<int> all;
  for (int d = 0; d < amphi::device_count(); ++d) all.push_back(d);
  if (all.empty()) all.push_back(-1);
  return all;
}

// The next device, which is the same one where there is one only.
int other_than(int device) { return device < 0 ? device : (device + 1) % amphi::device_count(); }

amphi::stream stream_of(int device) {
  const use_device d(device);
  return amphi::stream();
}

constexpr int n = 200003, bin_count = 40, segment = 1000;

// Computes with everything that keeps something for a device: scratch memory, attributes of kernels, CUB.
struct results {
  float sum = 0;
  std::vector<float> scanned, sorted, segments;
  std::vector<double> bins;
};

results expected(const std::vector<float>& x) {
  results r;
  r.sum = reference::reduce(x, 1.0f, amphi::plus{});
  r.scanned = reference::scan(x, {}, amphi::plus{}).inclusive;
  r.sorted = x;
  std::stable_sort(r.sorted.begin(), r.sorted.end());
  for (int first = 0; first < n; first += segment)
    r.segments.push_back(
        reference::reduce(std::vector<float>(x.begin() + first, x.begin() + std::min(n, first + segment)),
                          0.0f, amphi::plus{}));
  std::vector<std::vector<double>> lists(bin_count);
  for (int i = 0; i < n; ++i)
    lists[static_cast<std::size_t>(i * 7 % bin_count)].push_back(x[static_cast<std::size_t>(i)]);
  for (const std::vector<double>& l : lists) r.bins.push_back(reference::reduce(l, 0.0, amphi::plus{}));
  return r;
}

results compute(const policy& p, const std::vector<float>& values) {
  const std::int64_t segments = (n + segment - 1) / segment;
  shared_data<float> x(values), scanned(n), sorted(values), out(static_cast<std::size_t>(segments));
  shared_data<int> bins(n), offsets(static_cast<std::size_t>(segments) + 1);
  shared_data<double> sums(bin_count);
  for (int i = 0; i < n; ++i) bins.data()[i] = i * 7 % bin_count;
  for (int s = 0; s <= segments; ++s) offsets.data()[s] = std::min(n, s * segment);
  const amphi::view xs(x.data(), n);
  results r;
  r.sum = amphi::reduce(p, xs, 1.0f, amphi::plus{});
  amphi::inclusive_scan(p, xs, amphi::view(scanned.data(), n));
  amphi::sort(p, amphi::view(sorted.data(), n));
  amphi::segmented_reduce(p, xs, amphi::view(offsets.data(), segments + 1), amphi::view(out.data(), segments),
                          0.0f, amphi::plus{});
  const amphi::scatter_plan plan(p, amphi::view(bins.data(), n), bin_count);
  plan.reduce(p, xs, amphi::view(sums.data(), bin_count), 0.0, amphi::plus{});
  p.stream.synchronize();
  r.scanned.assign(scanned.data(), scanned.data() + n);
  r.sorted.assign(sorted.data(), sorted.data() + n);
  r.segments.assign(out.data(), out.data() + segments);
  r.bins.assign(sums.data(), sums.data() + bin_count);
  return r;
}

void compare(const results& got, const results& right) {
  EXPECT_TRUE(same_bits<float>({got.sum}, {right.sum}));
  EXPECT_TRUE(same_bits(got.scanned, right.scanned));
  EXPECT_TRUE(same_bits(got.sorted, right.sorted));
  EXPECT_TRUE(same_bits(got.segments, right.segments));
  EXPECT_TRUE(same_bits(got.bins, right.bins));
}

TEST(devices, compute_the_same_bits_while_another_is_current) {
  const auto values = reference::values<float>(n);
  const results right = expected(values);
  for (const int device : devices()) {
    SCOPED_TRACE(device);
    const amphi::stream s = stream_of(device);
    const use_device current(other_than(device));
    compare(compute({.stream = s}, values), right);
    EXPECT_EQ(amphi::current_device(), other_than(device));
  }
}

TEST(devices, refuse_the_plan_of_another) {
  if (amphi::device_count() < 2) GTEST_SKIP() << "needs two GPUs";
  const amphi::stream s = stream_of(1);
  shared_data<int> bins(100, 3);
  shared_data<float> x(100, 1.0f), out(4);
  const amphi::scatter_plan plan({.stream = s}, amphi::view(bins.data(), 100), 4);
  const auto sum = [&] {
    plan.reduce(policy{}, amphi::view(x.data(), 100), amphi::view(out.data(), 4), 0.0f, amphi::plus{});
  };
  EXPECT_TRUE(says(message_of<amphi::device_error>(sum), {"scatter_plan", "device 1", "device 0"}));
  const use_device current(1);
  sum();
  EXPECT_EQ(out.on_host()[3], 100.0f);
}

TEST(devices, compute_for_host_threads_of_their_own) {
  const auto values = reference::values<float>(n);
  const results right = expected(values);
  std::vector<results> got(2 * devices().size());
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < got.size(); ++t)
    threads.emplace_back([&, t] {
      const int device = devices()[t / 2];
      if (device >= 0) amphi::set_device(device);
      const amphi::stream s;
      for (int round = 0; round < 3; ++round) got[t] = compute({.stream = s}, values);
    });
  for (std::thread& t : threads) t.join();
  for (const results& r : got) compare(r, right);
}

struct weigh {
  float* to;
  AMPHI_HOST_DEVICE void operator()(int i) const { to[i] = static_cast<float>(i) * weights[i % 4]; }
};

void replay_on_each_device() {
  for (const int device : devices()) {
    SCOPED_TRACE(device);
    const amphi::stream s = stream_of(device);
    const use_device current(other_than(device));
    shared_data<float> x(100), sum(1);
    const amphi::graph g = s.capture([&] {
      amphi::parallel_for({.stream = s}, 0, 100, weigh{x.data()});
      amphi::reduce_into({.stream = s}, amphi::view(x.data(), 100), sum.data(), 0.0f, amphi::plus{});
    });
    for (const float scale : {1.0f, 2.0f}) {
      const std::vector<float> scaled = {scale, 2 * scale, 3 * scale, 4 * scale};
      amphi::copy_to_constant(weights, scaled);
      g.replay();
      s.synchronize();
      // Of the numbers below 100, those of remainder r by 4 have the sum 1200 + 25 r.
      EXPECT_EQ(sum.data()[0], scale * (1 * 1200 + 2 * 1225 + 3 * 1250 + 4 * 1275));
    }
  }
}
TEST(devices, replay_graphs_and_have_constants_of_their_own) { replay_on_each_device(); }

struct must_be_small {
  AMPHI_HOST_DEVICE void operator()(int i) const { AMPHI_EXPECTS(i < 50, "the index must be small"); }
};

TEST(devices, fail_alone) {
  for (const int device : devices()) {
    SCOPED_TRACE(device);
    const amphi::stream s = stream_of(device), neighbour = stream_of(other_than(device));
    const use_device current(other_than(device));
    const std::string text = message_of<amphi::bounds_error>([&] {
      amphi::parallel_for({.stream = s}, 0, 100, must_be_small{});
      s.synchronize();
    });
    EXPECT_TRUE(says(text, {"the index must be small"}));
    EXPECT_NO_THROW(neighbour.synchronize());
    for (const amphi::stream* on : {&s, &neighbour}) {
      shared_data<float> x(50, 2.0f);
      EXPECT_EQ(amphi::reduce({.stream = *on}, amphi::view(x.data(), 50), 0.0f, amphi::plus{}), 100.0f);
    }
  }
}

}  // namespace
