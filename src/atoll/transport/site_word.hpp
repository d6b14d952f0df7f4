#pragma once
// A site as one word that means the same in every PE, for shared memory and messages.
//
// The word is the name of the site's constant, in the program or in a shared library. It does not
// depend on the addresses at which this process has loaded them. 0 is an unknown site.

#include "atoll/base/modules.hpp"
#include "atoll/base/pe.hpp"
#include "atoll/base/site.hpp"

namespace atl::transport {

/// Returns the word of a site. For a site in the program this is a subtraction and a comparison,
/// because it happens whenever a task starts.
inline std::uint64_t site_word(module_table& modules, site where) {
  return modules.name_of(where.word());
}

/// Returns the site of a word that another PE has written. The site is unknown if the word is 0 or
/// does not point into the program or a library. (A PE that wrote out of bounds may have died
/// because of it.) The site is also unknown if this process has not loaded the library. Asks the
/// loader.
site site_of_word(std::uint64_t word) noexcept;

// A site inside a message travels by name, because PEs may have loaded the program and its
// libraries at different addresses.

/// A trivially copyable site, valid within a job. It becomes the unknown site on a PE that has not
/// loaded the shared library with the constant.
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
