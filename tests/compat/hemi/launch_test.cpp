// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "hemi/launch.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "amphi/core/error.hpp"
#include "amphi/runtime/backend.hpp"
#include "hemi/array.h"
#include "hemi/configure.h"
#include "hemi/grid_stride_range.h"

HEMI_LAUNCHABLE void saxpy(int n, float a, float* x, float* y) {
  for (auto i : hemi::grid_stride_range(0, n)) y[i] = a * x[i] + y[i];
}

namespace {

template <class T, class... Arguments>
HEMI_LAUNCHABLE void countArguments(T* count, Arguments...) {
  if (hemi::globalThreadIndex() == 0) *count = static_cast<T>(sizeof...(Arguments));
}

HEMI_LAUNCHABLE void countThreads(int* seen) {
  seen[hemi::globalThreadIndex()] = static_cast<int>(hemi::globalThreadCount());
}

// A function runs where it can; a __global__ one without a GPU is an error that says what to do.
void expect_runs(const std::function<void()>& launch) {
#if defined(HEMI_CUDA_COMPILER)
  if (amphi::backend_in_use() == amphi::backend::cpu) {
    try {
      launch();
      ADD_FAILURE() << "a __global__ function ran without a GPU";
    } catch (const amphi::device_error& e) {
      EXPECT_NE(std::string(e.what()).find("AMPHI_LAUNCHABLE"), std::string::npos) << e.what();
    }
    return;
  }
#endif
  launch();
}

bool functions_run() {
#if defined(HEMI_CUDA_COMPILER)
  return amphi::backend_in_use() == amphi::backend::cuda;
#else
  return true;
#endif
}

TEST(CudaLaunch, ConvertsArguments) {
  const int n = 1 << 20;
  hemi::Array<float> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x.writeOnlyHostPtr()[i] = static_cast<float>(i % 1024);
    y.writeOnlyHostPtr()[i] = 1;
  }
  expect_runs([&] { hemi::cudaLaunch(saxpy, 1 << 20, 2.0, x.devicePtr(), y.devicePtr()); });
  expect_runs([&] {
    hemi::cudaLaunch(hemi::ExecutionPolicy(40, 128, 0), saxpy, x.size(), 1, x.devicePtr(), y.devicePtr());
  });
  hemi::ExecutionPolicy open;
  open.setBlockSize(64);
  expect_runs([&] { hemi::cudaLaunch(open, saxpy, 0, 1, nullptr, nullptr); });
  if (!functions_run()) return;
  for (int i = 0; i < n; ++i) ASSERT_EQ(y.readOnlyHostPtr()[i], 3 * static_cast<float>(i % 1024) + 1);
}

TEST(CudaLaunch, ExactTypesAndTemplates) {
  hemi::Array<int> count(1);
  count.writeOnlyHostPtr()[0] = -1;
  const auto expect_count = [&](int want) {
    if (!functions_run()) return;
    EXPECT_EQ(*count.readOnlyHostPtr(), want);
  };
  int* p = count.devicePtr();
  expect_runs([&] { hemi::cudaLaunch(countArguments<int, int, char>, p, 1, 'c'); });
  expect_count(2);
  p = count.devicePtr();
  expect_runs(
      [&] { hemi::cudaLaunch(countArguments, p, 1, 'c', 2.5); });  // the arguments choose the instance
  expect_count(3);
  p = count.devicePtr();
  expect_runs([&] { hemi::cudaLaunch(hemi::ExecutionPolicy(2, 32, 0), countArguments, p, 1); });
  expect_count(1);
}

TEST(CudaLaunch, KeepsTheGeometry) {
  hemi::Array<int> seen(5 * 96);
  for (int i = 0; i < 5 * 96; ++i) seen.writeOnlyHostPtr()[i] = 0;
  expect_runs([&] { hemi::cudaLaunch(hemi::ExecutionPolicy(5, 96, 0), countThreads, seen.devicePtr()); });
  if (!functions_run()) return;
  for (int i = 0; i < 5 * 96; ++i) EXPECT_EQ(seen.readOnlyHostPtr()[i], 5 * 96);
}

#if defined(HEMI_HOST_COMPILER)
TEST(CudaLaunch, SpreadsOverWorkers) {
  hemi::setHostThreads(3);
  hemi::Array<int> seen(3);
  for (int i = 0; i < 3; ++i) seen.writeOnlyHostPtr()[i] = 0;
  hemi::cudaLaunch(countThreads, seen.hostPtr());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(seen.readOnlyHostPtr()[i], 3);

  hemi::setHostThreads(1);  // one call, as in Hemi, whatever the geometry
  hemi::cudaLaunch(hemi::ExecutionPolicy(5, 96, 0), countThreads, seen.hostPtr());
  EXPECT_EQ(seen.readOnlyHostPtr()[0], 1);
  EXPECT_EQ(seen.readOnlyHostPtr()[1], 3);
  hemi::setHostThreads(0);
}
#endif

