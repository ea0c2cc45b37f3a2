// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/backend.hpp"

#include <unistd.h>

#include <cstdio>
#include <string>

#include "amphi/core/error.hpp"
#include "amphi/runtime/settings.hpp"
#include "common/backend.hpp"

namespace amphi {
namespace {

// One line per process, so that nobody takes a CPU run for a GPU run.
void say_that_the_cpu_runs(const char* reason) {
  char host[256] = "unknown host";
  (void)gethostname(host, sizeof(host) - 1);
  std::fprintf(stderr, "amphi: running on the CPU (host %s, process %ld): %s\n", host,
               static_cast<long>(getpid()), reason);
}

[[noreturn]] void throw_no_gpu(const char* who_asked) {
  throw device_error(std::string(who_asked) +
                     ", but this process can't use a GPU: " + detail::cuda_unavailable_reason());
}

backend choose() {
  const backend wanted = current_settings().backend;
  if constexpr (!AMPHI_CUDA) {
    if (wanted == backend::cuda) throw_no_gpu("AMPHI_BACKEND=cuda is set");
    return backend::cpu;
  }
  if (wanted == backend::cpu) {
    say_that_the_cpu_runs("AMPHI_BACKEND=cpu is set");
    return backend::cpu;
  }
  const char* reason = detail::cuda_unavailable_reason();
  if (reason == nullptr) return backend::cuda;
  if (wanted == backend::cuda) throw_no_gpu("AMPHI_BACKEND=cuda is set");
  say_that_the_cpu_runs(reason);
  return backend::cpu;
}

}  // namespace

backend backend_in_use() {
  static const backend chosen = choose();
  return chosen;
}

backend resolve(backend requested) {
  if (requested == backend::automatic) return backend_in_use();
  if (requested == backend::cpu || current_settings().backend == backend::cpu) return backend::cpu;
  if (backend_in_use() != backend::cuda) throw_no_gpu("backend::cuda was asked for");
  return backend::cuda;
}

const char* name(backend b) {
  switch (b) {
    case backend::cuda:
      return "cuda";
    case backend::cpu:
      return "cpu";
    case backend::automatic:
      break;
  }
  return "automatic";
}

}  // namespace amphi
