// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: the message that it should give
#ifdef FAIL
#  error "another message"
#endif
int main() {}
