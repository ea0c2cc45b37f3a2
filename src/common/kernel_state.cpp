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

}  // namespace

std::string launchable_name(const char* signature) {
  std::string_view text = signature;
  if (text.substr(0, 2) == "_Z") return demangled(signature);
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
  return std::string(without_parameters(text));
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
