// Prints the version of this OpenSHMEM and its environment variables.

#include "atoll/shmem_tasks.hpp"

#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
  if (argc > 1) {
    const bool asks = std::strcmp(argv[1], "--help") == 0;
    std::fputs("usage: shmem_info\nSays which OpenSHMEM this is, and lists its variables.\n",
               asks ? stdout : stderr);
    return asks ? 0 : 2;
  }
  atl::shmem::say_version();
  atl::shmem::say_variables();
  return std::fflush(stdout) == 0 ? 0 : 2;
}
