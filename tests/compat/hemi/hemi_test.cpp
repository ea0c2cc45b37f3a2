// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "hemi/hemi.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "amphi/runtime/backend.hpp"
#include "hemi/array.h"
#include "hemi/kernel.h"
#include "hemi/launch.h"

// Every macro of Hemi is there; those that say which compiler reads the file, as this build has it.
#if !defined(HEMI_VERSION) || !defined(HEMI_LOC_STRING) || !defined(HEMI_LAUNCHABLE) ||                 \
    !defined(HEMI_LAMBDA) || !defined(HEMI_KERNEL_FUNCTION) || !defined(HEMI_DEV_CALLABLE) ||           \
    !defined(HEMI_DEV_CALLABLE_INLINE) || !defined(HEMI_DEV_CALLABLE_MEMBER) ||                         \
    !defined(HEMI_DEV_CALLABLE_INLINE_MEMBER) || !defined(HEMI_KERNEL) || !defined(HEMI_KERNEL_NAME) || \
    !defined(HEMI_KERNEL_LAUNCH) || !defined(HEMI_MEM_DEVICE) || !defined(HEMI_DEFINE_CONSTANT) ||      \
    !defined(HEMI_DEFINE_STATIC_CONSTANT) || !defined(HEMI_DEFINE_EXTERN_CONSTANT) ||                   \
    !defined(HEMI_CONSTANT) || !defined(HEMI_DEV_CONSTANT) || !defined(HEMI_ALIGN) ||                   \
    !defined(HEMI_ARRAY_DEFAULT_LOCATION)
#  error "a macro of Hemi is missing"
#endif
#if defined(HEMI_CUDA_COMPILER) == defined(HEMI_HOST_COMPILER) ||                                  \
    defined(HEMI_CUDA_DISABLE) != !AMPHI_CUDA || defined(HEMI_CUDA_COMPILER) != AMPHI_CUDA_UNIT || \
    defined(HEMI_DEV_CODE) != AMPHI_DEVICE_CODE
#  error "the macros that tell compilers apart are wrong"
#endif

static_assert(HEMI_VERSION == 200000);
static_assert(std::string_view("on " HEMI_LOC_STRING) == (AMPHI_CUDA_UNIT ? "on Device" : "on Host"));

// Constants of all linkages; the external one is defined in the other unit.
typedef double Coefficients[3];
HEMI_DEFINE_CONSTANT(float shared_scale, 1.5f);
HEMI_DEFINE_STATIC_CONSTANT(Coefficients coefficients, {1, 20, 300});
HEMI_DEFINE_STATIC_CONSTANT(const int unused, 4);
#if defined(HEMI_HOST_COMPILER)  // CUDA links device constants between units with -rdc=true only
HEMI_DEFINE_EXTERN_CONSTANT(int offset_elsewhere);
#else
HEMI_DEFINE_STATIC_CONSTANT(int offset_elsewhere, 7);
#endif

HEMI_MEM_DEVICE int device_memory;

namespace {

HEMI_DEV_CALLABLE int polynomial(int x);
HEMI_DEV_CALLABLE_INLINE int coefficient(int i) { return static_cast<int>(HEMI_CONSTANT(coefficients)[i]); }
HEMI_DEV_CALLABLE int polynomial(int x) { return coefficient(0) + x * (coefficient(1) + x * coefficient(2)); }

struct Scaled {
  HEMI_DEV_CALLABLE_INLINE_MEMBER explicit Scaled(float v) : value(v * HEMI_CONSTANT(shared_scale)) {}
  HEMI_DEV_CALLABLE_MEMBER float get() const;
  float value;
};
HEMI_DEV_CALLABLE_MEMBER float Scaled::get() const { return value; }

HEMI_KERNEL_FUNCTION(use, int* x, float* y, int n) {
  for (int i = hemiGetElementOffset(); i < n; i += hemiGetElementStride()) {
    x[i] = polynomial(i) + HEMI_CONSTANT(offset_elsewhere);
    y[i] = Scaled(static_cast<float>(i)).get();
  }
}

TEST(Macros, OneSourceForBothSides) {
  hemi::Array<int> x(100);
  hemi::Array<float> y(100);
  hemi::launch(use(), x.writeOnlyDevicePtr(), y.writeOnlyDevicePtr(), 100);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(x.readOnlyHostPtr()[i], 1 + 20 * i + 300 * i * i + 7);
    EXPECT_EQ(y.readOnlyHostPtr()[i], 1.5f * static_cast<float>(i));
  }
  EXPECT_EQ(polynomial(1), 321);
  EXPECT_EQ(HEMI_CONSTANT(shared_scale), 1.5f);
}

