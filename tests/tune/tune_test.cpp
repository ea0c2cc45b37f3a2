// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/tune/tune.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <stdexcept>

#include "amphi/core/error.hpp"
#include "amphi/core/integer.hpp"
#include "amphi/execution/launch.hpp"
#include "amphi/memory/array.hpp"
#include "support/paths.hpp"
#include "tune/with_tuning_file.hpp"

using namespace amphi_test;
using amphi::extent3;
using outcome = amphi::tune_row::outcome;

namespace {

AMPHI_LAUNCHABLE void doubled(int n, const float* x, float* y) {
  for (const int i : amphi::grid_stride_range(0, n)) y[i] = 2.0f * x[i];
}

// A sum of the launch's own making: its bits depend on the number of threads.
AMPHI_LAUNCHABLE void count_threads(int* out) {
  if (amphi::global_thread_index() == 0) *out = static_cast<int>(amphi::global_thread_count());
}

// A clock that tells what each block size takes: samples in turn, the first one is the trial.
struct fabricated_clock {
  std::map<std::int64_t, std::vector<double>> samples;
  std::map<std::int64_t, std::vector<int>> calls;

  double operator()(const amphi::policy& p, int n, const std::function<void()>& run) {
    std::vector<int>& before = calls[p.block.x];
    const std::vector<double>& times = samples.at(p.block.x);
    const double each = times.at(before.size());
    before.push_back(n);
    for (int i = 0; i < n; ++i) run();
    return each * n;
  }
};

amphi::tune_timer use(fabricated_clock& clock) {
  return
      [&clock](const amphi::policy& p, int n, const std::function<void()>& run) { return clock(p, n, run); };
}

void nothing(const amphi::policy&) {}

std::vector<std::string> values(const amphi::tune_report& r) {
  std::vector<std::string> out;
  for (const auto& row : r.rows) out.push_back(row.candidate.value);
  return out;
}

TEST(tune, median_of_an_odd_number_of_samples_and_the_least_of_all) {
  // trial, two warm-ups, five samples
  fabricated_clock clock{
      {{64, {9, 1, 1, 5, 3, 4, 100, 2}}, {32, {9, 1, 1, 2, 8, 7, 6, 3}}, {96, {9, 1, 1, 4, 4, 4, 4, 4}}}, {}};
  const auto report = amphi::tune("k", amphi::vary_block({}, {64, 32, 96}), nothing,
                                  {.bytes = 8e6, .runs = 5, .timer = use(clock)});
  EXPECT_EQ(values(report), (std::vector<std::string>{"64", "32", "96"})) << "in the order of the candidates";
  EXPECT_EQ(report.rows[0].milliseconds, 4);  // 2 3 4 5 100
  EXPECT_EQ(report.rows[1].milliseconds, 6);  // 2 3 6 7 8
  EXPECT_EQ(report.rows[2].milliseconds, 4);
  EXPECT_EQ(report.rows[0].low, 3);
  EXPECT_EQ(report.rows[0].high, 5);
  EXPECT_EQ(report.winner, 0u) << "of equal ones the first";
  EXPECT_EQ(report.rows[0].gigabytes_per_second, 2);  // 8e6 bytes in 4 ms
  EXPECT_TRUE(says(report.rows[0].note, {"fastest"}));
  EXPECT_TRUE(says(report.rows[2].note, {"as fast, within the spread"}));
  EXPECT_TRUE(says(report.rows[1].note, {"as fast, within the spread"}));  // its quartile 3 … 7 reaches 3 … 5
  for (const auto& [block, calls] : clock.calls)
    EXPECT_EQ(calls, std::vector<int>(8, 1)) << "a run is longer than a sample";
}

TEST(tune, median_of_an_even_number_of_samples) {
  fabricated_clock clock{{{32, {1, 4, 1, 3, 100}}, {64, {1, 7, 8, 9, 10}}}, {}};
  const auto report = amphi::tune("k", amphi::vary_block({}, {32, 64}), nothing,
                                  {.runs = 4, .warm_up = 0, .timer = use(clock)});
  EXPECT_EQ(report.rows[0].milliseconds, 3.5);
  EXPECT_EQ(report.rows[1].milliseconds, 8.5);
  EXPECT_EQ(report.rows[0].gigabytes_per_second, 0) << "no bytes were counted";
  EXPECT_EQ(report.best().candidate.value, "32");
  EXPECT_EQ(report.rows[1].note.find("fast"), std::string::npos);
}

TEST(tune, short_runs_are_repeated_within_a_sample) {
  fabricated_clock clock{{{32, {0.04, 0.04, 0.04, 0.04}}, {64, {0, 0, 0, 0}}}, {}};
  int runs = 0;
  const auto report = amphi::tune("k", amphi::vary_block({}, {32, 64}), [&](const amphi::policy&) { ++runs; },
                                  {.runs = 2, .warm_up = 1, .sample_milliseconds = 0.5, .timer = use(clock)});
  EXPECT_EQ(clock.calls[32], (std::vector<int>{1, 13, 13, 13}));  // 0.5 / 0.04 = 12.5
  EXPECT_EQ(clock.calls[64], (std::vector<int>{1, 1000, 1000, 1000})) << "no clock can tell: not for ever";
  EXPECT_EQ(runs, 40 + 3001);
  EXPECT_DOUBLE_EQ(report.rows[0].milliseconds, 0.04);
}

TEST(tune, other_bits_are_named_and_can_not_win) {
  fabricated_clock clock{{{32, {1, 3}}, {64, {1, 2}}, {96, {1, 1}}}, {}};
  const auto report = amphi::tune("k", amphi::vary_block({}, {32, 64, 96}), nothing,
                                  [](const amphi::policy& p) {
                                    return std::vector<float>{1.0f, p.block.x == 96 ? -0.0f : 0.0f};
                                  },
                                  {.runs = 1, .warm_up = 0, .timer = use(clock)});
  EXPECT_TRUE(report.compared);
  EXPECT_FALSE(report.identical());
  EXPECT_EQ(report.rows[2].result, outcome::different);
  EXPECT_EQ(report.rows[2].milliseconds, 1) << "measured all the same";
  EXPECT_TRUE(
      says(report.rows[2].note, {"DIFFERS", "element 1", "block 32 gave 0 (0x00000000)", "0x80000000"}));
  EXPECT_EQ(report.best().candidate.value, "64");
  EXPECT_TRUE(says(report.text(), {"NOT all candidates"}));
}

TEST(tune, what_can_not_be_launched_is_a_row_with_its_reason) {
  shared_data<float> x(1000, 1.5f), y(1000, 0.0f);
  const auto run = [&](const amphi::policy& p) { amphi::launch<doubled>(p, 1000, x.data(), y.data()); };
  const auto result = [&](const amphi::policy& p) {
    run(p);
    return y.on_host();
  };
  auto candidates = amphi::vary_block({.grid = 3}, {2048, 0, -5, 100});
  candidates.push_back({"grid", "1x65536", {.grid = {1, 65536}, .block = 32}});
  candidates.push_back({"shared", "1 MB", {.grid = 1, .block = 32, .shared_bytes = 1 << 20}});
  const auto report = amphi::tune("doubled", candidates, run, result, {.runs = 1});
  ASSERT_EQ(report.rows.size(), 6u);
  for (const std::size_t i : {0u, 1u, 2u, 4u, 5u}) {
    EXPECT_EQ(report.rows[i].result, outcome::refused) << i;
    EXPECT_TRUE(says(report.rows[i].note, {"does not fit: ", "doubled"}));
  }
  EXPECT_TRUE(says(report.rows[0].note, {"block.x is 2048", "1024"}));
  EXPECT_TRUE(says(report.rows[1].note, {"block.x is 0"}));
  EXPECT_TRUE(says(report.rows[4].note, {"65536", "65535"}));
  EXPECT_EQ(report.best().candidate.value, "100");
  EXPECT_TRUE(report.identical());
}

TEST(tune, other_errors_are_rows_too) {
  const auto report = amphi::tune("k", amphi::vary_block({}, {32, 64}),
                                  [](const amphi::policy& p) {
                                    if (p.block.x == 32) throw std::runtime_error("no more paper");
                                  },
                                  {.runs = 1});
  EXPECT_EQ(report.rows[0].result, outcome::failed);
  EXPECT_TRUE(says(report.rows[0].note, {"failed: no more paper"}));
  EXPECT_EQ(report.best().candidate.value, "64");
  EXPECT_FALSE(report.identical());

  const auto strange = amphi::tune("k", amphi::vary_block({}, {32, 64}),
                                   [](const amphi::policy& p) {
                                     if (p.block.x == 32) throw 42;
                                   },
                                   {.runs = 1});
  EXPECT_EQ(strange.rows[0].result, outcome::failed);
  EXPECT_TRUE(says(strange.rows[0].note, {"failed: ", "no std::exception"}));
  EXPECT_EQ(strange.best().candidate.value, "64");

  const auto none =
      amphi::tune("k", amphi::vary_block({}, {32, 64}),
                  [](const amphi::policy&) { throw amphi::launch_error("too big"); }, {.runs = 1});
  EXPECT_FALSE(none.found());
  EXPECT_TRUE(
      says(message_of<amphi::launch_error>([&] { (void)none.best(); }), {"block 64: does not fit: too big"}));
  EXPECT_TRUE(says(none.text(), {"no winner"}));
}

TEST(tune, a_time_that_is_none_can_not_win) {
  for (const double bad : {std::nan(""), -1.0, HUGE_VAL, -HUGE_VAL}) {
    const amphi::tune_timer timer = [bad](const amphi::policy& p, int n, const std::function<void()>&) {
      return p.block.x == 32 ? bad : 2.0 * n;
    };
    const auto report =
        amphi::tune("k", amphi::vary_block({}, {32, 64}), &nothing, {.runs = 3, .timer = timer});
    EXPECT_EQ(report.rows[0].result, outcome::failed);
    EXPECT_TRUE(says(report.rows[0].note, {"the timer gave ", "0 or more"}));
    EXPECT_EQ(report.best().candidate.value, "64");
    EXPECT_EQ(report.best().milliseconds, 2.0);
  }
}

TEST(tune, bad_requests_run_nothing) {
  int runs = 0;
  const auto run = [&](const amphi::policy&) { ++runs; };
  const auto text = [&](const std::string& kernel, const std::vector<amphi::tune_candidate>& candidates,
                        const amphi::tune_options& options) {
    return message_of<amphi::bounds_error>([&] { (void)amphi::tune(kernel, candidates, run, options); });
  };
  const auto some = amphi::vary_block();
  EXPECT_TRUE(says(text("k", {}, {}), {"tune(\"k\")", "no candidates"}));
  EXPECT_TRUE(says(text("", some, {}), {"name is empty"}));
  EXPECT_TRUE(says(text("k", some, {.runs = 0}), {"runs is 0", "1 or more"}));
  EXPECT_TRUE(says(text("k", some, {.warm_up = -1}), {"warm_up is -1"}));
  EXPECT_TRUE(says(text("k", some, {.bytes = -1}), {"bytes is -1"}));
  EXPECT_TRUE(says(text("k", some, {.bytes = std::numeric_limits<double>::quiet_NaN()}), {"bytes is nan"}));
  EXPECT_TRUE(says(text("k", some, {.sample_milliseconds = -0.5}), {"sample_milliseconds is -0.5"}));
  EXPECT_TRUE(says(text("k", some, {.registers = -3}), {"registers is -3"}));
  EXPECT_TRUE(says(message_of<amphi::memory_error>(
                       [&] { (void)amphi::tune("k", some, run, {.file = "/no/such/folder/tuning.txt"}); }),
                   {"/no/such/folder/tuning.txt", "folder that is there"}));
  EXPECT_TRUE(
      says(message_of<amphi::memory_error>([&] { (void)amphi::tune("k", some, run, {.file = "/tmp"}); }),
           {"/tmp", "directory"}));
  if (on_gpu()) {
    const std::vector<amphi::tune_candidate> mixed = {{"where", "cpu", {.backend = backend::cpu}},
                                                      {"where", "gpu", {.backend = backend::cuda}}};
    EXPECT_TRUE(says(message_of<amphi::launch_error>([&] { (void)amphi::tune("k", mixed, run); }),
                     {"where gpu", "each backend by itself"}));
  } else {
    const std::vector<amphi::tune_candidate> gpu = {{"where", "gpu", {.backend = backend::cuda}}};
    (void)message_of<amphi::device_error>([&] { (void)amphi::tune("k", gpu, run); });
  }
  EXPECT_EQ(runs, 0);
}

// What is launched, not what was asked for, and what there is to say about it.
void describe_geometry() {
  amphi::array<float> x(5000, 1.0f), y(5000);
  const auto run = [&](const amphi::policy& p) { amphi::launch<doubled>(p, 5000, x.read(p), y.write(p)); };
  auto candidates = amphi::vary_block_covering(5000, {}, {100, 256, 1024});
  candidates.push_back({"block", "auto", {.grid = 3}});
  const auto report = amphi::tune("doubled", candidates, run, {.runs = 1, .registers = 64});
  EXPECT_EQ(report.rows[0].grid, extent3(50));
  EXPECT_EQ(report.rows[0].block, extent3(100));
  EXPECT_TRUE(says(report.rows[0].note, {"not a multiple of 32: 28 lanes of each block idle"}));
  EXPECT_EQ(report.rows[1].note.find("multiple"), std::string::npos);
  EXPECT_FALSE(report.rows[3].block.is_automatic());
  for (const amphi::tune_row& r : report.rows) {
    EXPECT_GT(r.milliseconds, 0) << r.candidate.value;
    EXPECT_LE(r.low, r.milliseconds);
    EXPECT_GE(r.high, r.milliseconds);
    EXPECT_GT(r.occupancy, 0);
    EXPECT_LE(r.occupancy, 1);
  }
  if (!on_gpu()) {
    // 65536 registers and 2048 threads: 64 registers leave half of the threads, 4 blocks of 256.
    EXPECT_EQ(report.rows[1].occupancy, 0.5);
    EXPECT_TRUE(says(report.rows[1].note, {"occupancy limited by registers"}));
    EXPECT_TRUE(says(report.text(), {"occupancy as predicted for sm_90, 64 registers a thread"}));
  }
  const std::int64_t processors = report.device.multiprocessors;
  const auto few = amphi::tune("doubled", amphi::vary_grid({.block = 64}, {1, 2}), run, {.runs = 1});
  EXPECT_EQ(few.rows[0].note.find("too few"), std::string::npos);
  if (processors > 1) {
    const auto one = amphi::tune("doubled", amphi::vary_block({.grid = 1}, {64}), run, {.runs = 1});
    EXPECT_TRUE(says(one.rows[0].note, {"too few blocks: 1 for " + std::to_string(processors)}));
  }
}
TEST(tune, describes_the_geometry_that_was_launched) { describe_geometry(); }

void tune_workers() {
  amphi::array<float> x(5000, 1.0f), y(5000);
  const auto run = [&](const amphi::policy& p) { amphi::launch<doubled>(p, 5000, x.read(p), y.write(p)); };
  const amphi::policy cpu{.backend = backend::cpu};
  auto candidates = amphi::vary_workers(cpu);
  const int many = amphi::device_of_policy(cpu).multiprocessors + 1;
  candidates.push_back({"workers", "many", {.backend = backend::cpu, .workers = many}});
  const auto report = amphi::tune("doubled", candidates, run, {.runs = 1});
  for (const amphi::tune_row& r : report.rows) {
    EXPECT_EQ(r.grid, extent3(r.candidate.policy.workers.value)) << "a chunk per worker";
    EXPECT_LT(r.occupancy, 0) << "there are no blocks";
  }
  EXPECT_TRUE(says(report.rows.back().note, {"more workers than the"}));
}
TEST(tune, workers_of_the_cpu) { tune_workers(); }

void tune_a_wrong_kernel() {
  shared_data<int> out(1, 0);
  const auto run = [&](const amphi::policy& p) { amphi::launch<count_threads>(p, out.data()); };
  const auto report = amphi::tune("count", amphi::vary_block({.grid = 2}, {32, 64}), run,
                                  [&](const amphi::policy& p) {
                                    run(p);
                                    return out.on_host();
                                  },
                                  {.runs = 1});
  EXPECT_FALSE(report.identical());
  EXPECT_TRUE(says(report.rows[1].note, {"element 0 is 128", "block 32 gave 64"}));
}
TEST(tune, a_kernel_whose_result_depends_on_the_geometry_is_found) { tune_a_wrong_kernel(); }

// The tuning file, and a computation that counts its runs.
class tune_with_file : public with_tuning_file {
 protected:
  amphi::tune_report tuned(const std::string& kernel, const std::vector<std::int64_t>& blocks,
                           bool again = false) {
    fabricated_clock clock{{{32, {1, 3}}, {64, {1, 2}}, {96, {1, 5}}}, {}};
    runs_ = 0;
    testing::internal::CaptureStderr();
    amphi::tune_report report = amphi::tune(
        kernel, amphi::vary_block({.grid = 7}, blocks), [this](const amphi::policy&) { ++runs_; },
        [](const amphi::policy&) { return 1; },
        {.bytes = 4e6, .runs = 1, .warm_up = 0, .file = path_, .again = again, .timer = use(clock)});
    printed_ = testing::internal::GetCapturedStderr();
    return report;
  }