// A call operator that is a template and is not const.
struct Counter {
  template <class... Arguments>
  HEMI_DEV_CALLABLE_MEMBER void operator()(int* count, int* block, int* grid, Arguments...) {
    calls += 1;
    *count = static_cast<int>(sizeof...(Arguments)) + calls - 1;
    *block = static_cast<int>(hemi::localThreadCount());
    *grid = static_cast<int>(hemi::globalBlockCount());
  }
  int calls = 0;
};

TEST(Launch, FunctionObjects) {
  hemi::Array<int> count(1), block(1), grid(1);
  hemi::setHostThreads(1);  // all threads write to one place, which is a race with workers
  Counter counter;
  hemi::launch(counter, count.devicePtr(), block.devicePtr(), grid.devicePtr());
  EXPECT_EQ(*count.readOnlyHostPtr(), 0);
  hemi::launch(counter, count.devicePtr(), block.devicePtr(), grid.devicePtr(), 1, 2, 'a', 4.0, "hello");
  EXPECT_EQ(*count.readOnlyHostPtr(), 5);
  EXPECT_GE(*block.readOnlyHostPtr(), 1);
  EXPECT_GE(*grid.readOnlyHostPtr(), 1);
  hemi::setHostThreads(0);
}

HEMI_KERNEL_FUNCTION(fill, float* p, int n, float value) {
  for (int i : hemi::grid_stride_range(0, n)) p[i] = value;
}

TEST(Launch, ArgumentsConvertToTheParameters) {
  hemi::Array<float> x(1000);
  fill f;
  hemi::launch(f, x.writeOnlyPtr(), x.size(), 2);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(x.readOnlyHostPtr()[i], 2);
  hemi::launch(hemi::ExecutionPolicy(2, 32, 0), f, x.writeOnlyPtr(), 500, 3.0);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(x.readOnlyHostPtr()[i], i < 500 ? 3 : 2);
}

void square(float* x, int n) {
  hemi::launch([=] HEMI_LAMBDA() {
    for (auto i : hemi::grid_stride_range(0, n)) x[i] *= x[i];
  });
}

void add(float* x, int n, float by) {
  hemi::launch(
      hemi::ExecutionPolicy(3, 32, 0),
      [=] HEMI_LAMBDA(int times) {
        for (auto i : hemi::grid_stride_range(0, n)) x[i] += static_cast<float>(times) * by;
      },
      2);
}

TEST(Launch, Lambdas) {
  hemi::Array<float> x(1000);
  for (int i = 0; i < 1000; ++i) x.writeOnlyHostPtr()[i] = static_cast<float>(i);
  square(x.ptr(), 1000);
  add(x.ptr(), 1000, 0.5f);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(x.readOnlyHostPtr()[i], static_cast<float>(i * i + 1));
}

// Hemi's own vector class has a copy constructor, which amphi::launch would not take.
struct Pair {
  float a, b;
  HEMI_DEV_CALLABLE_INLINE_MEMBER Pair(float x, float y) : a(x), b(y) {}
  HEMI_DEV_CALLABLE_INLINE_MEMBER Pair(const Pair& p) : a(p.a), b(p.b) {}
};

HEMI_KERNEL_FUNCTION(store, float* out, Pair p) {
  if (hemi::globalThreadIndex() == 0) out[0] = p.a, out[1] = p.b;
}

void store_captured(float* out, Pair p) {
  hemi::launch([=] HEMI_LAMBDA() {
    if (hemi::globalThreadIndex() == 0) out[0] = p.b, out[1] = p.a;
  });
}

TEST(Launch, ArgumentsAndCapturesWithCopyConstructors) {
  hemi::Array<float> x(2);
  hemi::launch(store(), x.writeOnlyDevicePtr(), Pair(1, 2));
  EXPECT_EQ(x.readOnlyHostPtr()[0], 1);
  EXPECT_EQ(x.readOnlyHostPtr()[1], 2);
  store_captured(x.writeOnlyDevicePtr(), Pair(1, 2));
  EXPECT_EQ(x.readOnlyHostPtr()[0], 2);
  EXPECT_EQ(x.readOnlyHostPtr()[1], 1);
}

