#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause
#
# What a translation unit with one saxpy costs to compile, and how large its object is: raw OpenMP or CUDA, amphi's launch
# header, and the umbrella. Compilations are interleaved; CPU seconds, medians.
# usage: compile_time.sh [runs=7]   (CXX and NVCC choose the compilers; without nvcc its rows are left out)
set -euo pipefail
runs=${1:-7}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cxx=${CXX:-g++}
nvcc=${NVCC:-$(command -v nvcc || true)}

cat >"$work/raw_openmp.cpp" <<'CPP'
void saxpy(int n, float a, const float* x, float* y) {
#pragma omp parallel for simd
  for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}
CPP
cat >"$work/raw_cuda.cu" <<'CPP'
__global__ void kernel(int n, float a, const float* x, float* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = a * x[i] + y[i];
}
void saxpy(int n, float a, const float* x, float* y) { kernel<<<132 * 8, 256>>>(n, a, x, y); }
CPP
for header in execution/launch amphi; do
  cat >"$work/$(basename $header).cpp" <<CPP
#include "amphi/$header.hpp"
AMPHI_LAUNCHABLE void saxpy_kernel(int n, float a, const float* x, float* y) {
  for (auto i : amphi::grid_stride_range(0, n)) y[i] = a * x[i] + y[i];
}
void saxpy(int n, float a, const float* x, float* y) { amphi::launch<saxpy_kernel>(n, a, x, y); }
CPP
  cp "$work/$(basename $header).cpp" "$work/$(basename $header).cu"
done

host=("$cxx" -std=c++20 -O3 -ffp-contract=off -fopenmp "-I$root/include")
device=("$nvcc" -std=c++20 -O3 -arch=sm_90 --fmad=false --extended-lambda --expt-relaxed-constexpr -DAMPHI_CUDA=1 "-I$root/include")

seconds() {  # CPU seconds of a command
  local TIMEFORMAT='%U %S'
  { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{print $1 + $2}'
}
table() {  # title, baseline, units…; the compiler call stands in "call"
  local title=$1 base=$2 unit
  shift 2
  printf '\n%s\n%-24s %12s %8s %14s\n' "$title" unit 'CPU seconds' ratio 'object bytes'
  for ((r = 0; r < runs; ++r)); do
    for unit in "$base" "$@"; do seconds "${call[@]}" -c "$work/$unit" -o "$work/$unit.o" >>"$work/$unit.times"; done
  done
  local median first
  for unit in "$base" "$@"; do
    median=$(sort -n "$work/$unit.times" | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}')
    [ "$unit" = "$base" ] && first=$median
    printf '%-24s %12.3f %8.2f %14d\n' "$unit" "$median" "$(awk "BEGIN {print $median / $first}")" "$(stat -c %s "$work/$unit.o")"
  done
}

call=("${host[@]}")
table "$("$cxx" --version | head -n 1)" raw_openmp.cpp launch.cpp amphi.cpp
if [ -n "$nvcc" ]; then
  call=("${device[@]}")
  table "$("$nvcc" --version | grep release)" raw_cuda.cu launch.cu amphi.cu
fi
