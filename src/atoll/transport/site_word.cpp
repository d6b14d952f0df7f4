#include "atoll/transport/site_word.hpp"

#include <dlfcn.h>

namespace atoll::transport {

site site_of_word(std::uint64_t word) noexcept {
  const std::uint64_t address = word + reinterpret_cast<std::uintptr_t>(&site_anchor);
  Dl_info unused;
  const bool in_program = word != 0 && address % alignof(void*) == 0 &&
                          dladdr(reinterpret_cast<const void*>(address), &unused) != 0;
  return in_program ? site::from_word(address) : site();
}

}  // namespace atoll::transport
