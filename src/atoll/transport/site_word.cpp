#include "atoll/transport/site_word.hpp"

#include <dlfcn.h>

namespace atoll::transport {
namespace {

bool in_program(const void* address) {
  Dl_info unused;
  return dladdr(address, &unused) != 0;
}

}  // namespace

site site_of_word(std::uint64_t word) noexcept {
  const std::uint64_t address = word + reinterpret_cast<std::uintptr_t>(&site_anchor);
  if (word == 0 || address % alignof(void*) != 0) return {};
  if (!in_program(reinterpret_cast<const void*>(address))) return {};
  const site found = site::from_word(address);
  return in_program(found.file()) ? found : site();
}

}  // namespace atoll::transport
