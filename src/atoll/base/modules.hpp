#pragma once
// Names for addresses in the program and its shared libraries. Processes that have loaded the same
// files have them at different addresses, and not always in the same order: an MPI library loads
// parts of itself as it finds its host.

#include <cstdint>
#include <optional>
#include <vector>

namespace atl {

/// 48 bits. In the program: the offset. In a shared library: the highest bit, 19 bits that stand
/// for the library (a hash of its file name and of its build id, or without that of the sizes of
/// its segments), 28 of the offset.
/// 0 is nowhere, and no function or constant has a name below 64.
using place_name = std::uint64_t;

/// The program, or a shared library, as this process has loaded it.
struct loaded_module {
  std::uintptr_t begin = 0;
  std::uintptr_t bytes = 0;  ///< those that can be named
  place_name prefix = 0;     ///< of all names in it
};

/// These two ask the loader, take no memory, and find nothing where two libraries have the same
/// prefix. Any thread.
std::optional<loaded_module> module_at(std::uintptr_t address) noexcept;
std::optional<loaded_module> module_of(place_name name) noexcept;

/// Tells the program from others without its file: a hash of its build id, or without that of the
/// sizes of its segments.
std::uint64_t hash_of_program_build() noexcept;

/// Remembers the modules it was asked for. One thread. A library whose places were named stays
/// loaded, whoever closes it.
class module_table {
 public:
  module_table();

  /// 0 where the address lies in no module, or in one that cannot be named.
  place_name name_of(std::uintptr_t address) {
    const std::uintptr_t offset = address - program_.begin;
    if (offset < program_.bytes) [[likely]]
      return offset;
    return name_in_library(address);
  }

  /// The inverse; 0 where this process has not loaded the module, or another version of it.
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
  std::vector<loaded_module> libraries_;  // in the order in which they were asked for
};

}  // namespace atl
