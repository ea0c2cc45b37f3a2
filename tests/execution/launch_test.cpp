// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/execution/launch.hpp"

#include <cstdint>

#include "support/paths.hpp"

using namespace amphi_test;
using amphi::grid_stride_range;

// Launchables of every kind. They do the same, y = a x + y.
namespace kinds {

AMPHI_LAUNCHABLE void plain(int n, float a, const float* x, float* y) {
  for (auto i : grid_stride_range(0, n)) y[i] = a * x[i] + y[i];
}

AMPHI_LAUNCHABLE void no_throw(int n, float a, const float* x, float* y) noexcept { plain(n, a, x, y); }

[[maybe_unused]] static AMPHI_LAUNCHABLE void internal(int n, float a, const float* x, float* y) {
  plain(n, a, x, y);
}

template <class T>
AMPHI_LAUNCHABLE void generic(int n, T a, const T* x, T* y) {
  for (auto i : grid_stride_range(0, n)) y[i] = a * x[i] + y[i];
}

template <class T, int Sign>
AMPHI_LAUNCHABLE T generic_with_result(int n, T a, const T* x, T* y) noexcept {
  generic<T>(n, Sign * a, x, y);
  return a;
}

struct with_static_member {
  AMPHI_LAUNCHABLE static void run(int n, float a, const float* x, float* y) { plain(n, a, x, y); }
};

struct functor {
  int n;
  float a;
  const float* x;
  float* y;
  AMPHI_HOST_DEVICE void operator()() const { plain(n, a, x, y); }
};

struct functor_with_arguments {
  AMPHI_HOST_DEVICE void operator()(int n, float a, const float* x, float* y) const { plain(n, a, x, y); }
};

}  // namespace kinds

namespace {

AMPHI_LAUNCHABLE void hidden(int n, float a, const float* x, float* y) { kinds::plain(n, a, x, y); }

struct vectors {
  explicit vectors(int n) : x(size(n)), y(size(n)), expected(size(n)) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      x.data()[i] = 1.0f / static_cast<float>(i + 1);
      y.data()[i] = static_cast<float>(i % 17);
      expected[i] = 2.5f * x.data()[i] + y.data()[i];
    }
  }
  static std::size_t size(int n) { return static_cast<std::size_t>(n); }
  shared_data<float> x, y;
  std::vector<float> expected;
};

// Runs `launch(policy, n, x, y)` on every path and at every size.
template <class Launch>
void expect_saxpy(const Launch& launch) {
  for (const int n : {0, 1, 33, 257, 100003})
    for (const path& p : all_paths()) {
      SCOPED_TRACE(testing::Message() << p.name << ", n = " << n);
      vectors v(n);
      launch(p.policy, n, v.x.data(), v.y.data());
      ASSERT_TRUE(same_bits(v.y.on_host(), v.expected));
    }
}

void launch_saxpy_lambda(const amphi::policy& p, int n, const float* x, float* y) {
  amphi::launch(p, [=] AMPHI_LAMBDA() {
    for (auto i : grid_stride_range(0, n)) y[i] = 2.5f * x[i] + y[i];
  });
}

void launch_lambda_with_arguments(const amphi::policy& p, int n, const float* x, float* y) {
  amphi::launch(
      p,
      [=] AMPHI_LAMBDA(int count, float a) {
        for (auto i : grid_stride_range(0, count)) y[i] = a * x[i] + y[i];
      },
      n, 2.5f);
}

TEST(launch, runs_a_function) {
  expect_saxpy([](const policy& p, int n, const float* x, float* y) {
    amphi::launch<kinds::plain>(p, n, 2.5f, x, y);
  });
}

TEST(launch, runs_functions_of_every_kind) {
  expect_saxpy([](const policy& p, int n, const float* x, float* y) {
    amphi::launch<kinds::no_throw>(p, n, 2.5f, x, y);
  });
  expect_saxpy([](const policy& p, int n, const float* x, float* y) {
    amphi::launch<kinds::internal>(p, n, 2.5f, x, y);
  });
  expect_saxpy(
      [](const policy& p, int n, const float* x, float* y) { amphi::launch<hidden>(p, n, 2.5f, x, y); });
  expect_saxpy([](const policy& p, int n, const float* x, float* y) {
    amphi::launch<kinds::generic<float>>(p, n, 2.5f, x, y);
  });
  expect_saxpy([](const policy& p, int n, const float* x, float* y) {
    amphi::launch<kinds::generic_with_result<float, -1>>(p, n, -2.5f, x, y);
  });
  expect_saxpy([](const policy& p, int n, const float* x, float* y) {
    amphi::launch<kinds::with_static_member::run>(p, n, 2.5f, x, y);
  });
  expect_saxpy([](const policy& p, int n, const float* x, float* y) {
    amphi::launch<&kinds::plain>(p, n, 2.5f, x, y);
  });
}

