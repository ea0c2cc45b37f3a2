# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause
"""Threads of a block in gdb, while amphi plays a GPU on the CPU.

  (gdb) source amphi.py
  (gdb) amphi threads            the block that runs, its suspended threads and where they wait
  (gdb) amphi thread (3,0,0)     bt, up, down and print work in that thread; frame 0 stays where the program is
  (gdb) amphi thread             back to the thread that runs

A selection ends when the program goes on. It reads memory only: nothing in the program changes.
"""
import re
import struct

import gdb
from gdb.unwinder import Unwinder

NAMES = ("version switch next context waiting waiting_end ready_at ready_end file line lane warps warp_size "
         "arrival_size arrival_at arrival_thread fiber_context fiber_thread fiber_file fiber_line "
         "fiber_apart barrier block extent kernel running").split()
NATIVE, BOOST = 1, 2  # of `switch`


def read(address, form):
    data = gdb.selected_inferior().read_memory(address, struct.calcsize(form)).tobytes()
    values = struct.unpack(form, data)
    return values[0] if len(values) == 1 else values


def text_at(address):
    if address == 0:
        return "?"
    return gdb.Value(address).cast(gdb.lookup_type("char").pointer()).string()


def symbol(name):
    return int(gdb.parse_and_eval("*(long*)&" + name))


def layout():
    try:
        table = symbol("amphi_engine_layout")
    except gdb.error:
        raise gdb.GdbError("amphi is not in this program, or it has not started")
    values = [read(table + 8 * i, "q") for i in range(len(NAMES))]
    if values[0] != 3:
        raise gdb.GdbError("this script is for another version of amphi (engine layout %d)" % values[0])
    return dict(zip(NAMES, values))


class Suspended:
    def __init__(self, thread, place, at):
        self.thread, self.place, self.at = thread, place, at


class Engine:
    """One block that an OS thread runs."""

    def __init__(self, address, l):
        self.l, self.address = l, address
        context = read(address + l["context"], "Q")
        self.kernel = text_at(read(context + l["kernel"], "Q"))
        self.block = read(context + l["block"], "III")
        self.extent = read(context + l["extent"], "III")
        self.running = read(read(context + l["running"], "Q"), "III")
        self.suspended = []
        self.arrivals("waiting", "waiting_end", "")
        self.arrivals("ready_at", "ready_end", " (released)")
        self.lanes()
        self.suspended.sort(key=lambda s: self.rank(s.thread))

    def rank(self, t):
        return (t[2] * self.extent[1] + t[1]) * self.extent[0] + t[0]

    def place(self, fiber, apart):
        l = self.l
        if apart:
            return "%s:%d" % (text_at(read(fiber + l["fiber_file"], "Q")), read(fiber + l["fiber_line"], "i"))
        return "%s:%d" % (text_at(read(self.address + l["file"], "Q")), read(self.address + l["line"], "i"))

    def arrivals(self, first, end, remark):
        l = self.l
        number = read(self.address + l["barrier"], "q")
        for entry in range(read(self.address + l[first], "Q"), read(self.address + l[end], "Q"), l["arrival_size"]):
            fiber = read(entry, "Q")
            at, thread = read(entry + l["arrival_at"], "Q"), read(entry + l["arrival_thread"], "Q")
            if at == 0:
                at, thread = read(fiber + l["fiber_context"], "Q"), read(fiber + l["fiber_thread"], "Q")
            thread = read(thread, "III")
            apart = read(fiber + l["fiber_apart"], "q") == number
            self.suspended.append(Suspended(thread, self.place(fiber, apart) + remark, at))

    def lanes(self):
        l = self.l
        array = read(self.address + l["lane"], "Q")
        for w in range(32):
            mask = read(self.address + l["warps"] + w * l["warp_size"], "I")
            for lane in range(32):
                if mask >> lane & 1:
                    fiber = read(array + 8 * (32 * w + lane), "Q")
                    self.suspended.append(Suspended(read(read(fiber + l["fiber_thread"], "Q"), "III"), self.place(fiber, True),
                                                    read(fiber + l["fiber_context"], "Q")))


