// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace info {

// The OpenMP runtime of this process, whose threads are the workers of launches on the CPU.
struct openmp_runtime {
  int version;  // as _OPENMP has it: year and month of the specification
  int max_threads, processors, thread_limit;
  bool dynamic;
  std::string binding;  // OMP_PROC_BIND as understood
  int places;
  std::string library;  // file
};

openmp_runtime openmp();

}  // namespace info
