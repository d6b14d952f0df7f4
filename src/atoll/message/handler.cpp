#include "atoll/message/handler.hpp"

#include "atoll/base/error.hpp"

#include <algorithm>
#include <link.h>

namespace atoll::message {
namespace {

constexpr std::size_t k_most_modules = 256;

}  // namespace

handler_table::handler_table() { read_modules(); }

void handler_table::read_modules() {
  modules_.clear();
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* table) {
        module found{.base = info->dlpi_addr};
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD) continue;
          found.bytes = std::max<std::uintptr_t>(found.bytes, segment.p_vaddr + segment.p_memsz);
        }
        static_cast<std::vector<module>*>(table)->push_back(found);
        return 0;
      },
      &modules_);
}

handler_name handler_table::name_in_library(run_function function) {
  const auto address = reinterpret_cast<std::uintptr_t>(function);
  for (int attempt = 0; attempt < 2; ++attempt) {
    for (std::size_t i = 0; i < std::min(modules_.size(), k_most_modules); ++i) {
      const auto offset = address - modules_[i].base;
      if (offset < modules_[i].bytes) return i << 40 | offset;
    }
    read_modules();  // a library may have been loaded since
  }
  fail(errc::environment, "a message handler lies in none of the first {} loaded modules",
       k_most_modules);
}

}  // namespace atoll::message
