// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace amphi::detail {

// How many threads of OpenMP the calling thread's next region is to have, where `wanted` of them get work.
// The runtimes of GCC and LLVM give up threads that a smaller team leaves out, and make them anew for the
// next larger one, which takes longer than many a launch (teams of 4 and 2 in turn: twice the time of 4 and
// 4). So a team is kept, its surplus idle, until a row of launches has done without.
class kept_team {
 public:
  int size_for(int wanted) {
    if (wanted >= size_) {
      size_ = wanted;
      smaller_ = most_ = 0;
      return size_;
    }
    if (wanted > most_) most_ = wanted;
    if (++smaller_ == patience) {
      size_ = most_;
      smaller_ = most_ = 0;
    }
    return size_;
  }

  // Of the last region.
  int size() const { return size_; }

 private:
  static constexpr int patience = 32;
  int size_ = 0;
  int smaller_ = 0, most_ = 0;  // launches in a row that wanted fewer, and the largest of these teams
};

}  // namespace amphi::detail
