// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/kernel_state.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <deque>
#include <map>
#include <string_view>

namespace amphi::detail {
namespace {

// Kernels are static objects of user code, some of it in shared libraries that may be unloaded; their states
// stay, so that tables printed at exit have their names.
struct all_states {
  std::mutex mutex;
  std::deque<kernel_state> states;
};

all_states& states() {
  static auto* const all = new all_states;  // outlives every static object that launches
  return *all;
}

std::string demangled(const char* symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(symbol, nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 && text ? text.get() : symbol;
}

// "f(int, float*)" → "f"; lambdas keep their parameter list, which tells them apart.
std::string_view without_parameters(std::string_view text) {
  if (text.empty() || text.back() != ')' || text.find("lambda") != std::string_view::npos) return text;
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] == ')') ++depth;
    if (text[i] == '(' && --depth == 0) return i == 0 ? text : text.substr(0, i);
  }
  return text;
}

// Without the qualifiers of anonymous namespaces, which g++, clang++ and nvcc (with a number in it) spell
// each in its own way.
std::string without_anonymous(std::string text) {
  for (const std::string_view start :
       {"{anonymous}::", "(anonymous namespace)::", "<unnamed>::", "_GLOBAL__N__"}) {
    for (std::size_t at = 0; (at = text.find(start, at)) != std::string::npos;) {
      const std::size_t end = text.find("::", at);
      if (end == std::string::npos) break;
      text.erase(at, end + 2 - at);
    }
  }
  return text;
}

// "main::lambda 1" for the class that nvcc wraps the first lambda of main in; other names as they are.
std::string without_wrapper(const std::string& text) {
  constexpr std::string_view tag =
      "__nv_dl_tag<";  // then: type of the function, its name, number of the lambda
  const std::size_t begin = text.find(tag);
  if (text.substr(0, 5) != "__nv_" || begin == std::string::npos) return text;
  int depth = 0;
  std::size_t commas[2] = {0, 0};
  std::size_t end = begin + tag.size();
  for (; end < text.size() && depth >= 0; ++end) {
    const char c = text[end];
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
    if (c == ',' && depth == 0) (commas[0] == 0 ? commas[0] : commas[1]) = end;
  }
  if (depth >= 0 || commas[1] == 0) return text;
  std::string_view name(text), number(text);
  name = name.substr(commas[0] + 2, commas[1] - commas[0] - 2);
  number = number.substr(commas[1] + 2, end - 1 - commas[1] - 2);
  if (name.substr(0, 1) == "(") name = name.substr(1, name.size() - 2);
  if (name.substr(0, 1) == "&") name.remove_prefix(1);
  return std::string(without_parameters(name)) + "::lambda " + std::string(number);
}

}  // namespace

std::string launchable_name(const char* signature) {
  std::string_view text = signature;
  if (text.substr(0, 2) == "_Z") return without_anonymous(demangled(signature));
  const auto start = text.find("X = ");  // g++, clang++: [with auto X = f], [X = &f]; nvcc: [with X=f]
  if (start != std::string_view::npos) {
    text.remove_prefix(start + 4);
  } else if (const auto tight = text.find("X="); tight != std::string_view::npos) {
    text.remove_prefix(tight + 2);
  } else {
    return std::string(text);
  }
  if (!text.empty() && text.back() == ']') text.remove_suffix(1);
  // g++ appends explanations of names in the text: "f; std::size_t = long unsigned int".
  if (const auto semicolon = text.find("; "); semicolon != std::string_view::npos)
    text = text.substr(0, semicolon);
  if (!text.empty() && text.front() == '&') text.remove_prefix(1);
  if (!text.empty() && text.front() == '(' && text.back() == ')') text = text.substr(1, text.size() - 2);
  if (!text.empty() && text.front() == '&') text.remove_prefix(1);
  return without_wrapper(without_anonymous(std::string(without_parameters(text))));
}

kernel_state& state_of(kernel& k) {
  if (auto* known = static_cast<kernel_state*>(__atomic_load_n(&k.cache, __ATOMIC_ACQUIRE))) return *known;
  all_states& all = states();
  const std::lock_guard lock(all.mutex);
  if (auto* known = static_cast<kernel_state*>(__atomic_load_n(&k.cache, __ATOMIC_ACQUIRE))) return *known;
  kernel_state& made = all.states.emplace_back();
  made.name = launchable_name(k.signature);
  __atomic_store_n(&k.cache, static_cast<void*>(&made), __ATOMIC_RELEASE);
  return made;
}

kernel& global_kernel(const kernel& description) {
  static std::mutex mutex;
  static auto* const kernels = new std::map<const void*, kernel>;
  const std::lock_guard lock(mutex);
  return kernels->try_emplace(description.address, description).first->second;
}

}  // namespace amphi::detail