def engines():
    l = layout()
    address = symbol("amphi_engines")
    while address:
        yield Engine(address, l)
        address = read(address + l["next"], "Q")


class SuspendedFrames(Unwinder):
    """Puts the frames of the selected thread behind frame 0."""

    def __init__(self):
        super().__init__("amphi")
        self.selected = None

    def __call__(self, pending):
        if self.selected is None:
            return None
        sp = pending.read_register("rsp")
        if int(sp) != self.real_sp:
            return None
        at, order = self.selected.at, ("r15", "r14", "r13", "r12", "rbx", "rbp")
        if self.switch == BOOST:
            at, order = at + 8, ("r12", "r13", "r14", "r15", "rbx", "rbp")
        info = pending.create_unwind_info(FrameId(sp, pending.read_register("rip")))
        values = dict(zip(order, read(at, "6Q")))
        values["rip"], values["rsp"] = read(at + 48, "Q"), at + 56
        kind = gdb.lookup_type("unsigned long")
        for name, value in values.items():
            info.add_saved_register(name, gdb.Value(value).cast(kind))
        return info

    def select(self, suspended, switch):
        self.selected = None
        gdb.invalidate_cached_frames()
        self.real_sp = int(gdb.newest_frame().read_register("rsp"))
        self.selected, self.switch = suspended, switch
        gdb.invalidate_cached_frames()


class FrameId:
    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


frames = SuspendedFrames()
gdb.unwinder.register_unwinder(None, frames, True)
gdb.events.cont.connect(lambda event: setattr(frames, "selected", None))


def show(t):
    return "(%d,%d,%d)" % tuple(t)


class Amphi(gdb.Command):
    """Commands for threads of a block that amphi plays on the CPU: amphi threads, amphi thread (x,y,z)."""

    def __init__(self):
        super().__init__("amphi", gdb.COMMAND_STACK, prefix=True)


class Threads(gdb.Command):
    """List the threads of the blocks that run on the CPU, and where they wait."""

    def __init__(self):
        super().__init__("amphi threads", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        shown = False
        for e in engines():
            if not e.suspended:
                continue
            shown = True
            print("kernel %s, block %s of %s threads; %s runs" %
                  (e.kernel, show(e.block), "x".join(map(str, e.extent)), show(e.running)))
            groups = []
            for s in e.suspended:
                if groups and groups[-1][2] == s.place and e.rank(s.thread) == e.rank(groups[-1][1]) + 1:
                    groups[-1][1] = s.thread
                else:
                    groups.append([s.thread, s.thread, s.place])
            for first, last, place in groups:
                print("  %-24s waits at %s" % (show(first) + ("" if first == last else " ... " + show(last)), place))
        if not shown:
            print("No thread of a block waits.")


class Thread(gdb.Command):
    """Look into a suspended thread: amphi thread (3,0,0). Without argument: back to the one that runs."""

    def __init__(self):
        super().__init__("amphi thread", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        numbers = [int(n) for n in re.findall(r"\d+", argument)]
        if not numbers:
            frames.selected = None
            gdb.invalidate_cached_frames()
            return
        wanted = tuple((numbers + [0, 0])[:3])
        for e in engines():
            for s in e.suspended:
                if s.thread != wanted:
                    continue
                if e.l["switch"] not in (NATIVE, BOOST):
                    raise gdb.GdbError("amphi was built with AMPHI_STACK_SWITCH=libc, whose stacks can't be read")
                frames.select(s, e.l["switch"])
                gdb.execute("frame 1", to_string=True)
                print("thread %s of block %s in kernel %s, waits at %s" % (show(s.thread), show(e.block), e.kernel, s.place))
                gdb.execute("frame")
                return
            if e.suspended and e.running == wanted:
                raise gdb.GdbError("thread %s is the one that runs: bt shows it" % show(wanted))
        raise gdb.GdbError("no suspended thread %s: see 'amphi threads'" % show(wanted))


Amphi()
Threads()
Thread()
