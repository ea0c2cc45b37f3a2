// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/tune_entry.hpp"

#include <charconv>
#include <cmath>
#include <initializer_list>

#include "common/number_text.hpp"

namespace amphi::detail {
namespace {

std::string number(const policy_number& n) { return n.is_automatic() ? "auto" : std::to_string(n.value); }

std::string extent(const extent3& e) {
  if (e.is_automatic()) return "auto";
  return std::to_string(e.x) + "," + std::to_string(e.y) + "," + std::to_string(e.z);
}

// Reads one line; says in `wrong` where it stopped making sense.
class line_reader {
 public:
  explicit line_reader(std::string_view line) : rest_(line) {}

  tuned_entry entry() {
    tuned_entry e;
    policy& p = e.candidate.policy;
    e.device.name = text("device=");
    e.device.compute_capability = static_cast<int>(integer(" sm=", 0, 9999));
    e.device.backend =
        one_of(" backend=", {name(backend::cpu), name(backend::cuda)}) == 0 ? backend::cpu : backend::cuda;
    e.device.multiprocessors = static_cast<int>(integer(" multiprocessors=", 1, INT32_MAX));
    e.kernel = text(" kernel=");
    e.candidate.variable = text(" variable=");
    e.candidate.value = text(" value=");
    p.grid = extent(" grid=");
    p.block = extent(" block=");
    p.shared_bytes = number(" shared_bytes=", 0);
    p.shared_bytes_per_thread = number(" shared_bytes_per_thread=", 0);
    p.max_block = number(" max_block=", 1);
    p.workers = number(" workers=", 1);
    e.milliseconds = real(" ms=");
    if (!rest_.empty()) fail("the end of the line");
    return e;
  }

  const std::string& wrong() const { return wrong_; }

 private:
  void fail(std::string_view expected) {
    if (!wrong_.empty()) return;
    wrong_ = "expected " + std::string(expected) + " at ";
    wrong_ += rest_.empty() ? "the end of the line" : "'" + std::string(rest_.substr(0, 24)) + "'";
    rest_ = {};
  }

  bool take(std::string_view word) {
    if (rest_.substr(0, word.size()) != word) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  bool key(std::string_view word) {
    if (wrong_.empty() && take(word)) return true;
    fail(word.substr(word.front() == ' ' ? 1 : 0));
    return false;
  }

  std::string text(std::string_view word) {
    std::string out;
    if (!key(word)) return out;
    if (!take("\"")) fail("a text in quotes");
    while (!rest_.empty() && rest_.front() != '"') {
      const bool escaped = take("\\");
      if (rest_.empty()) break;
      out += escaped && rest_.front() == 'n' ? '\n' : rest_.front();
      rest_.remove_prefix(1);
    }
    if (!take("\"")) fail("the end of a text in quotes");
    return out;
  }

  std::int64_t bare_integer(std::int64_t least, std::int64_t most) {
    std::int64_t v = 0;
    const auto [end, status] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), v);
    if (status != std::errc() || v < least || v > most) {
      fail("a number from " + std::to_string(least) + " to " + std::to_string(most));
      return least;
    }
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return v;
  }
  std::int64_t integer(std::string_view word, std::int64_t least, std::int64_t most) {
    return key(word) ? bare_integer(least, most) : least;
  }
  policy_number number(std::string_view word, std::int64_t least) {
    if (!key(word) || take("auto")) return {};
    return bare_integer(least, INT64_MAX);
  }
  extent3 extent(std::string_view word) {
    extent3 e = extent3::automatic();
    if (!key(word) || take("auto")) return e;
    e.x = bare_integer(1, INT64_MAX);
    if (!take(",")) fail("','");
    e.y = bare_integer(1, INT64_MAX);
    if (!take(",")) fail("','");
    e.z = bare_integer(1, INT64_MAX);
    return e;
  }
  double real(std::string_view word) {
    double v = 0;
    if (!key(word)) return v;
    const auto [end, status] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), v);
    if (status != std::errc() || !(v >= 0) || std::isinf(v)) {
      fail("a time");
    } else {
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    }
    return v;
  }
  std::size_t one_of(std::string_view word, std::initializer_list<const char*> words) {
    if (!key(word)) return 0;
    std::size_t i = 0;
    for (const char* w : words) {
      if (take(w)) return i;
      ++i;
    }
    fail("cpu or cuda");
    return 0;
  }

  std::string_view rest_;
  std::string wrong_;
};

}  // namespace

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string write_entry(const tuned_entry& e) {
  const policy& p = e.candidate.policy;
  return "device=" + quoted(e.device.name) + " sm=" + std::to_string(e.device.compute_capability) +
         " backend=" + name(e.device.backend) +
         " multiprocessors=" + std::to_string(e.device.multiprocessors) + " kernel=" + quoted(e.kernel) +
         " variable=" + quoted(e.candidate.variable) + " value=" + quoted(e.candidate.value) +
         " grid=" + extent(p.grid) + " block=" + extent(p.block) + " shared_bytes=" + number(p.shared_bytes) +
         " shared_bytes_per_thread=" + number(p.shared_bytes_per_thread) +
         " max_block=" + number(p.max_block) + " workers=" + number(p.workers) +
         " ms=" + number_text(e.milliseconds);
}

tuned_entry read_entry(std::string_view line, std::string& wrong) {
  line_reader reader(line);
  tuned_entry e = reader.entry();
  wrong = reader.wrong();
  return e;
}

}  // namespace amphi::detail
