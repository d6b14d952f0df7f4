#pragma once
// A site (place in the source) as one integer that means the same on every PE. The integer can be
// stored in shared memory and sent in messages.
//
// The integer is the name (base/modules.hpp) of the site's constant in the program or in a shared
// library. The name does not depend on the address at which a process has loaded the program or
// library. The integer 0 stands for an unknown site.

#include "atoll/base/modules.hpp"
#include "atoll/base/pe.hpp"
#include "atoll/base/site.hpp"

namespace atl::transport {

/// Returns the integer that stands for the site `where`. For a site in the program this takes only
/// a subtraction and a comparison, because it happens whenever a task starts.
inline std::uint64_t site_word(module_table& modules, site where) {
  return modules.name_of(where.word());
}

/// Returns the site for which `word` stands, after asking the loader. The word may come from a PE
/// that has died after writing out of bounds, so it may be invalid. The result is the unknown site
/// if the word is 0, invalid, or of a library that this process has not loaded.
site site_of_word(std::uint64_t word) noexcept;

// A message contains the name of a site and not its address, because PEs may have loaded the
// program at different addresses.

/// A trivially copyable site, which messages of a job may contain. On a PE that has not loaded the
/// site's shared library, the object converts to the unknown site.
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
