#pragma once
// A site as one word that means the same in every PE: for shared memory, and for messages.
//
// The word is the name of the site's constant, in the program or in a shared library, whatever
// addresses the loader has given the two in this process. 0 is nowhere.

#include "atoll/base/modules.hpp"
#include "atoll/base/pe.hpp"
#include "atoll/base/site.hpp"

namespace atl::transport {

/// A subtraction and a comparison, for a site in the program: it happens whenever a task starts.
inline std::uint64_t site_word(module_table& modules, site where) {
  return modules.name_of(where.word());
}

/// The site behind a word that another PE has written; an unknown one when the word is 0, does not
/// point into the program or a library (the PE may have died because it wrote where it should
/// not), or means a library that this process has not loaded. Asks the loader.
site site_of_word(std::uint64_t word) noexcept;

// A site inside a message travels by name, for PEs may have loaded the program and its libraries at
// different addresses.

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
