// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "info/openmp.hpp"

#include <dlfcn.h>
#include <omp.h>

namespace info {
namespace {

std::string binding_name(omp_proc_bind_t binding) {
  switch (binding) {
    case omp_proc_bind_false:
      return "false";
    case omp_proc_bind_true:
      return "true";
    case omp_proc_bind_master:
      return "primary";
    case omp_proc_bind_close:
      return "close";
    case omp_proc_bind_spread:
      return "spread";
    default:
      return "unknown";
  }
}

}  // namespace

openmp_runtime openmp() {
  Dl_info where{};
  const bool found = dladdr(dlsym(RTLD_DEFAULT, "omp_get_max_threads"), &where) != 0;
  return {_OPENMP,
          omp_get_max_threads(),
          omp_get_num_procs(),
          omp_get_thread_limit(),
          omp_get_dynamic() != 0,
          binding_name(omp_get_proc_bind()),
          omp_get_num_places(),
          found && where.dli_fname != nullptr ? where.dli_fname : "unknown"};
}

}  // namespace info
