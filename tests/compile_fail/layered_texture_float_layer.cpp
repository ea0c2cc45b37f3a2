// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: (constraint|failed deduction)
#include "amphi/memory/layered_texture.hpp"

#ifdef FAIL
using layer_type = float;
#else
using layer_type = int;
#endif
float sample(const amphi::layered_texture_view<float, 2>& t) { return t(1.0f, 2.0f, layer_type(3)); }
