// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// A unit of a program that was written for Hemi.
#include "hemi/hemi.h"
#include "hemi/grid_stride_range.h"
#include "hemi/launch.h"

HEMI_LAUNCHABLE void saxpy_of_hemi(int n, float a, float* x, float* y) {
  for (auto i : hemi::grid_stride_range(0, n)) y[i] = a * x[i] + y[i];
}

void run_saxpy_of_hemi(int n, float* x, float* y) { hemi::cudaLaunch(saxpy_of_hemi, n, 2.0, x, y); }