TEST(launch, runs_function_objects) {
  expect_saxpy([](const policy& p, int n, const float* x, float* y) {
    amphi::launch(p, kinds::functor{n, 2.5f, x, y});
  });
  expect_saxpy([](const policy& p, int n, const float* x, float* y) {
    amphi::launch(p, kinds::functor_with_arguments{}, n, 2.5f, x, y);
  });
}

TEST(launch, runs_lambdas) {
  expect_saxpy(launch_saxpy_lambda);
  expect_saxpy(launch_lambda_with_arguments);
}

TEST(launch, is_an_ordinary_call_too) {
  vectors v(1000);
  kinds::plain(1000, 2.5f, v.x.data(), v.y.data());
  EXPECT_TRUE(same_bits(v.y.on_host(), v.expected));
}

TEST(launch, converts_arguments_as_a_call_does) {
  const float* const none = nullptr;
  amphi::launch<kinds::plain>(0, 2.5f, none, nullptr);
  amphi::launch<kinds::plain>(amphi::serial, 0, 2.5f, nullptr, nullptr);
  constexpr int n = 1000;
  {
    vectors v(n);
    amphi::launch<kinds::plain>(std::size_t{n}, 2.5, v.x.data(), v.y.data());
    EXPECT_TRUE(same_bits(v.y.on_host(), v.expected));
  }
  {
    vectors v(n);
    const short few = n;
    const double a = 2.5;
    float* x = v.x.data();  // not const
    amphi::launch<kinds::plain>({.grid = 3}, few, a, x, v.y.data());
    EXPECT_TRUE(same_bits(v.y.on_host(), v.expected));
  }
}

TEST(launch, takes_a_policy_in_every_spelling) {
  constexpr int n = 257;
  const auto check = [&](auto&& launch) {
    vectors v(n);
    launch(v.x.data(), v.y.data());
    EXPECT_TRUE(same_bits(v.y.on_host(), v.expected));
  };
  check([=](const float* x, float* y) { amphi::launch<kinds::plain>(n, 2.5f, x, y); });
  check([=](const float* x, float* y) { amphi::launch<kinds::plain>({}, n, 2.5f, x, y); });
  check([=](const float* x, float* y) {
    amphi::launch<kinds::plain>({.grid = 4096, .block = 256}, n, 2.5f, x, y);
  });
  check([=](const float* x, float* y) { amphi::launch<kinds::plain>(amphi::serial, n, 2.5f, x, y); });
  check([=](const float* x, float* y) {
    policy p{.block = 64};
    amphi::launch<kinds::plain>(p, n, 2.5f, x, y);
  });
  check([=](const float* x, float* y) {
    const policy p{.grid = {2, 2}, .block = {4, 4, 4}};
    amphi::launch<kinds::plain>(p, n, 2.5f, x, y);
  });
  check([=](const float* x, float* y) { amphi::launch<kinds::plain>(policy{}, n, 2.5f, x, y); });
  check([=](const float* x, float* y) { amphi::launch(kinds::functor{n, 2.5f, x, y}); });
  check([=](const float* x, float* y) { amphi::launch({.grid = 3}, kinds::functor{n, 2.5f, x, y}); });
  check([=](const float* x, float* y) { amphi::launch(amphi::serial, kinds::functor{n, 2.5f, x, y}); });
  check([=](const float* x, float* y) {
    policy p;
    const kinds::functor body{n, 2.5f, x, y};
    amphi::launch(p, body);
  });
  check([=](const float* x, float* y) {
    kinds::functor_with_arguments body;
    amphi::launch(body, n, 2.5f, x, y);
  });
}

// Each thread has its own copy of the body and of the arguments.
struct counts_itself {
  int calls;
  int* out;
  AMPHI_HOST_DEVICE void operator()() { out[amphi::global_thread_index()] = ++calls; }  // not const
};

