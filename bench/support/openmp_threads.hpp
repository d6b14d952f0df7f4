#pragma once
// Threads of OpenMP, each on a processor of its own.

#include <omp.h>

#include "support/cores.hpp"

namespace bench {

/// So many from now on. Before the first parallel region.
inline void bind_threads(std::uint64_t threads) {
  available_processors();  // before the first thread is bound to one of them
  omp_set_num_threads(static_cast<int>(threads));
#pragma omp parallel
  pin_to_processor(static_cast<std::size_t>(omp_get_thread_num()));
}

}  // namespace bench
