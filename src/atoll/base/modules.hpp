#pragma once
// This header gives names to addresses of functions and constants. A name stands for the same
// function or constant in all processes of a job, so messages can carry names. An address cannot be
// sent, because each process may have loaded the program and its shared libraries at different
// addresses. The load order of libraries cannot serve as a name, because an MPI library loads
// different plug-ins on different hosts. In this header, a module is the program or one shared
// library.

#include <cstdint>
#include <optional>
#include <vector>

namespace atl {

/// The name of an address, in 48 bits. The name 0 stands for no address. Functions and constants
/// never have names below 64, because the first 64 bytes of the program are the header of its file.
///
/// For an address in the program, the name is the offset from the beginning of the program. For an
/// address in a shared library, the highest bit of the name is set. The next 19 bits of the name
/// identify the library, and the lowest 28 bits are the offset in the library. The bits that
/// identify a library are a hash of its file name and build id. If a library has no build id, the
/// sizes of its segments are hashed instead.
using place_name = std::uint64_t;

/// The memory in which this process has loaded the program or a shared library.
struct loaded_module {
  std::uintptr_t begin = 0;
  std::uintptr_t bytes = 0;  ///< number of bytes, from `begin` on, whose addresses have names
  /// The `place_name` that stands for the address `begin`. The name of any other address of the
  /// module is `prefix` plus the offset from `begin`.
  place_name prefix = 0;
};

/// `module_at` finds the module that contains an address. `module_of` finds the module to which a
/// name belongs. The result is empty if there is no module, or if two libraries have the same
/// `prefix` (the upper bits of their names). `module_at` and `module_of` query the dynamic loader
/// and allocate no memory. Any thread may call `module_at` and `module_of`.
std::optional<loaded_module> module_at(std::uintptr_t address) noexcept;
std::optional<loaded_module> module_of(place_name name) noexcept;

/// Returns a hash that differs between different programs. The hash is computed from the build id
/// of the program, or from the sizes of its segments if there is no build id. The file of the
/// program is not read.
std::uint64_t hash_of_program_build() noexcept;

/// Translates addresses to names and names to addresses. The table caches the libraries that it has
/// found, and only one thread may use the table. A library in the cache stays loaded, even if the
/// program closes it by dlclose.
class module_table {
 public:
  module_table();

  /// Returns the `place_name` that stands for `address`. Returns 0 if no module contains the
  /// address, or if another library has the same `prefix` as the library of the address.
  place_name name_of(std::uintptr_t address) {
    const std::uintptr_t offset = address - program_.begin;
    if (offset < program_.bytes) [[likely]]
      return offset;
    return name_in_library(address);
  }

  /// Returns the address of `name` in this process. Returns 0 if this process has not loaded the
  /// program or library to which `name` belongs, or has loaded another version.
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
  // Cached libraries, in the order in which they were first needed.
  std::vector<loaded_module> libraries_;
};

}  // namespace atl