#if defined(HEMI_CUDA_COMPILER)
// On the CPU fallback such a variable is one of the host's, which nvcc warns of.
#  pragma nv_diag_suppress 20091, 20092
#endif
HEMI_KERNEL_FUNCTION(remember, int value, int* out) {
  if (hemiGetElementOffset() != 0) return;
  if (value != 0) device_memory = value;
  *out = device_memory;
}

TEST(Macros, DeviceMemoryOutlivesALaunch) {
  hemi::Array<int> out(1);
  hemi::launch(remember(), 42, out.writeOnlyDevicePtr());
  hemi::launch(remember(), 0, out.writeOnlyDevicePtr());
  EXPECT_EQ(*out.readOnlyHostPtr(), 42);
}

struct HEMI_ALIGN(16) Aligned {
  float x, y, z;
};
struct Holder {
  char c;
  Aligned a;
};
static_assert(alignof(Aligned) == 16 && sizeof(Aligned) == 16 && offsetof(Holder, a) == 16);

HEMI_KERNEL_FUNCTION(layout, int* out) {
  if (hemiGetElementOffset() != 0) return;
  out[0] = static_cast<int>(alignof(Aligned));
  out[1] = static_cast<int>(sizeof(Holder));
}

TEST(Macros, AlignmentIsTheSameOnBothSides) {
  hemi::Array<int> out(2);
  hemi::launch(layout(), out.writeOnlyDevicePtr());
  EXPECT_EQ(out.readOnlyHostPtr()[0], 16);
  EXPECT_EQ(out.readOnlyHostPtr()[1], 32);
}

#if defined(HEMI_CUDA_COMPILER)
TEST(Macros, TheDeviceCopyOfAConstantCanBeWritten) {
  if (amphi::backend_in_use() == amphi::backend::cpu) return;
  const float two = 2;
  EXPECT_EQ(checkCuda(cudaMemcpyToSymbol(HEMI_DEV_CONSTANT(shared_scale), &two, sizeof(two))), cudaSuccess);
  hemi::Array<int> x(4);
  hemi::Array<float> y(4);
  hemi::launch(use(), x.writeOnlyDevicePtr(), y.writeOnlyDevicePtr(), 4);
  EXPECT_EQ(y.readOnlyHostPtr()[3], 6);
  EXPECT_EQ(HEMI_CONSTANT(shared_scale), 1.5f);
  const float back = 1.5f;
  checkCuda(cudaMemcpyToSymbol(HEMI_DEV_CONSTANT(shared_scale), &back, sizeof(back)));
}

TEST(Errors, AFailedCudaCallIsReportedInEveryBuild) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(checkCuda(cudaSuccess), cudaSuccess);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
#  if !defined(DEBUG) && !defined(_DEBUG)
  testing::internal::CaptureStderr();
  EXPECT_EQ(checkCuda(cudaErrorInvalidValue), cudaErrorInvalidValue);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("cudaErrorInvalidValue"), std::string::npos);
#  endif
}
#else
enum SomeError { fine = 0, broken = 2 };

TEST(Errors, AnyErrorCodeCanBeChecked) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(checkCuda(fine), fine);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
#  if !defined(DEBUG) && !defined(_DEBUG)
  testing::internal::CaptureStderr();
  EXPECT_EQ(checkCuda(broken), broken);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("error 2"), std::string::npos);
#  endif
  EXPECT_EQ(checkCudaErrors(), hemi::success);
  EXPECT_EQ(HEMI_DEV_CONSTANT(shared_scale), 1.5f);
}
#endif

TEST(Errors, SynchronizingSaysSuccess) {
  const hemi::Error_t result = hemi::deviceSynchronize();
  EXPECT_EQ(result, hemi::success);
  EXPECT_NE(hemi::cudaError, hemi::success);
  EXPECT_EQ(static_cast<int>(checkCudaErrors()), 0);
}

}  // namespace
