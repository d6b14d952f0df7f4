#pragma once
// Binds each OpenMP thread to its own processor.

#include <omp.h>

#include "support/cores.hpp"

namespace bench {

/// Sets the number of OpenMP threads and binds the threads to processors. The program must call the
/// function before its first parallel region.
inline void bind_threads(std::uint64_t threads) {
  available_processors();  // stores the list of processors before any thread is bound
  omp_set_num_threads(static_cast<int>(threads));
#pragma omp parallel
  pin_to_processor(static_cast<std::size_t>(omp_get_thread_num()));
}

}  // namespace bench
