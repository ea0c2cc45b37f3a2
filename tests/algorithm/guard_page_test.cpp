// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "amphi/algorithm/copy.hpp"
#include "amphi/algorithm/copy_if.hpp"
#include "amphi/algorithm/gather.hpp"
#include "amphi/algorithm/histogram.hpp"
#include "amphi/algorithm/min_max_element.hpp"
#include "amphi/algorithm/partition.hpp"
#include "amphi/algorithm/reduce.hpp"
#include "amphi/algorithm/scan.hpp"
#include "amphi/algorithm/scatter_plan.hpp"
#include "amphi/algorithm/segmented_reduce.hpp"
#include "amphi/algorithm/sort.hpp"
#include "amphi/algorithm/transform.hpp"
#include "amphi/algorithm/transpose.hpp"
#include "amphi/algorithm/unique.hpp"
#include "support/paths.hpp"

// No algorithm reads or writes outside of its ranges: each of them ends at a page that nobody may touch, or
// begins behind one. Such a read ends the program.

namespace {

using namespace amphi_test;

template <class T>
class guarded {
 public:
  guarded(std::size_t n, bool at_end) : n_(n) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t inside = (n * sizeof(T) + page - 1) / page * page;
    bytes_ = inside + 2 * page;
    void* const all = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    memory_ = static_cast<char*>(all);
    mprotect(memory_, page, PROT_NONE);
    mprotect(memory_ + page + inside, page, PROT_NONE);
    data_ = reinterpret_cast<T*>(memory_ + page + (at_end ? inside - n * sizeof(T) : 0));
  }
  ~guarded() { munmap(memory_, bytes_); }
  guarded(const guarded&) = delete;
  guarded& operator=(const guarded&) = delete;
  amphi::view<T> view() const { return {data_, n_}; }
  T* begin() const { return data_; }
  T* end() const { return data_ + n_; }

 private:
  std::size_t n_, bytes_;
  char* memory_;
  T* data_;
};

struct is_even {
  template <class T>
  AMPHI_HOST_DEVICE bool operator()(const T& v) const {
    return static_cast<int>(v) % 2 == 0;
  }
};
struct twice {
  template <class T>
  AMPHI_HOST_DEVICE T operator()(const T& v) const {
    return static_cast<T>(v + v);
  }
};
struct sum_of {
  template <class T>
  AMPHI_HOST_DEVICE T operator()(const T& a, const T& b) const {
    return static_cast<T>(a + b);
  }
};
struct as_number {
  template <class T>
  AMPHI_HOST_DEVICE std::int64_t operator()(const T& v) const {
    return static_cast<std::int64_t>(v);
  }
};
struct is_larger {
  template <class T>
  AMPHI_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return b < a;
  }
};
// The bin of a value.
struct tenth {
  template <class T>
  AMPHI_HOST_DEVICE int operator()(const T& v) const {
    return static_cast<int>(v) % 10;
  }
};

template <class T>
void stays_inside(const policy& p, int n, bool at_end) {
  const auto count = static_cast<std::size_t>(n);
  guarded<T> in(count, at_end), out(count, at_end);
  guarded<std::int64_t> offsets(count + 1, at_end), sums(10, at_end);
  guarded<std::uint8_t> bins(count, at_end);
  guarded<int> order(count, at_end);
  for (int i = 0; i < n; ++i) {
    in.begin()[i] = static_cast<T>(i * 7 % 100);
    bins.begin()[i] = static_cast<std::uint8_t>(i % 10);
    order.begin()[i] = n - 1 - i;
  }
  const std::vector<T> x(in.begin(), in.end());
  const auto evens = std::count_if(x.begin(), x.end(), is_even());
  const auto sum = std::accumulate(x.begin(), x.end(), std::int64_t{0},
                                   [](std::int64_t a, T b) { return a + static_cast<std::int64_t>(b); });

  amphi::copy(p, in.view(), out.view());
  EXPECT_TRUE(std::equal(out.begin(), out.end(), x.begin()));
  amphi::transform(p, in.view(), in.view(), out.view(), sum_of());
  EXPECT_TRUE(std::equal(out.begin(), out.end(), x.begin(), [](T a, T b) { return a == twice()(b); }));
  amphi::gather(p, in.view(), order.view(), out.view());
  EXPECT_TRUE(std::equal(out.begin(), out.end(), x.rbegin()));
  EXPECT_EQ(amphi::reduce(p, in.view(), std::int64_t{0}, amphi::plus{}, as_number()), sum);
  EXPECT_EQ(amphi::min_element(p, in.view()).index, n == 0 ? -1 : 0);
  // n counts become n + 1 offsets.
  amphi::exclusive_scan(p, bins.view(), offsets.view().subview(0, n), std::int64_t{0}, amphi::plus{},
                        offsets.begin() + n);
  EXPECT_EQ(offsets.begin()[n], std::accumulate(bins.begin(), bins.end(), std::int64_t{0}));
  amphi::inclusive_scan(p, in.view(), out.view(), amphi::maximum{});
  EXPECT_TRUE(n == 0 || out.end()[-1] == *std::max_element(x.begin(), x.end()));
  EXPECT_EQ(amphi::copy_if(p, in.view(), out.view(), is_even()), evens);
  EXPECT_EQ(amphi::partition(p, in.view(), out.view(), is_even()), evens);
  EXPECT_EQ(amphi::unique(p, in.view(), out.view()), n);
  amphi::histogram(p, in.view(), sums.view(), tenth());
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), std::int64_t{0}), n);
  const amphi::scatter_plan plan(p, bins.view(), 10);
  plan.reduce(p, in.view(), sums.view(), std::int64_t{0}, amphi::plus{}, as_number());
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), std::int64_t{0}), sum);
  for (int i = 0; i <= n; ++i) offsets.begin()[i] = i;
  amphi::segmented_reduce(p, in.view(), offsets.view(), out.view(), T(), amphi::maximum{});
  EXPECT_TRUE(std::equal(out.begin(), out.end(), x.begin()));
  if (n > 0) {
    amphi::transpose(p, amphi::view2<const T>(in.begin(), {n, 1}), amphi::view2<T>(out.begin(), {1, n}));
    EXPECT_TRUE(std::equal(out.begin(), out.end(), x.begin()));
  }
  amphi::sort_by_key(p, out.view(), order.view());
  EXPECT_TRUE(std::is_sorted(out.begin(), out.end()));
  amphi::sort(p, in.view(), is_larger());
  EXPECT_TRUE(std::is_sorted(in.begin(), in.end(), is_larger()));
}

TEST(algorithms, touch_nothing_outside_their_ranges) {
  for (const bool at_end : {true, false})
    for (const int n : {0, 1, 7, 31, 64, 65, 257, 1023, 4097, 40001})
      for (const policy& p : {policy{.backend = backend::cpu}, policy{.backend = backend::cpu, .workers = 1},
                              policy{.backend = backend::cpu, .workers = 3}}) {
        SCOPED_TRACE(n);
        stays_inside<std::uint8_t>(p, n, at_end);
        stays_inside<std::int16_t>(p, n, at_end);
        stays_inside<float>(p, n, at_end);
        stays_inside<double>(p, n, at_end);
      }
}

}  // namespace
