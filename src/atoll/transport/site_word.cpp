#include "atoll/transport/site_word.hpp"

#include <dlfcn.h>

namespace atl::transport {
namespace {

bool is_loaded(const void* address) {
  Dl_info unused;
  return dladdr(address, &unused) != 0;
}

}  // namespace

site site_of_word(std::uint64_t word) noexcept {
  const auto module = module_of(word);
  if (word == 0 || !module) return {};
  const std::uint64_t address = module->begin + (word - module->prefix);
  if (address % alignof(void*) != 0) return {};
  if (!is_loaded(reinterpret_cast<const void*>(address))) return {};
  const site found = site::from_word(address);
  return is_loaded(found.file()) ? found : site();
}

}  // namespace atl::transport
