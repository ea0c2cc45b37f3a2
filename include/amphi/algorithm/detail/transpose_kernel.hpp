// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/tasks.hpp"
#include "amphi/algorithm/detail/transpose_block.hpp"
#include "amphi/algorithm/detail/transpose_core.hpp"
#include "amphi/algorithm/detail/transpose_thin.hpp"
#include "amphi/algorithm/detail/transpose_words.hpp"

// Which kernel transposes a matrix.

namespace amphi::detail {

// As many threads as registers for each allow, so that much is in flight.
template <int Threads, int Resident, class Body>
void launch_blocks(const algorithm_plan& plan, std::int64_t blocks, const Body& body) {
  launch_algorithm<gpu_kernel<Body, Threads, Resident>>(with_geometry(plan.launch, blocks, Threads), blocks,
                                                        body);
}

template <tile_form Form, class T>
void transpose_in_blocks(const algorithm_plan& plan, const transposition<T>& d) {
  using body = transpose_in_block<T, Form>;
  const tile_grid tiles(d, body::width, body::height, Form == tile_form::in_place);
  launch_blocks<body::tile.threads, sizeof(T) <= 8 ? 3 : 1>(plan, tiles.count(), body{d, tiles});
}

template <bool InPlace, class T>
void transpose_on_gpu(const algorithm_plan& plan, const transposition<T>& d) {
  if constexpr (transposes_in_block<T, InPlace>) {
    if (plan.automatic) {
      if constexpr (!InPlace) {
        using thin = transpose_thin<T>;
        if (d.nx <= thin::most || d.ny <= thin::most) {
          const thin body(d);
          return launch_blocks<thin::threads, thin::resident>(plan, body.tiles(), body);
        }
      }
      if constexpr (sizeof(T) <= 2) {
        using words = transpose_words<T, InPlace>;
        if constexpr (sizeof(T) == 1 && !InPlace) {
          using tall = transpose_words<T, false, true>;
          if (d.ny >= tall::height && tall::fits_sectors(d)) {
            const tile_grid tiles(d, tall::width, tall::height, false);
            return launch_blocks<tall::threads, 3>(plan, tiles.count(), tall{d, tiles});
          }
        }
        if (words::fits(d)) {
          const tile_grid tiles(d, words::width, words::height, InPlace);
          return launch_blocks<words::threads, 3>(plan, tiles.count(), words{d, tiles});
        }
      }
      if constexpr (InPlace) {
        return transpose_in_blocks<tile_form::in_place>(plan, d);
      } else if constexpr (sizeof(T) <= 4) {
        if (d.ny <= 64) return transpose_in_blocks<tile_form::wide>(plan, d);
      }
      if constexpr (!InPlace) return transpose_in_blocks<tile_form::tall>(plan, d);
    }
  }
  launch_tasks(plan, d.nx * d.ny, transpose_elements<T>{d, InPlace, d.ny < d.nx});
}

template <class T>
void transpose_matrix(const policy& p, const transposition<T>& d, bool in_place) {
  const algorithm_plan plan = plan_algorithm(transpose_name, p, transpose_threads);
  if constexpr (AMPHI_CUDA != 0) {
    if (plan.on_gpu) return in_place ? transpose_on_gpu<true>(plan, d) : transpose_on_gpu<false>(plan, d);
  }
  using tile = transpose_tile<T>;
  const tile_grid tiles(d, tile::edge, tile::edge, in_place);
  launch_host_tasks(plan, tiles.count(), tile{d, tiles});
}

}  // namespace amphi::detail
