// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Converts to a narrower type.
inline short narrowed(long x) { return x; }
