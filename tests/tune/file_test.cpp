// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/tune/file.hpp"

#include <sys/stat.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "amphi/core/error.hpp"
#include "support/paths.hpp"
#include "tune/with_tuning_file.hpp"

using namespace amphi_test;
using amphi::extent3;
using amphi::tuned_entry;
using amphi::tuning_file;

namespace {

class tuning_file_test : public with_tuning_file {
 protected:
  std::string content() const {
    std::ostringstream out;
    out << std::ifstream(path_).rdbuf();
    return out.str();
  }
  void put(const std::string& text) const { std::ofstream(path_) << text; }
  std::size_t files() const {
    std::size_t n = 0;
    for (const auto& f : std::filesystem::directory_iterator(folder_)) n += f.exists() ? 1 : 0;
    return n;
  }
};

const amphi::tune_device gpu{"NVIDIA H200", 90, backend::cuda, 132},
    old_gpu{"Tesla T4", 75, backend::cuda, 40};

tuned_entry entry(const amphi::tune_device& device, const std::string& kernel, int block, double ms = 0.1) {
  return {device, kernel, {"block", std::to_string(block), {.block = block}}, ms};
}

TEST_F(tuning_file_test, a_missing_or_empty_file_has_no_entries) {
  EXPECT_TRUE(tuning_file(path_).entries().empty());
  EXPECT_FALSE(std::filesystem::exists(path_)) << "reading makes no file";
  put("");
  EXPECT_TRUE(tuning_file(path_).entries().empty());
  EXPECT_TRUE(tuning_file(path_).damage().empty());
}

TEST_F(tuning_file_test, entries_come_back) {
  tuned_entry odd = entry(gpu, "name with \"quotes\", \\n, a\nline and ü", 96, 1.0 / 3.0);
  odd.candidate.policy.grid = {3, 65535, 2};
  odd.candidate.policy.block = {8, 4, 2};
  odd.candidate.policy.shared_bytes = 0;
  odd.candidate.policy.shared_bytes_per_thread = 12;
  odd.candidate.policy.max_block = 512;
  odd.candidate.policy.workers = 7;
  odd.device.name = "a \"GPU\" \\";
  EXPECT_EQ(tuning_file(path_).remember(odd), "");
  EXPECT_EQ(tuning_file(path_).remember(entry(gpu, "saxpy", 256)), "");
  const tuning_file file(path_);
  EXPECT_TRUE(file.damage().empty());
  ASSERT_EQ(file.entries().size(), 2u);
  const tuned_entry* const e = file.find(odd.device, odd.kernel);
  ASSERT_NE(e, nullptr);
  EXPECT_EQ(e->candidate.variable, "block");
  EXPECT_EQ(e->candidate.value, "96");
  EXPECT_EQ(e->milliseconds, 1.0 / 3.0);
  const amphi::policy& p = e->candidate.policy;
  EXPECT_EQ(p.grid, extent3(3, 65535, 2));
  EXPECT_EQ(p.block, extent3(8, 4, 2));
  EXPECT_EQ(p.shared_bytes.value, 0);
  EXPECT_EQ(p.shared_bytes_per_thread.value, 12);
  EXPECT_EQ(p.max_block.value, 512);
  EXPECT_EQ(p.workers.value, 7);
  EXPECT_TRUE(file.find(gpu, "saxpy")->candidate.policy.grid.is_automatic());
  EXPECT_TRUE(file.find(gpu, "saxpy")->candidate.policy.shared_bytes.is_automatic());
  EXPECT_EQ(file.find(gpu, "saxpy2"), nullptr);
}

TEST_F(tuning_file_test, the_text_of_a_file) {
  tuning_file(path_).remember(entry(gpu, "saxpy", 256, 0.125));
  EXPECT_EQ(
      content(),
      "amphi tuning file, version 1\n"
      "device=\"NVIDIA H200\" sm=90 backend=cuda multiprocessors=132 kernel=\"saxpy\" variable=\"block\" "
      "value=\"256\" grid=auto block=256,1,1 shared_bytes=auto shared_bytes_per_thread=auto max_block=auto "
      "workers=auto ms=0.125\n");
}

TEST_F(tuning_file_test, a_winner_is_replaced_and_others_stay) {
  tuning_file(path_).remember(entry(gpu, "saxpy", 256));
  tuning_file(path_).remember(entry(old_gpu, "saxpy", 128));
  tuning_file(path_).remember(entry(gpu, "dot", 512));
  tuning_file(path_).remember(entry(gpu, "saxpy", 64, 0.05));
  const tuning_file file(path_);
  EXPECT_EQ(file.entries().size(), 3u);
  EXPECT_EQ(file.find(gpu, "saxpy")->candidate.value, "64");
  EXPECT_EQ(file.find(old_gpu, "saxpy")->candidate.value, "128");
  EXPECT_EQ(file.other_devices(gpu, "saxpy"), "Tesla T4 (sm_75)");
  EXPECT_EQ(file.other_devices(gpu, "dot"), "");
  EXPECT_EQ(files(), 1u) << "no temporary file is left";
}

// Every way to cut the file: what is read are whole first lines, and a cut within a line is damage.
TEST_F(tuning_file_test, a_file_that_is_cut_off) {
  for (int block : {32, 64, 128})
    tuning_file(path_).remember(entry(gpu, "kernel " + std::to_string(block), block));
  const std::string all = content();
  for (std::size_t length = 1; length < all.size(); ++length) {
    put(all.substr(0, length));
    const tuning_file file(path_);
    const bool whole = all[length - 1] == '\n';
    const auto lines =
        static_cast<std::size_t>(std::count(all.begin(), all.begin() + static_cast<long>(length), '\n'));
    EXPECT_EQ(file.damage().empty(), whole || (lines == 0 && length == 28)) << length;
    EXPECT_EQ(file.entries().size(), lines == 0 ? 0 : lines - 1) << length;
  }
}

TEST_F(tuning_file_test, a_damaged_line_is_named_and_the_others_count) {
  tuning_file(path_).remember(entry(gpu, "saxpy", 256));
  const std::string good = content();
  const std::string line = good.substr(good.find('\n') + 1);
  const struct {
    std::string from, to, says;
  } faults[] = {
      {"block=256,1,1", "block=256,1", "','"},
      {"block=256,1,1", "block=0,1,1", "a number from 1 to"},
      {"sm=90", "sm=ninety", "a number from 0 to 9999 at 'ninety"},
      {"backend=cuda", "backend=rocm", "cpu or cuda"},
      {"kernel=\"saxpy\"", "kernel=saxpy", "a text in quotes"},
      {"value=\"256\"", "value=\"256", "the end of a text in quotes"},
      {"ms=0.1", "ms=-1", "a time"},
      {"ms=0.1", "ms=0.1 more", "the end of the line at ' more'"},
      {"ms=0.1", "", "ms="},
      {"grid=auto", "grid=99999999999999999999,1,1", "a number from 1"},
      {"workers=auto", "workers=0", "a number from 1"},
  };
  for (const auto& f : faults) {
    std::string bad = line;
    bad.replace(bad.find(f.from), f.from.size(), f.to);
    put("amphi tuning file, version 1\n" + bad + "\x01\xff\n" + line);
    const tuning_file file(path_);
    ASSERT_EQ(file.damage().size(), 2u) << f.to;
    EXPECT_TRUE(says(file.damage()[0], {path_ + ":2: ", f.says}));
    ASSERT_EQ(file.entries().size(), 1u);
    EXPECT_EQ(file.entries()[0].candidate.value, "256");
  }
  put(good + line);
  EXPECT_TRUE(
      says(tuning_file(path_).damage().at(0), {":3: a second line for kernel \"saxpy\" on NVIDIA H200"}));
  put("something else\n" + line);
  EXPECT_TRUE(says(tuning_file(path_).damage().at(0), {":1: ", "no tuning file that this version reads"}));
  EXPECT_TRUE(tuning_file(path_).entries().empty());
}

TEST_F(tuning_file_test, writing_keeps_a_damaged_file) {
  tuning_file(path_).remember(entry(gpu, "saxpy", 256));
  const std::string damaged = content() + "device=\"cut";
  put(damaged);
  EXPECT_EQ(tuning_file(path_).remember(entry(gpu, "dot", 64)), path_ + ".damaged");
  std::ostringstream kept;
  kept << std::ifstream(path_ + ".damaged").rdbuf();
  EXPECT_EQ(kept.str(), damaged);
  const tuning_file file(path_);
  EXPECT_TRUE(file.damage().empty());
  EXPECT_EQ(file.entries().size(), 2u) << "the line that could be read is not lost";
  put("garbage");
  EXPECT_EQ(tuning_file(path_).remember(entry(gpu, "dot", 64)), path_ + ".damaged.2");
  EXPECT_EQ(files(), 3u);
}

TEST_F(tuning_file_test, what_another_program_wrote_meanwhile_stays) {
  tuning_file early(path_);
  tuning_file(path_).remember(entry(gpu, "theirs", 32));
  early.remember(entry(gpu, "ours", 64));
  EXPECT_EQ(tuning_file(path_).entries().size(), 2u);
}

void remember_each(const std::string& path, int first) {
  for (int i = first; i < first + 8; ++i)
    tuning_file(path).remember(entry(gpu, "kernel " + std::to_string(i), 32));
}

TEST_F(tuning_file_test, writers_do_not_lose_each_others_lines) {
  std::vector<std::thread> writers;
  for (int t = 0; t < 4; ++t) writers.emplace_back(remember_each, path_, 8 * t);
  for (std::thread& t : writers) t.join();
  const tuning_file file(path_);
  EXPECT_TRUE(file.damage().empty());
  EXPECT_EQ(file.entries().size(), 32u);
  EXPECT_EQ(files(), 1u);
}

TEST_F(tuning_file_test, a_link_and_the_mode_stay) {
  tuning_file(path_).remember(entry(gpu, "saxpy", 256));
  ASSERT_EQ(chmod(path_.c_str(), 0640), 0);
  const std::string link = folder_ + "/link.txt";
  std::filesystem::create_symlink(path_, link);
  tuning_file(link).remember(entry(gpu, "dot", 256));
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(tuning_file(path_).entries().size(), 2u);
  struct stat s {};
  ASSERT_EQ(stat(path_.c_str(), &s), 0);
  EXPECT_EQ(s.st_mode & 0777, 0640u);
}

TEST_F(tuning_file_test, a_file_that_can_not_be_used) {
  EXPECT_TRUE(says(message_of<amphi::memory_error>([&] { tuning_file file(folder_); }), {"read", folder_}));
  tuning_file nowhere(folder_ + "/missing/tuning.txt");
  EXPECT_TRUE(says(message_of<amphi::memory_error>([&] { nowhere.remember(entry(gpu, "a", 32)); }),
                   {"write", "missing/tuning.txt", "No such file"}));
}

TEST_F(tuning_file_test, what_could_not_be_read_back_is_not_written) {
  tuning_file file(path_);
  file.remember(entry(gpu, "good", 64));
  const std::string before = content();
  std::vector<tuned_entry> bad(9, entry(gpu, "bad", 64));
  bad[0].milliseconds = std::nan("");
  bad[1].milliseconds = HUGE_VAL;
  bad[2].milliseconds = -1;
  bad[3].candidate.policy.block = 0;
  bad[4].candidate.policy.grid = {1, -1, 1};
  bad[5].candidate.policy.workers = 0;
  bad[6].candidate.policy.shared_bytes = -1;
  bad[7].device.multiprocessors = 0;
  bad[8].candidate.policy.max_block = 0;
  for (const tuned_entry& e : bad)
    EXPECT_TRUE(
        says(message_of<amphi::bounds_error>([&] { file.remember(e); }), {path_, "\"bad\"", "expected"}));
  EXPECT_EQ(content(), before);
  EXPECT_EQ(files(), 1u);
}

TEST_F(tuning_file_test, a_later_program_asks_for_its_policy) {
  const amphi::tune_device here = amphi::device_of_policy({});
  tuned_entry e = entry(here, "saxpy", 96);
  e.candidate.policy.grid = 12;
  tuning_file(path_).remember(e);
  tuning_file(path_).remember(entry(old_gpu, "dot", 128));
  const amphi::policy p = amphi::tuned_policy(path_, "saxpy", {.order = amphi::thread_order::reverse});
  EXPECT_EQ(p.block, extent3(96));
  EXPECT_EQ(p.grid, extent3(12));
  EXPECT_EQ(p.order, amphi::thread_order::reverse) << "all else is as in the base";
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] { (void)amphi::tuned_policy(path_, "dot"); }),
                   {"\"dot\"", "only for Tesla T4 (sm_75)", here.text()}));
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] { (void)amphi::tuned_policy(path_, "none"); }),
                   {"nor for this kernel on any device", "run amphi::tune"}));
  put(content() + "x\n");
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] { (void)amphi::tuned_policy(path_, "saxpy"); }),
                   {"damaged", path_ + ":4"}));
}

}  // namespace
