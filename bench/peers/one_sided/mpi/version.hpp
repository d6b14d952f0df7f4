#pragma once
// The name and version of the MPI library.

#include <mpi.h>

#include <algorithm>
#include <string>

namespace bench::one_sided {

/// Returns for example "Open MPI v4.1.4" or "MPICH Version: 4.0.2". Details after a comma or on
/// further lines are removed. May be called before the library is initialised.
inline std::string mpi_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string name(text);
  name.resize(std::min(name.find_first_of(",\n"), name.size()));
  std::replace(name.begin(), name.end(), '\t', ' ');
  return name;
}

}  // namespace bench::one_sided