AMPHI_LAUNCHABLE void counts_its_argument(int calls, int* out) {
  out[amphi::global_thread_index()] = ++calls;
}

TEST(launch, gives_each_thread_its_own_copies) {
  for (const backend where : {backend::automatic, backend::cpu}) {
    const policy p{.grid = 3, .block = 50, .backend = where};
    shared_data<int> out(150);
    counts_itself body{41, out.data()};
    amphi::launch(p, body);
    EXPECT_TRUE(same_bits(out.on_host(), std::vector<int>(150, 42)));
    EXPECT_EQ(body.calls, 41);
    amphi::launch<counts_its_argument>(p, 6, out.data());
    EXPECT_TRUE(same_bits(out.on_host(), std::vector<int>(150, 7)));
  }
}

AMPHI_LAUNCHABLE void do_nothing() {}

TEST(launch, does_a_thousand_empty_launches) {
  for (int i = 0; i < 1000; ++i) amphi::launch<do_nothing>();
  for (int i = 0; i < 1000; ++i) amphi::launch<do_nothing>({.grid = 3, .block = 32});
  amphi::synchronize();
}

// Arguments up to the limit of 32764 bytes arrive whole.
template <int Bytes>
struct large_body {
  unsigned char bytes[Bytes];
  unsigned* out;
  AMPHI_HOST_DEVICE void operator()() const {
    unsigned sum = 0;
    for (unsigned char b : bytes) sum += b;
    out[amphi::global_thread_index()] = sum;
  }
};

template <int Bytes>
void expect_arrives() {
  shared_data<unsigned> out(6);
  large_body<Bytes> body{};
  unsigned expected = 0;
  for (int i = 0; i < Bytes; ++i) expected += body.bytes[i] = static_cast<unsigned char>(i * 7 + 1);
  body.out = out.data();
  amphi::launch({.grid = 2, .block = 3}, body);
  EXPECT_TRUE(same_bits(out.on_host(), std::vector<unsigned>(6, expected))) << Bytes << " bytes";
}

TEST(launch, carries_large_captures) {
  expect_arrives<1>();
  expect_arrives<3000>();
  expect_arrives<4000>();
  expect_arrives<4096>();
  expect_arrives<4200>();
  expect_arrives<32744>();
}

#if !AMPHI_CUDA_UNIT  // nvcc would compile these bodies for the device
// A launch from inside a launch runs on the calling thread, and leaves the outer one as it was.
struct nested {
  int inner, inner_block;
  unsigned* counts;
  int* wrong;
  void operator()() const {
    const auto thread = amphi::thread_index(), block = amphi::block_index();
    const auto rank = amphi::global_thread_index();
    unsigned* mine = counts + rank * inner;
    const auto body = [this, mine] {
      for (auto i : grid_stride_range(0, inner)) ++mine[i];
    };
    if (inner_block == 0) {
      amphi::launch(body);
    } else {
      amphi::launch({.grid = 3, .block = inner_block}, body);
    }
    if (amphi::thread_index() != thread || amphi::block_index() != block ||
        amphi::global_thread_index() != rank)
      __atomic_fetch_add(wrong, 1, __ATOMIC_RELAXED);
  }
};

TEST(launch, may_be_nested_on_the_cpu) {
  constexpr int inner = 100;
  for (const path& p : cpu_paths())
    for (const int inner_block : {0, 1, 32}) {
      SCOPED_TRACE(testing::Message() << p.name << ", inner block " << inner_block);
      std::vector<unsigned> counts(3072 * inner, 0u);
      int wrong = 0;
      amphi::launch(p.policy, nested{inner, inner_block, counts.data(), &wrong});
      EXPECT_EQ(wrong, 0);
      std::size_t ran = 0;
      while (ran < 3072 && counts[ran * inner] != 0) ++ran;
      std::vector<unsigned> expected(3072 * inner, 0u);
      std::fill(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(ran * inner), 1u);
      EXPECT_TRUE(same_bits(counts, expected));
      if (!p.policy.grid.is_automatic() && !p.policy.block.is_automatic()) {
        EXPECT_EQ(ran, static_cast<std::size_t>(p.policy.grid.size() * p.policy.block.size()));
      }
    }
}
#endif

}  // namespace
