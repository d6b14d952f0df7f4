#pragma once
// Names for addresses in the program and its shared libraries. Processes with the same files may
// have loaded them at different addresses. The order may also differ, because an MPI library loads
// parts of itself depending on its host.

#include <cstdint>
#include <optional>
#include <vector>

namespace atl {

/// A name of 48 bits; 0 is no address, and no function or constant has a name below 64.
///
/// In the program, the name is the offset. In a shared library, the name has the highest bit set,
/// 19 bits that identify the library, and 28 bits of offset. The 19 bits are a hash of the
/// library's file name and build id; without a build id, of the sizes of its segments.
using place_name = std::uint64_t;

/// The program, or a shared library, as this process has loaded it.
struct loaded_module {
  std::uintptr_t begin = 0;
  std::uintptr_t bytes = 0;  ///< size that can be named
  place_name prefix = 0;     ///< common prefix of all names in the module
};

/// The next two functions find the module of an address, or of a name. They ask the loader,
/// allocate no memory, and find nothing if two libraries have the same prefix. Any thread.
std::optional<loaded_module> module_at(std::uintptr_t address) noexcept;
std::optional<loaded_module> module_of(place_name name) noexcept;

/// Returns a hash that distinguishes the program from others without its file. The hash is of its
/// build id, or without one of the sizes of its segments.
std::uint64_t hash_of_program_build() noexcept;

/// Remembers the modules it was asked for; used by one thread. A library with named places stays
/// loaded, even if it is closed.
class module_table {
 public:
  module_table();

  /// Returns the name of an address; 0 if it is in no module, or in one that cannot be named.
  place_name name_of(std::uintptr_t address) {
    const std::uintptr_t offset = address - program_.begin;
    if (offset < program_.bytes) [[likely]]
      return offset;
    return name_in_library(address);
  }

  /// Returns the address of a name; 0 if this process has not loaded the module, or another version
  /// of it.
  std::uintptr_t address_of(place_name name) {
    if (name - 1 < program_.bytes - 1) [[likely]]
      return program_.begin + name;
    return address_in_library(name);
  }

 private:
  place_name name_in_library(std::uintptr_t address);
  std::uintptr_t address_in_library(place_name name);
  void remember(const loaded_module& library);

  loaded_module program_;
  std::vector<loaded_module> libraries_;  // in the order of the first request
};

}  // namespace atl
