#pragma once
// Which MPI library this is.

#include <mpi.h>

#include <algorithm>
#include <string>

namespace bench::one_sided {

/// "Open MPI v4.1.4", "MPICH Version: 4.0.2": the libraries go on about how they were built, behind
/// a comma or on further lines. May be called before the library is initialised.
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
