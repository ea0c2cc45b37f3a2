// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "amphi/core/error.hpp"
#include "amphi/core/integer.hpp"
#include "amphi/tune/candidates.hpp"
#include "common/cpu_launch.hpp"
#include "common/host.hpp"
#include "common/tune.hpp"

namespace amphi {
namespace {

// The candidates' values, each as a policy that `set` makes of `base`.
template <class Set>
std::vector<tune_candidate> vary(const char* variable, const policy& base,
                                 const std::vector<std::int64_t>& values, Set set) {
  std::vector<tune_candidate> candidates;
  for (const std::int64_t v : values) {
    tune_candidate c{variable, "", base};
    c.value = std::to_string(set(c.policy, v));
    candidates.push_back(std::move(c));
  }
  return candidates;
}

}  // namespace

std::vector<std::int64_t> usual_blocks() { return {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024}; }

std::vector<tune_candidate> vary_block(const policy& base, const std::vector<std::int64_t>& blocks) {
  return vary("block", base, blocks, [](policy& p, std::int64_t block) {
    p.block = block;
    return block;
  });
}

std::vector<tune_candidate> vary_block_covering(std::int64_t threads, const policy& base,
                                                const std::vector<std::int64_t>& blocks) {
  if (threads < 1)
    throw bounds_error("vary_block_covering: a grid is asked for " + std::to_string(threads) +
                       " threads, it must be 1 or more");
  return vary("block", base, blocks, [threads](policy& p, std::int64_t block) {
    p.block = block;
    p.grid = block > 0 ? ceil_div(threads, block) : 1;  // a bad block is refused by its launch
    return block;
  });
}

std::vector<tune_candidate> vary_grid(const policy& base, const std::vector<std::int64_t>& multiples) {
  const std::int64_t processors = device_of_policy(base).multiprocessors;
  return vary("grid", base, multiples, [processors](policy& p, std::int64_t multiple) {
    std::int64_t blocks = 0;
    if (__builtin_mul_overflow(multiple, processors, &blocks))
      throw bounds_error("vary_grid: " + std::to_string(multiple) + " times " + std::to_string(processors) +
                         " blocks are more than 64 bits can count");
    p.grid = blocks;
    return blocks;
  });
}

std::vector<tune_candidate> vary_workers(const policy& base) {
  const std::int64_t most = detail::available_workers();
  std::vector<std::int64_t> values;
  for (std::int64_t power = 1; power < most; power *= 2) {
    values.push_back(power);
    if (power > 1 && power / 2 * 3 < most) values.push_back(power / 2 * 3);
  }
  values.push_back(most);
  return vary("workers", base, values, [](policy& p, std::int64_t workers) {
    p.workers = workers;
    return workers;
  });
}

device_properties detail::properties_of_policy(const policy& p) {
  if (resolve(p.backend) != backend::cuda) return host_properties();
  const int of_stream = device_of(p.stream);
  return properties_of(of_stream >= 0 ? of_stream : current_device());
}

tune_device device_of_policy(const policy& p) {
  const device_properties d = detail::properties_of_policy(p);
  const backend where = resolve(p.backend);
  return {d.name, where == backend::cuda ? d.limits.compute_capability : 0, where, d.multiprocessors};
}

std::string tune_device::text() const {
  if (backend == amphi::backend::cuda) return name + " (sm_" + std::to_string(compute_capability) + ")";
  return name + " (" + std::to_string(multiprocessors) + " threads)";
}

}  // namespace amphi
