// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "amphi/tune/file.hpp"

// One line of a tuning file: `key=value` in a fixed order, texts in quotes.

namespace amphi::detail {

std::string quoted(const std::string& text);
std::string write_entry(const tuned_entry& e);

// The entry of a line without its end. `wrong` says where the line stopped making sense, else it is empty.
tuned_entry read_entry(std::string_view line, std::string& wrong);

}  // namespace amphi::detail
