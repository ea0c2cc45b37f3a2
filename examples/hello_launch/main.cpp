// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
//
// hello_launch: the three things that can be launched, a function, a function object and a lambda. Each
// thread says where it stands. Threads greet in any order; with amphi::serial one thread does all the work,
// in order, and the same kernel can be read line by line, also in a debugger.

#include <cstdio>
#include <exception>

#include "amphi/execution/launch.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/runtime/device.hpp"
#include "common/command_line.hpp"

namespace {

// A function: an ordinary one with a mark.
AMPHI_LAUNCHABLE void hello(int year) {
  const auto block = amphi::block_index(), thread = amphi::thread_index();
  printf("  function  block %u of %u, thread %u of %u, in %d\n", block.x, amphi::grid_extent().x, thread.x,
         amphi::block_extent().x, year);
}

// A function object: it carries its own data to the threads.
struct greeter {
  int year;
  AMPHI_HOST_DEVICE void operator()() const {
    printf("  object    block %u, thread %u, in %d\n", amphi::block_index().x, amphi::thread_index().x, year);
  }
};

// A loop that any grid can run: many threads share it, one thread does it all.
AMPHI_LAUNCHABLE void greet_everybody(int people) {
  for (const int i : amphi::grid_stride_range(0, people))
    printf("  person %d is greeted by thread %d of %d\n", i, static_cast<int>(amphi::global_thread_index()),
           static_cast<int>(amphi::global_thread_count()));
}

}  // namespace

int main(int argc, char** argv) try {
  example::command_line options(argc, argv, "launches a function, a function object and a lambda");
  const auto blocks = static_cast<int>(options.number("--blocks", 2, 1, 1000, "blocks of the grid"));
  const auto threads = static_cast<int>(options.number("--threads", 3, 1, 1024, "threads of a block"));
  options.finish();

  const amphi::policy geometry{.grid = blocks, .block = threads};
  std::printf("%d blocks of %d threads, in any order:\n", blocks, threads);
  amphi::launch<hello>(geometry, 2026);
  amphi::synchronize();  // a GPU prints when it is asked to finish
  amphi::launch(geometry, greeter{2026});
  amphi::synchronize();

  // A lambda captures by value what it needs; of an array, the view.
  amphi::array<int> greetings(blocks * threads, 0);
  const auto count = greetings.read_write(geometry);
  amphi::launch(geometry, [=] AMPHI_LAMBDA() {
    printf("  lambda    block %u, thread %u\n", amphi::block_index().x, amphi::thread_index().x);
    ++count[amphi::global_thread_index()];
  });
  amphi::synchronize();

  std::printf("one thread, in order (amphi::serial):\n");
  amphi::launch<greet_everybody>(amphi::serial, 2 * threads);
  amphi::synchronize();
  std::printf("an ordinary call, in order:\n");
  greet_everybody(3);

  for (int i = 0; i < blocks * threads; ++i) {
    if (const int said = greetings.host_read()[i]; said != 1) {
      std::printf("thread %d greeted %d times, expected once\n", i, said);
      return 1;
    }
  }
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
