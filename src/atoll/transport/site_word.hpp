#pragma once
// A site is a place in the source code: a file and a line. This file converts a site to an integer
// that has the same meaning on every PE. The integer can be stored in shared memory and sent in
// messages.
//
// The compiler stores each site as a constant in the program or in a shared library. The integer
// that stands for a site is the name of the site's constant (base/modules.hpp). The name does not
// depend on the address at which a process has loaded the program or library. The integer 0 stands
// for an unknown site.

#include "atoll/base/modules.hpp"
#include "atoll/base/pe.hpp"
#include "atoll/base/site.hpp"

namespace atl::transport {

/// Returns the integer that stands for the site `where`. The function must be fast, because it is
/// called whenever a task starts. For a site in the program, the function only subtracts and
/// compares.
inline std::uint64_t site_word(module_table& modules, site where) {
  return modules.name_of(where.word());
}

/// Returns the site for which `word` stands. The word may be invalid, because a PE may have
/// overwritten it before its death. The function therefore asks the loader whether the site exists.
/// If the word is 0 or invalid, or if this process has not loaded the site's library, the result is
/// the unknown site.
site site_of_word(std::uint64_t word) noexcept;

// Messages contain the name of a site instead of its address, because PEs may have loaded the
// program at different addresses.

/// A site in a form that messages of a job may contain. The receiver converts the object back to a
/// site. If the receiver has not loaded the site's shared library, the result is the unknown site.
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
