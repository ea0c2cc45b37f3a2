// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The one place where the version stands; CMake reads it from here.
#define AMPHI_VERSION_MAJOR 0
#define AMPHI_VERSION_MINOR 1
#define AMPHI_VERSION_PATCH 0
