// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/tune/file.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "amphi/core/error.hpp"
#include "common/locked_file.hpp"
#include "common/tune.hpp"
#include "common/tune_entry.hpp"

// The file is text: a first line that says what it is, then a line for each winner (tune_entry.hpp).

namespace amphi {
namespace {

constexpr std::string_view first_line = "amphi tuning file, version 1";

bool same_numbers(const policy& a, const policy& b) {
  const auto same = [](const policy_number& x, const policy_number& y) { return x.value == y.value; };
  return a.grid == b.grid && a.block == b.block && same(a.shared_bytes, b.shared_bytes) &&
         same(a.shared_bytes_per_thread, b.shared_bytes_per_thread) && same(a.max_block, b.max_block) &&
         same(a.workers, b.workers);
}

}  // namespace

tuning_file::tuning_file(std::string path) : path_(std::move(path)) { read(); }

void tuning_file::read() {
  entries_.clear();
  damage_.clear();
  std::string all;
  if (!detail::read_file(path_, "tuning file", all) || all.empty()) return;
  const auto damaged = [this](int line, const std::string& what) {
    damage_.push_back(path_ + ":" + std::to_string(line) + ": " + what);
  };
  std::string_view rest(all);
  for (int line = 1; !rest.empty(); ++line) {
    const std::size_t end = rest.find('\n');
    const std::string_view text = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (line == 1) {
      if (text == first_line) continue;
      damaged(line, "this is no tuning file that this version reads: the first line is not '" +
                        std::string(first_line) + "'");
      return;
    }
    if (end == std::string_view::npos) {
      damaged(line, "the file is cut off in this line");
      return;
    }
    std::string wrong;
    tuned_entry e = detail::read_entry(text, wrong);
    if (!wrong.empty()) {
      damaged(line, wrong);
    } else if (find(e.device, e.kernel) != nullptr) {
      damaged(line, "a second line for kernel " + detail::quoted(e.kernel) + " on " + e.device.text());
    } else {
      entries_.push_back(std::move(e));
    }
  }
}

const tuned_entry* tuning_file::find(const tune_device& device, const std::string& kernel) const {
  for (const tuned_entry& e : entries_)
    if (e.kernel == kernel && e.device.same_as(device)) return &e;
  return nullptr;
}

std::string tuning_file::other_devices(const tune_device& device, const std::string& kernel) const {
  std::string names;
  for (const tuned_entry& e : entries_)
    if (e.kernel == kernel && !e.device.same_as(device))
      names += (names.empty() ? "" : ", ") + e.device.text();
  return names;
}

std::string tuning_file::remember(const tuned_entry& entry) {
  std::string wrong;
  (void)detail::read_entry(detail::write_entry(entry), wrong);
  if (!wrong.empty())
    throw bounds_error("the tuning file " + path_ + " can't keep the winner of " +
                       detail::quoted(entry.kernel) + ", for it could not be read back: " + wrong);
  detail::locked_file file(path_, "tuning file");
  read();  // as it is now
  std::string kept;
  if (!damage_.empty()) kept = file.keep_old();
  const auto old = std::find_if(entries_.begin(), entries_.end(), [&](const tuned_entry& e) {
    return e.kernel == entry.kernel && e.device.same_as(entry.device);
  });
  if (old != entries_.end()) {
    *old = entry;
  } else {
    entries_.push_back(entry);
  }
  std::string text(first_line);
  text += "\n";
  for (const tuned_entry& e : entries_) text += detail::write_entry(e) + "\n";
  file.replace(text);
  damage_.clear();
  return kept;
}

policy tuned_policy(const std::string& path, const std::string& kernel, const policy& base) {
  const tuning_file file(path);
  const tune_device device = device_of_policy(base);
  const std::string asked = "tuned_policy(\"" + path + "\", \"" + kernel + "\"): ";
  if (!file.damage().empty()) throw bounds_error(asked + "the file is damaged: " + file.damage().front());
  const tuned_entry* const e = file.find(device, kernel);
  if (e == nullptr) {
    const std::string others = file.other_devices(device, kernel);
    throw bounds_error(asked + "the file has nothing for " + device.text() + ", " +
                       (others.empty() ? "nor for this kernel on any device" : "only for " + others) +
                       "; run amphi::tune with this file here first");
  }
  policy p = base;
  const policy& found = e->candidate.policy;
  p.grid = found.grid, p.block = found.block;
  p.shared_bytes = found.shared_bytes, p.shared_bytes_per_thread = found.shared_bytes_per_thread;
  p.max_block = found.max_block, p.workers = found.workers;
  return p;
}

namespace detail {
namespace {

void tell(tune_report& report, const std::string& message) {
  std::fprintf(stderr, "amphi: %s\n", message.c_str());
  report.messages.push_back(message);
}

}  // namespace

bool recall(tune_report& report, const std::vector<tune_candidate>& candidates, const tune_options& options) {
  check_writable(options.file, "tuning file");
  const tuning_file file(options.file);
  if (!file.damage().empty()) {
    const std::size_t more = file.damage().size() - 1;
    tell(report, "the tuning file is damaged: " + file.damage().front() +
                     (more > 0 ? ", and " + std::to_string(more) + " more of its lines" : "") +
                     "; what can be read counts, and the file will be kept under another name");
  }
  if (options.again) return false;
  const tuned_entry* const e = file.find(report.device, report.kernel);
  if (e == nullptr) {
    const std::string others = file.other_devices(report.device, report.kernel);
    if (!others.empty())
      tell(report, "the tuning file " + options.file + " has " + report.kernel + " for " + others +
                       ", not for this device, " + report.device.text() + ": measuring");
    return false;
  }
  for (const tune_candidate& c : candidates) {
    if (!same_numbers(c.policy, e->candidate.policy)) continue;
    tune_row row;
    row.candidate = c;
    row.result = tune_row::outcome::remembered;
    row.grid = c.policy.grid, row.block = c.policy.block;
    row.milliseconds = row.low = row.high = e->milliseconds;
    if (options.bytes > 0 && row.milliseconds > 0)
      row.gigabytes_per_second = options.bytes * 1e-6 / row.milliseconds;
    row.note = "the winner in " + options.file;
    report.rows.push_back(std::move(row));
    report.winner = 0;
    return true;
  }
  tell(report, "the winner of " + report.kernel + " in " + options.file + ", " + e->candidate.variable + " " +
                   e->candidate.value + ", is none of the candidates: measuring");
  return false;
}

void keep(tune_report& report, const tune_options& options) {
  if (!report.found() || !report.identical())
    return tell(report, "nothing was added to the tuning file " + options.file + ": " +
                            (report.found() ? "not all candidates gave the same bits without a failure"
                                            : "no candidate could be measured"));
  const tune_row& best = report.best();
  try {
    const std::string kept =
        tuning_file(options.file).remember({report.device, report.kernel, best.candidate, best.milliseconds});
    if (!kept.empty()) tell(report, "the damaged tuning file is kept as " + kept);
  } catch (const error& e) {
    tell(report, e.what());  // the measurements are not lost for it
  }
}

}  // namespace detail
}  // namespace amphi
