# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads what tune reports print with the parsers of Python: python check_outputs.py <print_outputs> <folder>."""
import csv
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as xml

program, folder = sys.argv[1:]
subprocess.run([program, folder], check=True)


def path(name):
    return os.path.join(folder, name)


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: {got!r}, expected {wanted!r}")


KERNEL = 'a "quoted" <kernel> & more, \\ too'
NOTE = 'DIFFERS: element 3, "bits"\nsecond line'

with open(path("hand.json"), encoding="utf-8") as f:
    report = json.load(f)
expect("kernel", report["kernel"], KERNEL)
expect("device", report["device"], {"name": "Some GPU", "sm": 90, "backend": "cuda", "multiprocessors": 132})
expect("identical", report["identical"], False)
expect("messages", report["messages"], ['one "message"'])
expect("values", [r["value"] for r in report["rows"]], ["64", "128", "100", "2048", "7"])
expect("times", [r["ms"] for r in report["rows"]], [0.5, 0.25, 0.125, None, None])
expect("quartiles", report["rows"][0]["ms_quartiles"], [0.4375, 0.625])
expect("occupancy", [r["occupancy"] for r in report["rows"]], [1, 0.5, 0.75, None, None])
expect("results", [r["result"] for r in report["rows"]],
       ["measured", "measured", "different", "refused", "failed"])
expect("note", report["rows"][2]["note"], NOTE)
expect("geometry", (report["rows"][0]["grid"], report["rows"][0]["block"]), ([264, 1, 1], [32, 4, 1]))
expect("best", report["best"], 1)

with open(path("hand.csv"), encoding="utf-8", newline="") as f:
    rows = list(csv.DictReader(f))
expect("csv kernel", {r["kernel"] for r in rows}, {KERNEL})
expect("csv values", [r["value"] for r in rows], ["64", "128", "100", "2048", "7"])
expect("csv times", [r["ms"] for r in rows], ["0.5", "0.25", "0.125", "", ""])
expect("csv best", [r["best"] for r in rows], ["0", "1", "0", "0", "0"])
expect("csv block", rows[0]["block"], "32x4")
expect("csv note", rows[2]["note"], NOTE)
expect("csv columns", {None in r or None in r.values() for r in rows}, {False})

SVG = "{http://www.w3.org/2000/svg}"
root = xml.parse(path("hand.svg")).getroot()
expect("svg root", root.tag, SVG + "svg")
points = root.find(SVG + "polyline").get("points").split()
expect("points of the line", len(points), 3)
heights = [float(p.split(",")[1]) for p in points]
expect("more GB/s stand higher", heights[0] > heights[1] > heights[2], True)
expect("crosses", len(root.findall(SVG + "path")), 2)
expect("markers and a ring", len(root.findall(SVG + "circle")), 3 + 1)
expect("kernel in a tooltip", any(KERNEL in (t.text or "") for t in root.iter(SVG + "title")), True)
x = [float(c.get("cx")) for c in root.findall(SVG + "circle") if c.get("r") == "8.0" or c.get("r") == "8"]
expect("the ring is at the winner", x, [float(points[1].split(",")[0])])
words = [t.text for t in root.iter(SVG + "text")]
expect("unit", "GB/s" in words, True)

root = xml.parse(path("two.svg")).getroot()
words = [t.text for t in root.iter(SVG + "text")]
expect("title", words[0], 'a <title> & "more"')
expect("ms, as one report counts no bytes", "ms" in words and "GB/s" not in words, True)
expect("a line each", len(root.findall(SVG + "polyline")), 2)
expect("legend", "the other" in words and KERNEL in words, True)

with open(path("empty.json"), encoding="utf-8") as f:
    report = json.load(f)
expect("nothing ran", (report["rows"], report["best"], report["identical"]), ([], None, None))
with open(path("empty.csv"), encoding="utf-8", newline="") as f:
    expect("csv without rows", len(list(csv.DictReader(f))), 0)
xml.parse(path("empty.svg"))
print("json, csv and svg are read as they were meant")
