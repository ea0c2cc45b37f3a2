// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace example {

// The options of an example: `--name value` and `--name`, and `--help`, which lists them. Ask for every
// option, then call finish(), which prints the help or refuses what is left over.
class command_line {
 public:
  command_line(int argc, char** argv, std::string about)
      : program_(argv[0]), about_(std::move(about)), words_(argv + 1, argv + argc) {
    program_ = program_.substr(program_.rfind('/') + 1);
  }

  std::int64_t number(const std::string& name, std::int64_t otherwise, std::int64_t least, std::int64_t most,
                      const std::string& meaning) {
    add_help(name + " N", meaning + " (" + std::to_string(otherwise) + ")");
    std::string word;
    if (!take(name, &word)) return otherwise;
    std::int64_t value = 0;
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (status != std::errc() || end != word.data() + word.size() || value < least || value > most)
      refuse(name + " " + word + ": it must be a number from " + std::to_string(least) + " to " +
             std::to_string(most));
    return value;
  }

  std::string text(const std::string& name, const std::string& otherwise, const std::string& meaning) {
    add_help(name + " TEXT", meaning + (otherwise.empty() ? "" : " (" + otherwise + ")"));
    std::string word;
    return take(name, &word) ? word : otherwise;
  }

  bool flag(const std::string& name, const std::string& meaning) {
    add_help(name, meaning);
    return take(name, nullptr);
  }

  void finish() {
    if (take("--help", nullptr)) {
      std::printf("%s: %s\n\n%s", program_.c_str(), about_.c_str(), help_.c_str());
      std::exit(EXIT_SUCCESS);
    }
    if (!words_.empty()) refuse("there is no option " + words_.front());
  }

 private:
  // Takes an option, and the word behind it when `value` is given, out of the command line.
  bool take(const std::string& name, std::string* value) {
    for (auto word = words_.begin(); word != words_.end(); ++word) {
      if (*word != name) continue;
      word = words_.erase(word);
      if (value == nullptr) return true;
      if (word == words_.end()) refuse(name + " needs a value");
      *value = *word;
      words_.erase(word);
      return true;
    }
    return false;
  }

  void add_help(const std::string& option, const std::string& meaning) {
    help_ += "  " + option + std::string(option.size() < 16 ? 16 - option.size() : 1, ' ') + meaning + "\n";
  }

  [[noreturn]] void refuse(const std::string& why) const {
    std::fprintf(stderr, "%s: %s; %s --help lists the options\n", program_.c_str(), why.c_str(),
                 program_.c_str());
    std::exit(2);
  }

  std::string program_, about_, help_;
  std::vector<std::string> words_;
};

}  // namespace example
