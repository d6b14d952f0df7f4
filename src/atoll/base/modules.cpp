#include "atoll/base/modules.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <link.h>
#include <span>
#include <string_view>
#include <utility>

namespace atl {
namespace {

constexpr unsigned k_offset_bits = 28;
constexpr place_name k_in_library = 1ULL << 47;
constexpr place_name k_offset = (1ULL << k_offset_bits) - 1;

/// Computes a hash value by the function FNV-1a.
class hash {
 public:
  void add(std::uint64_t word) noexcept { value_ = (value_ ^ word) * 0x100000001b3; }
  void add(std::string_view text) noexcept {
    for (const char letter : text) add(static_cast<unsigned char>(letter));
  }
  std::uint64_t value() const noexcept { return value_ ^ value_ >> 32; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

/// Returns the build id that the linker has written into the file, or an empty text if there is
/// none.
std::string_view build_id_in(const dl_phdr_info& info, const ElfW(Phdr) & notes) noexcept {
  static constexpr char k_gnu[] = "GNU";
  const auto rounded = [](std::size_t bytes) { return (bytes + 3) / 4 * 4; };
  const char* at = reinterpret_cast<const char*>(info.dlpi_addr + notes.p_vaddr);
  const char* const end = at + notes.p_memsz;
  while (at + sizeof(ElfW(Nhdr)) <= end) {
    const auto& head = *reinterpret_cast<const ElfW(Nhdr)*>(at);
    const std::string_view owner(at + sizeof head, head.n_namesz);
    const char* const text = owner.data() + rounded(head.n_namesz);
    if (head.n_type == NT_GNU_BUILD_ID && owner == std::string_view(k_gnu, sizeof k_gnu))
      return {text, head.n_descsz};
    at = text + rounded(head.n_descsz);
  }
  return {};
}

void add_build(hash& all, const dl_phdr_info& info) noexcept {
  const std::span segments(info.dlpi_phdr, info.dlpi_phnum);
  for (const auto& one : segments) {
    const auto id = one.p_type == PT_NOTE ? build_id_in(info, one) : std::string_view();
    if (!id.empty()) return all.add(id);
  }
  for (const auto& one : segments) {
    if (one.p_type != PT_LOAD) continue;
    for (const std::uint64_t size : {one.p_vaddr, one.p_filesz, one.p_memsz}) all.add(size);
  }
}

place_name prefix_of_library(const dl_phdr_info& info) noexcept {
  const std::string_view path = info.dlpi_name;
  hash all;
  all.add(path.substr(path.rfind('/') + 1));  // without a slash, npos + 1 is 0
  add_build(all, info);
  return k_in_library | (all.value() << k_offset_bits & (k_in_library - 1));
}

loaded_module described(const dl_phdr_info& info, bool is_program) noexcept {
  std::uintptr_t low = UINTPTR_MAX;
  std::uintptr_t high = 0;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    low = std::min<std::uintptr_t>(low, segment.p_vaddr);
    high = std::max<std::uintptr_t>(high, segment.p_vaddr + segment.p_memsz);
  }
  if (low >= high) return {};
  if (is_program) return {info.dlpi_addr + low, high - low, 0};
  return {info.dlpi_addr + low, std::min(high - low, k_offset + 1), prefix_of_library(info)};
}

/// Calls `visit(module)` for each loaded module until `visit` returns true. The first module
/// visited is the program.
template <class Visit>
void visit_modules(Visit visit) noexcept {
  struct state {
    Visit& visit;
    bool is_program = true;
  } all{visit};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* from) {
        auto& seen = *static_cast<state*>(from);
        const bool is_program = std::exchange(seen.is_program, false);
        return seen.visit(described(*info, is_program)) ? 1 : 0;
      },
      &all);
}

loaded_module program() noexcept {
  loaded_module found;
  visit_modules([&](const loaded_module& first) {
    found = first;
    return true;
  });
  return found;
}

place_name prefix_of(place_name name) noexcept {
  return (name & k_in_library) != 0 ? name & ~k_offset : 0;
}

/// Keeps the library loaded, so that cached data about the library stays valid.
void keep_loaded(const loaded_module& library) {
  Dl_info found{};
  if (dladdr(reinterpret_cast<const void*>(library.begin), &found) != 0)
    dlopen(found.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

}  // namespace

std::optional<loaded_module> module_of(place_name name) noexcept {
  loaded_module found;
  int like_it = 0;
  visit_modules([&](const loaded_module& one) {
    if (one.bytes == 0 || one.prefix != prefix_of(name)) return false;
    found = one;
    return ++like_it > 1;
  });
  if (like_it != 1 || name - found.prefix >= found.bytes) return std::nullopt;
  return found;
}

std::optional<loaded_module> module_at(std::uintptr_t address) noexcept {
  std::optional<place_name> prefix;
  visit_modules([&](const loaded_module& one) {
    if (address - one.begin >= one.bytes) return false;
    prefix = one.prefix;
    return true;
  });
  return prefix ? module_of(*prefix) : std::nullopt;
}

std::uint64_t hash_of_program_build() noexcept {
  hash all;
  dl_iterate_phdr(
      [](dl_phdr_info* program, std::size_t, void* into) {
        add_build(*static_cast<hash*>(into), *program);
        return 1;  // the first object is the program
      },
      &all);
  return all.value();
}

module_table::module_table() : program_(program()) {}

void module_table::remember(const loaded_module& library) {
  libraries_.push_back(library);
  keep_loaded(library);
}

place_name module_table::name_in_library(std::uintptr_t address) {
  if (address == 0) return 0;
  for (const loaded_module& known : libraries_)
    if (address - known.begin < known.bytes) return known.prefix + (address - known.begin);
  const auto found = module_at(address);
  if (!found) return 0;
  remember(*found);
  return found->prefix + (address - found->begin);
}

std::uintptr_t module_table::address_in_library(place_name name) {
  if (name == 0) return 0;
  for (const loaded_module& known : libraries_)
    if (name - known.prefix < known.bytes) return known.begin + (name - known.prefix);
  const auto found = module_of(name);
  if (!found) return 0;
  remember(*found);
  return found->begin + (name - found->prefix);
}

}  // namespace atl
