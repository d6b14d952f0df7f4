#pragma once
// The variables of the environment that OpenSHMEM 1.5 names (chapter 8).

#include <cstddef>

namespace atl::shmem {

struct environment_variables {
  bool says_version = false;
  bool says_information = false;
  bool says_more = false;
  std::size_t symmetric_size = 0;  ///< bytes; SIZE_MAX: as much as there is
};

/// Read when it is first asked for. Throws atl::error (input) for a bad value.
const environment_variables& variables();

/// What a user asks for by SHMEM_VERSION and SHMEM_INFO, on standard output.
void say_what_is_asked_for();

}  // namespace atl::shmem
