#pragma once
// A site inside a message. PEs may have loaded the program and its libraries at different
// addresses, so a site travels by name.

#include "atoll/base/pe.hpp"
#include "atoll/transport/site_word.hpp"

namespace atl::transport {

/// Trivially copyable. Within a job only. Becomes the unknown site on a PE that has not loaded the
/// shared library in which the constant lies.
class travelling_site {
 public:
  travelling_site(site where) : word_(site_word(*this_pe().modules, where)) {}

  operator site() const {
    return word_ != 0 ? site::from_word(this_pe().modules->address_of(word_)) : site();
  }

 private:
  std::uint64_t word_;
};

}  // namespace atl::transport