  std::string printed_;
  int runs_ = 0;
};

TEST_F(tune_with_file, a_later_run_reads_the_winner) {
  const auto first = tuned("k", {32, 64, 96});
  EXPECT_EQ(first.best().candidate.value, "64");
  EXPECT_EQ(runs_, 6);
  EXPECT_FALSE(first.remembered());
  EXPECT_EQ(printed_, "");

  const auto later = tuned("k", {32, 64, 96});
  EXPECT_EQ(runs_, 0) << "nothing is run again";
  EXPECT_TRUE(later.remembered());
  EXPECT_TRUE(later.found());
  EXPECT_EQ(later.best().candidate.policy.block, extent3(64));
  EXPECT_EQ(later.best().candidate.policy.grid, extent3(7));
  EXPECT_EQ(later.best().milliseconds, 2);
  EXPECT_EQ(later.best().gigabytes_per_second, 2);
  EXPECT_TRUE(says(later.text(), {"block  64", "the winner in " + path_}));

  EXPECT_FALSE(tuned("k", {32, 64, 96}, true).remembered()) << "measured again when asked";
  EXPECT_FALSE(tuned("another", {32, 64}).remembered());
  EXPECT_EQ(amphi::tuning_file(path_).entries().size(), 2u);
  EXPECT_EQ(amphi::tuned_policy(path_, "k").block, extent3(64));
}

TEST_F(tune_with_file, a_winner_that_is_no_candidate_is_measured_anew) {
  (void)tuned("k", {32, 64});
  const auto report = tuned("k", {32, 96});
  EXPECT_EQ(runs_, 4);
  EXPECT_EQ(report.best().candidate.value, "32");
  ASSERT_EQ(report.messages.size(), 1u);
  EXPECT_TRUE(says(report.messages[0], {"block 64", "none of the candidates"}));
  EXPECT_TRUE(says(printed_, {"amphi: ", "block 64", "none of the candidates"}));
  EXPECT_EQ(amphi::tuned_policy(path_, "k").block, extent3(32));
}

TEST_F(tune_with_file, a_file_of_another_device) {
  const amphi::tune_device other{"Tesla T4", 75, backend::cuda, 40};
  amphi::tuning_file(path_).remember({other, "k", {"block", "96", {.block = 96}}, 7});
  const auto report = tuned("k", {32, 64});
  EXPECT_EQ(runs_, 4);
  EXPECT_EQ(report.best().candidate.value, "64");
  ASSERT_EQ(report.messages.size(), 1u);
  EXPECT_TRUE(
      says(report.messages[0], {"for Tesla T4 (sm_75)", "not for this device, " + report.device.text()}));
  const amphi::tuning_file file(path_);
  EXPECT_EQ(file.entries().size(), 2u) << "nothing is lost";
  EXPECT_EQ(file.find(other, "k")->candidate.value, "96");
}

TEST_F(tune_with_file, a_damaged_file) {
  (void)tuned("k", {32, 64});
  (void)tuned("m", {32, 64});
  std::ofstream(path_, std::ios::app) << "device=\"N\n";
  EXPECT_TRUE(tuned("k", {32, 64}).remembered()) << "the line can be read";
  EXPECT_TRUE(says(printed_, {"damaged", path_ + ":4", "end of a text"}));
  const auto report = tuned("n", {32, 64});
  EXPECT_EQ(runs_, 4) << "a fresh measurement";
  ASSERT_EQ(report.messages.size(), 2u);
  EXPECT_TRUE(says(report.messages[1], {"kept as " + path_ + ".damaged"}));
  EXPECT_TRUE(std::filesystem::exists(path_ + ".damaged"));
  EXPECT_EQ(amphi::tuning_file(path_).entries().size(), 3u);
  EXPECT_TRUE(amphi::tuning_file(path_).damage().empty());
}

TEST_F(tune_with_file, wrong_results_are_not_kept) {
  fabricated_clock clock{{{32, {1, 3}}, {64, {1, 2}}}, {}};
  testing::internal::CaptureStderr();
  const auto report = amphi::tune("k", amphi::vary_block({}, {32, 64}), nothing,
                                  [](const amphi::policy& p) { return p.block.x; },
                                  {.runs = 1, .warm_up = 0, .file = path_, .timer = use(clock)});
  EXPECT_TRUE(says(testing::internal::GetCapturedStderr(), {"nothing was added", "same bits"}));
  EXPECT_EQ(report.best().candidate.value, "32") << "the only one with the first one's bits";
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(tune_with_file, measurements_survive_a_file_that_can_not_be_written_in_the_end) {
  fabricated_clock clock{{{32, {1, 3}}}, {}};
  testing::internal::CaptureStderr();
  const auto report = amphi::tune("k", amphi::vary_block({}, {32}),
                                  [&](const amphi::policy&) { std::filesystem::remove_all(folder_); },
                                  {.runs = 1, .warm_up = 0, .file = path_, .timer = use(clock)});
  EXPECT_TRUE(says(testing::internal::GetCapturedStderr(), {"can't write the tuning file", path_}));
  EXPECT_EQ(report.best().milliseconds, 3);
  EXPECT_EQ(report.messages.size(), 1u);
}

}  // namespace
