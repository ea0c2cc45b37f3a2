// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "amphi/runtime/policy.hpp"

namespace amphi {

// One launch policy to try, and what a table calls it: {"block", "256", {.block = 256}}.
struct tune_candidate {
  std::string variable;  // what is varied
  std::string value;     // its value
  amphi::policy policy;
};

// Lists in which one variable changes and all else is as in `base`. To choose two variables, vary one, then
// the other on the best of the first:
//   const auto blocks = amphi::tune("saxpy", amphi::vary_block(), run, result);
//   const auto grids = amphi::tune("saxpy", amphi::vary_grid(blocks.best().candidate.policy), run, result);

// 32, 64, 96, 128, 192, 256, 384, 512, 768 and 1024: the blocks that are worth a try.
std::vector<std::int64_t> usual_blocks();

// Blocks of so many threads.
std::vector<tune_candidate> vary_block(const policy& base = {},
                                       const std::vector<std::int64_t>& blocks = usual_blocks());

// The same for a kernel that needs a thread for each of `threads` elements: each block size comes with the
// smallest grid that has them.
std::vector<tune_candidate> vary_block_covering(std::int64_t threads, const policy& base = {},
                                                const std::vector<std::int64_t>& blocks = usual_blocks());

// Grids of 1, 2, 4, … 32 blocks for each multiprocessor of the current device; on the CPU, for each thread
// that can run at once.
std::vector<tune_candidate> vary_grid(const policy& base = {},
                                      const std::vector<std::int64_t>& multiples = {1, 2, 4, 8, 16, 32});

// 1, 2, 3, 4, 6, 8, 12, 16, … workers, up to all that an automatic launch on the CPU would use.
std::vector<tune_candidate> vary_workers(const policy& base = {});

}  // namespace amphi
