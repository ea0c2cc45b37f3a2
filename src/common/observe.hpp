// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/runtime/launch_observer.hpp"

namespace amphi::detail {

// Does anybody look at launches: an observer of the user's, AMPHI_TRACE, AMPHI_PROFILE or a launch_watch?
bool launches_observed();

// Must launches be timed for them?
bool launches_measured();

// Hands one record to everybody who looks.
void observe(const launch_record& record);

// Keeps, while it lives, what the last launch of the calling thread was.
class launch_watch {
 public:
  launch_watch();
  ~launch_watch();
  launch_watch(const launch_watch&) = delete;
  launch_watch& operator=(const launch_watch&) = delete;

  bool seen() const { return seen_; }
  const launch_record& last() const { return last_; }

 private:
  friend void observe(const launch_record& record);

  launch_watch* outer_;
  bool seen_ = false;
  launch_record last_;
};

}  // namespace amphi::detail
