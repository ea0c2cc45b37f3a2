// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// Random block programs: a kernel that interprets a small program in each thread (writes to shared memory,
// barriers, loops, early returns, votes, shuffles, warp barriers), and a straightforward interpreter of the
// same program that steps all threads together. AMPHI_TEST_SEED=n runs the one program of that seed.
#include <array>
#include <cstdlib>
#include <random>

#include "amphi/execution/block.hpp"
#include "amphi/execution/launch.hpp"
#include "amphi/execution/warp.hpp"
#include "support/block_paths.hpp"

using namespace amphi_test;

namespace {

using word = std::uint32_t;

enum class kind : int {
  arithmetic,    // v = v * a + b ^ t
  write,         // s[t] = v; sync
  read,          // sync; v += s[(t * a + b) % n]; sync
  count,         // v += sync_count(v % a < b)
  both,          // v ^= sync_and(v % a != b) * 2 + sync_or(v % a == b)
  leave,         // threads with t % a == b return (never thread 0)
  shuffle,       // v += lane (a) of its group, if it is there
  shift,         // v ^= shuffle_xor(v, a)
  ballot,        // v += ballot(v & 1)
  match,         // v ^= match_any(v % a)
  warp_reduce,   // v = reduce(v, sum and shift)
  warp_publish,  // s[t] = v; warp sync; v += s of the next lane here; warp sync
  loop,          // repeat the next `length` operations a times
  loop_by_v,     // repeat them 1 + (v of thread 0, through shared memory) % a times
};

struct operation {
  kind what;
  word a, b;
  int length;
};

constexpr int most_operations = 24, most_threads = 160;

struct program {
  operation operations[most_operations];
  int count;
};

struct mix {
  AMPHI_HOST_DEVICE word operator()(word x, word y) const { return (x << 1) + (x >> 31) + y * 3; }
};

AMPHI_LAUNCHABLE int next_here(word here, int lane, int width) {
  for (int k = 1; k < width; ++k)
    if ((here >> ((lane + k) % width) & 1u) != 0) return (lane + k) % width;
  return lane;
}

template <int Width>
AMPHI_LAUNCHABLE void interpret(program p, word* out) {
  AMPHI_SHARED(s, word[most_threads]);
  AMPHI_SHARED(bound, word);
  const auto block = amphi::this_block();
  const auto w = amphi::this_warp<Width>();
  const auto i = amphi::thread_index(), e = amphi::block_extent();
  const int t = static_cast<int>((i.z * e.y + i.y) * e.x + i.x), n = block.size();
  const word b = amphi::block_index().x;
  word v = static_cast<word>(t) * 2654435761u + b;
  s[t] = 0;
  block.sync();
  int loop_first = -1, loop_last = -1;
  word loop_left = 0;
  bool left = false;
  for (int pc = 0; pc < p.count; ++pc) {
    const operation& o = p.operations[pc];
    switch (o.what) {
      case kind::arithmetic:
        v = (v * o.a + o.b) ^ static_cast<word>(t);
        break;
      case kind::write:
        s[t] = v;
        block.sync();
        break;
      case kind::read:
        block.sync();
        v += s[(static_cast<word>(t) * o.a + o.b) % static_cast<word>(n)];
        block.sync();
        break;
      case kind::count:
        v += static_cast<word>(block.sync_count(v % o.a < o.b));
        break;
      case kind::both: {
        const bool all = block.sync_and(v % o.a != o.b);
        const bool any = block.sync_or(v % o.a == o.b);
        v ^= (all ? 2u : 0u) + (any ? 1u : 0u);
        break;
      }
      case kind::leave:
        left = t != 0 && static_cast<word>(t) % o.a == o.b;
        break;
      case kind::shuffle: {
        const word here = w.active();
        const int from = static_cast<int>(o.a) % Width;
        const bool there = (here >> from & 1u) != 0;
        const word got = w.shuffle(v, there ? from : w.lane());
        v += there ? got : 1u;
        break;
      }
      case kind::shift: {
        const word here = w.active();
        const int bits = static_cast<int>(o.a) % Width;
        if (here == amphi::detail::low_bits(Width)) v ^= w.shuffle_xor(v, bits) + 5u;
        break;
      }
      case kind::ballot:
        v += w.ballot((v & 1u) != 0);
        break;
      case kind::match:
        v ^= w.match_any(v % o.a);
        break;
      case kind::warp_reduce:
        v = w.reduce(v, mix{});
        break;
      case kind::warp_publish: {
        const int base = t - w.lane();
        const word here = w.active();
        s[t] = v;
        w.sync();
        v += s[base + next_here(here, w.lane(), Width)];
        w.sync();
        break;
      }
      case kind::loop:
        loop_first = pc + 1, loop_last = pc + o.length, loop_left = o.a;
        break;
      case kind::loop_by_v:
        if (t == 0) bound = 1 + v % o.a;
        block.sync();
        loop_first = pc + 1, loop_last = pc + o.length, loop_left = bound;
        block.sync();
        break;
    }
    if (left) break;
    if (pc == loop_last && loop_left > 1) {
      --loop_left;
      pc = loop_first - 1;
    }
  }
  out[static_cast<word>(n) * b + static_cast<word>(t)] = v;
}

// The same, step by step for all threads at once.
std::vector<word> expected_of(const program& p, int n, word b, int width) {
  const auto size = static_cast<std::size_t>(n);
  std::vector<word> v(size), s(size, 0);
  std::vector<bool> live(size, true);
  for (std::size_t t = 0; t < size; ++t) v[t] = static_cast<word>(t) * 2654435761u + b;
  int first = -1, last = -1;
  word left = 0;
  const auto here = [&](std::size_t t) {
    word mask = 0;
    const std::size_t base = t / static_cast<std::size_t>(width) * static_cast<std::size_t>(width);
    for (std::size_t l = 0; l < static_cast<std::size_t>(width) && base + l < size; ++l)
      if (live[base + l]) mask |= 1u << l;
    return mask;
  };
  for (int pc = 0; pc < p.count; ++pc) {
    const operation& o = p.operations[pc];
    const std::vector<word> old = v;
    word count = 0, others = 0, hits = 0;
    for (std::size_t t = 0; t < size; ++t) {
      if (!live[t]) continue;
      count += v[t] % std::max(o.a, 1u) < o.b ? 1u : 0u;
      others += v[t] % std::max(o.a, 1u) != o.b ? 0u : 1u;
      hits += v[t] % std::max(o.a, 1u) == o.b ? 1u : 0u;
    }
    if (o.what == kind::write)
      for (std::size_t t = 0; t < size; ++t)
        if (live[t]) s[t] = v[t];
    if (o.what == kind::warp_publish)
      for (std::size_t t = 0; t < size; ++t)
        if (live[t]) s[t] = v[t];
    for (std::size_t t = 0; t < size; ++t) {
      if (!live[t]) continue;
      const std::size_t lane = t % static_cast<std::size_t>(width), base = t - lane;
      const word mask = here(t);
      switch (o.what) {
        case kind::arithmetic:
          v[t] = (v[t] * o.a + o.b) ^ static_cast<word>(t);
          break;
        case kind::write:
          break;
        case kind::read:
          v[t] += s[(static_cast<word>(t) * o.a + o.b) % static_cast<word>(n)];
          break;
        case kind::count:
          v[t] += count;
          break;
        case kind::both:
          v[t] ^= (others == 0 ? 2u : 0u) + (hits > 0 ? 1u : 0u);
          break;
        case kind::leave:
          break;
        case kind::shuffle: {
          const std::size_t from = o.a % static_cast<word>(width);
          v[t] += (mask >> from & 1u) != 0 ? old[base + from] : 1u;
          break;
        }
        case kind::shift:
          if (mask == (width == 32 ? ~0u : (1u << width) - 1))
            v[t] ^= old[base + (lane ^ (o.a % static_cast<word>(width)))] + 5u;
          break;
        case kind::ballot:
        case kind::match: {
          word bits = 0;
          for (std::size_t l = 0; l < static_cast<std::size_t>(width); ++l) {
            if ((mask >> l & 1u) == 0) continue;
            const bool set =
                o.what == kind::ballot ? (old[base + l] & 1u) != 0 : old[base + l] % o.a == old[t] % o.a;
            if (set) bits |= 1u << l;
          }
          if (o.what == kind::ballot) {
            v[t] += bits;
          } else {
            v[t] ^= bits;
          }
          break;
        }
        case kind::warp_reduce: {
          std::array<word, 32> x{};
          word has = mask;
          for (std::size_t l = 0; l < static_cast<std::size_t>(width); ++l)
            if ((mask >> l & 1u) != 0) x[l] = old[base + l];
          for (std::size_t d = static_cast<std::size_t>(width) / 2; d > 0; d /= 2)
            for (std::size_t l = 0; l < d; ++l) {
              if ((has >> (l + d) & 1u) == 0) continue;
              x[l] = (has >> l & 1u) != 0 ? mix{}(x[l], x[l + d]) : x[l + d];
              has |= 1u << l;
            }
          v[t] = x[0];
          break;
        }
        case kind::warp_publish:
          v[t] += s[base + static_cast<std::size_t>(next_here(mask, static_cast<int>(lane), width))];
          break;
        case kind::loop:
          break;
        case kind::loop_by_v:
          break;
      }
    }
    if (o.what == kind::leave)
      for (std::size_t t = 1; t < size; ++t)
        if (static_cast<word>(t) % o.a == o.b) live[t] = false;
    if (o.what == kind::loop || o.what == kind::loop_by_v) {
      first = pc + 1, last = pc + o.length;
      left = o.what == kind::loop ? o.a : 1 + v[0] % o.a;
    }
    if (pc == last && left > 1) {
      --left;
      pc = first - 1;
    }
  }
  return v;
}

program make_program(std::mt19937& random) {
  const auto up_to = [&](word most) { return static_cast<word>(random() % most); };
  program p{};
  p.count = 3 + static_cast<int>(up_to(most_operations - 2));
  for (int i = 0; i < p.count; ++i) {
    operation& o = p.operations[i];
    o.what = static_cast<kind>(up_to(14));
    o.a = 2 + up_to(9);
    o.b = up_to(o.a);
    o.length = 0;
    if (o.what == kind::leave) o.a += 5;
    if (o.what == kind::loop || o.what == kind::loop_by_v) {
      // Loops do not nest: the body is made here.
      o.length = 1 + static_cast<int>(up_to(4));
      if (i + o.length >= p.count) {
        o.what = kind::arithmetic;
        continue;
      }
      for (int k = i + 1; k <= i + o.length; ++k) {
        operation& inner = p.operations[k];
        inner.what = static_cast<kind>(up_to(12));
        inner.a = 2 + up_to(9);
        inner.b = up_to(inner.a);
        if (inner.what == kind::leave) inner.a += 5;
      }
      i += o.length;
    }
  }
  return p;
}

std::string listing(const program& p) {
  std::string text;
  for (int i = 0; i < p.count; ++i)
    text += std::to_string(static_cast<int>(p.operations[i].what)) + "(" + std::to_string(p.operations[i].a) +
            "," + std::to_string(p.operations[i].b) + "," + std::to_string(p.operations[i].length) + ") ";
  return text;
}

template <int Width>
bool check(const program& p, int n, const path& where, word* out) {
  constexpr int blocks = 2;
  for (int i = 0; i < blocks * n; ++i) out[i] = 12345;
  amphi::launch<interpret<Width>>(where.policy, p, out);
  amphi::synchronize();
  for (int b = 0; b < blocks; ++b) {
    const std::vector<word> expected = expected_of(p, n, static_cast<word>(b), Width);
    if (!std::equal(expected.begin(), expected.end(), out + b * n)) return false;
  }
  return true;
}

// One program on one path; the paths take turns, and each program also runs on the backend in use.
bool run_seed(unsigned seed, word* out) {
  std::mt19937 random(seed);
  const program p = make_program(random);
  const int n = 1 + static_cast<int>(random() % most_threads);
  const auto width = static_cast<unsigned>(random() % 3);
  std::vector<path> paths = block_paths(2, n);
  // One worker: the kernels are so small that waking others would be all that is measured.
  for (path& where : paths) where.policy.workers = seed % 100 == 0 ? 2 : 1;
  for (const path* where : {&paths[0], &paths[1 + seed % (paths.size() - 1)]}) {
    bool good = false;
    if (width == 0) good = check<32>(p, n, *where, out);
    if (width == 1) good = check<8>(p, n, *where, out);
    if (width == 2) good = check<2>(p, n, *where, out);
    if (good) continue;
    ADD_FAILURE() << "AMPHI_TEST_SEED=" << seed << " gives another result on " << where->name << ", block of "
                  << n << ", width "
                  << (width == 0   ? 32
                      : width == 1 ? 8
                                   : 2)
                  << ": " << listing(p);
    return false;
  }
  return true;
}

}  // namespace

TEST(RandomKernels, AgreeWithTheInterpreter) {
  shared_data<word> out(2 * most_threads, 0u);
  if (const char* seed = std::getenv("AMPHI_TEST_SEED")) {
    (void)run_seed(static_cast<unsigned>(std::strtoul(seed, nullptr, 10)), out.data());
    return;
  }
  int wrong = 0;
#if AMPHI_TSAN
  constexpr unsigned programs = 200;
#else
  constexpr unsigned programs = 10000;
#endif
  for (unsigned seed = 1; seed <= programs && wrong < 3; ++seed) wrong += run_seed(seed, out.data()) ? 0 : 1;
}