TEST(Launch, BadGeometryIsAnErrorThatNamesTheKernel) {
  const hemi::ExecutionPolicy too_large(1, 2048, 0);
  try {
    hemi::launch(too_large, fill(), nullptr, 0, 0);
    FAIL();
  } catch (const amphi::launch_error& e) {
    EXPECT_NE(std::string(e.what()).find("fill"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("2048"), std::string::npos) << e.what();
  }
  EXPECT_THROW(hemi::launch(hemi::ExecutionPolicy(1, 32, std::size_t{1} << 20), fill(), nullptr, 0, 0),
               amphi::launch_error);
  EXPECT_THROW(hemi::launch(hemi::ExecutionPolicy(1, -32, 0), fill(), nullptr, 0, 0), amphi::launch_error);
  hemi::launch(fill(), nullptr, 0, 0);  // the next launch is not touched by it
  EXPECT_EQ(hemi::deviceSynchronize(), hemi::success);
}

HEMI_KERNEL(addTo)(int n, float a, float* x) {
  for (int i = hemiGetElementOffset(); i < n; i += hemiGetElementStride()) x[i] += a;
}

HEMI_KERNEL(nothing)() {}

TEST(Kernel, LaunchesWithAGeometry) {
  hemi::Array<float> x(10000);
  for (int i = 0; i < 10000; ++i) x.writeOnlyHostPtr()[i] = static_cast<float>(i);
  const int grid = 13, block = 96;
  HEMI_KERNEL_LAUNCH(addTo, grid, block, 0, 0, 10000, 2.0, x.devicePtr());
  HEMI_KERNEL_LAUNCH(addTo, 1, 1, 16, nullptr, 10000, 1, x.devicePtr());
  HEMI_KERNEL_LAUNCH(nothing, 2, 32, 0, 0);
  for (int i = 0; i < 10000; ++i) EXPECT_EQ(x.readOnlyHostPtr()[i], static_cast<float>(i + 3));
  EXPECT_THROW(HEMI_KERNEL_LAUNCH(addTo, 1, 1025, 0, 0, 0, 0, nullptr), amphi::launch_error);
  EXPECT_THROW(HEMI_KERNEL_LAUNCH(addTo, 0, 32, 0, 0, 0, 0, nullptr), amphi::launch_error);
  EXPECT_NE(HEMI_KERNEL_NAME(addTo), nullptr);
}

#if defined(HEMI_CUDA_COMPILER)
TEST(Kernel, ItsNameIsAGlobalFunction) {
  if (amphi::backend_in_use() == amphi::backend::cpu) return;
  cudaFuncAttributes attributes{};
  EXPECT_EQ(checkCuda(cudaFuncGetAttributes(&attributes, HEMI_KERNEL_NAME(addTo))), cudaSuccess);
  EXPECT_GE(attributes.maxThreadsPerBlock, 32);
  hemi::Array<float> x(100);
  for (int i = 0; i < 100; ++i) x.writeOnlyHostPtr()[i] = 1;
  HEMI_KERNEL_NAME(addTo)<<<2, 64>>>(100, 2.0f, x.devicePtr());
  checkCudaErrors();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(x.readOnlyHostPtr()[i], 3);
}
#endif

TEST(Kernel, OfAFunctionObject) {
#if defined(HEMI_CUDA_COMPILER)
  EXPECT_NE((&hemi::Kernel<fill, float*, int, float>), nullptr);
#else
  float x[3] = {};
  hemi::Kernel(fill(), &x[0], 3, 4.0f);
  EXPECT_EQ(x[2], 4);
#endif
}

TEST(Launch, FromManyThreads) {
  std::vector<std::thread> threads;
  hemi::Array<float> x(16 * 64);
  for (int i = 0; i < 16 * 64; ++i) x.writeOnlyHostPtr()[i] = 0;
  float* p = x.devicePtr();
  for (int t = 0; t < 16; ++t)
    threads.emplace_back([=] {
      for (int k = 1; k <= 50; ++k)
        hemi::launch(hemi::ExecutionPolicy(1, 32, 0), fill(), p + 64 * t, 64, t + k);
    });
  for (auto& t : threads) t.join();
  for (int i = 0; i < 16 * 64; ++i) EXPECT_EQ(x.readOnlyHostPtr()[i], static_cast<float>(i / 64 + 50));
}

#if defined(HEMI_CUDA_COMPILER)
TEST(Configure, FillsInWhatIsOpen) {
  if (amphi::backend_in_use() == amphi::backend::cpu) {
    hemi::ExecutionPolicy p;
    EXPECT_NE(hemi::configureGrid(p, saxpy), cudaSuccess);
    EXPECT_THROW((void)hemi::DevicePropertiesCache::get(), cudaError_t);
    return;
  }
  const int multiprocessors = hemi::DevicePropertiesCache::get().multiProcessorCount;
  hemi::ExecutionPolicy p;
  EXPECT_EQ(hemi::configureGrid(p, saxpy), cudaSuccess);
  EXPECT_EQ(p.getConfigState(), hemi::ExecutionPolicy::FullManual);
  EXPECT_EQ(p.getGridSize() % multiprocessors, 0);
  EXPECT_GE(p.getBlockSize(), 32);
  p = hemi::ExecutionPolicy(7, 64, 0);
  EXPECT_EQ(hemi::configureGrid(p, saxpy), cudaSuccess);
  EXPECT_EQ(p.getGridSize(), 7);
  EXPECT_EQ(p.getBlockSize(), 64);
}
#endif

}  // namespace
