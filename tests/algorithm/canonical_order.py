# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reproduces the bits of reduce, segmented_reduce and inclusive_scan from include/amphi/algorithm/README.md.

usage: canonical_order.py PROGRAM

PROGRAM (canonical_order.cpp) prints lines "kind type n seed hex…" with results of the library; this script computes the
same with NumPy and compares bits. Where neither the calling Python nor the system's has NumPy it says so and exits with 77,
which CTest counts as skipped."""
import os
import subprocess
import sys

try:
    import numpy as np
except ImportError:
    # A package of the system is there for the system's interpreter only.
    system = "/usr/bin/python3"
    if os.path.exists(system) and os.path.realpath(sys.executable) != os.path.realpath(system):
        os.execv(system, [system] + sys.argv)
    print("skipped: NumPy is not installed")
    sys.exit(77)


def inputs(n, dtype, seed):
    """Element i is a small hash of i and the seed, in [-0.5, 0.5) times a power of two."""
    i = np.arange(n, dtype=np.uint64) * np.uint64(2) + np.uint64(seed)
    h = (i * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)
    u = (h & np.uint64(0xFFFFFF)).astype(np.float64) / 16777216.0 - 0.5
    return np.ldexp(u, (h >> np.uint64(24) & np.uint64(15)).astype(np.int32)).astype(dtype)


def tile_sum(x):
    lanes = x[:1024].copy()
    for r in range(1024, len(x), 1024):
        row = x[r:r + 1024]
        lanes[:len(row)] += row
    d = 512
    while d > 0:
        right = lanes[d:2 * d]
        lanes[:len(right)] += right
        lanes = lanes[:d]
        d //= 2
    return lanes[0]


def reduce(x, init):
    if len(x) == 0:
        return init
    n = len(x)
    rows = 4 if n < 2**20 else 8 if n < 2**21 else 16 if n < 2**23 else 32 if n < 2**26 else 64
    tiles = np.array([tile_sum(x[b:b + rows * 1024]) for b in range(0, len(x), rows * 1024)], dtype=x.dtype)
    return init + (tiles[0] if len(tiles) == 1 else tile_sum(tiles))


def segmented_reduce(x, init):
    """Segment k has 37 k² mod 9001 elements."""
    sums, begin = [], 0
    for k in range(len(x) // 4500):
        end = min(len(x), begin + 37 * k * k % 9001)
        sums.append(reduce(x[begin:end], init))
        begin = end
    return np.array(sums, dtype=x.dtype)


def inclusive_scan(x):
    items = 32 if x.itemsize <= 4 else 16
    y = np.empty_like(x)
    p = None
    for tile in range(0, len(x), 512 * items):
        w_left = None
        for warp in range(tile, min(len(x), tile + 512 * items), 32 * items):
            part = x[warp:min(len(x), warp + 32 * items)]
            threads = [np.add.accumulate(part[t:t + items]) for t in range(0, len(part), items)]
            sums = np.array([t[-1] for t in threads], dtype=x.dtype)
            d = 1
            while d < 32:
                sums[d:] = sums[:-d] + sums[d:]
                d *= 2
            at = warp
            for l, s in enumerate(threads):
                q = None
                for part_before in (p, w_left, sums[l - 1] if l > 0 else None):
                    if part_before is not None:
                        q = part_before if q is None else q + part_before
                y[at:at + len(s)] = s if q is None else q + s
                at += len(s)
            w_left = sums[-1] if w_left is None else w_left + sums[-1]
        p = w_left if p is None else p + w_left
    return y


def checksum(y):
    """Bits of all elements folded into 64: a, then a = a * 31 + bits, modulo 2^64."""
    bits = y.view(np.uint32 if y.itemsize == 4 else np.uint64).astype(np.uint64)
    powers = np.ones(len(bits), dtype=np.uint64)
    powers[1:] = np.uint64(31)
    powers = np.multiply.accumulate(powers)[::-1]
    return int(np.sum(bits * powers, dtype=np.uint64))


failures = 0
lines = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout.split("\n")
for line in filter(None, lines):
    kind, type_name, n, seed, result = line.split()
    x = inputs(int(n), np.float32 if type_name == "float" else np.float64, int(seed))
    if kind == "reduce":
        expected = checksum(np.array([reduce(x, x.dtype.type(0.5))]))
    elif kind == "segments":
        expected = checksum(segmented_reduce(x, x.dtype.type(0.5)))
    else:
        expected = checksum(inclusive_scan(x))
    if expected != int(result, 16):
        failures += 1
        print(f"{line}: expected {expected:016x}")
print(f"{len(lines) - 1} results compared, {failures} differ")
sys.exit(1 if failures or len(lines) < 20 else 0)
