#pragma once
// A site inside a message. PEs of one binary may have loaded it at different addresses, so a site
// travels as its distance from an anchor in the program.

#include "atoll/transport/site_word.hpp"

namespace atoll::transport {

/// Trivially copyable. Becomes the unknown site where the constant does not lie in the program
/// itself (in a shared library, say).
class travelling_site {
 public:
  travelling_site(site where) noexcept
      : word_(lies_in_program(where.word()) ? site_word(where) : 0) {}

  operator site() const noexcept {
    const std::uint64_t address = word_ + reinterpret_cast<std::uintptr_t>(&site_anchor);
    return word_ != 0 && lies_in_program(address) ? site::from_word(address) : site();
  }

 private:
  static bool lies_in_program(std::uint64_t address) noexcept;

  std::uint64_t word_;
};

}  // namespace atoll::transport

// Of the linker: where the program begins, and where its data ends.
extern "C" const char __executable_start;
extern "C" const char _end;

namespace atoll::transport {

inline bool travelling_site::lies_in_program(std::uint64_t address) noexcept {
  return address - reinterpret_cast<std::uintptr_t>(&__executable_start) <
         static_cast<std::uint64_t>(&_end - &__executable_start);
}

}  // namespace atoll::transport
