#include "atoll/base/modules.hpp"

#include "tests/support/shared_library.hpp"
#include "tests/support/told_by_child.hpp"

#include <memory>

namespace atl {
namespace {

std::uintptr_t address_of(void (*function)()) { return reinterpret_cast<std::uintptr_t>(function); }

void of_the_program() {}

TEST(modules, name_what_lies_in_the_program_by_its_offset) {
  module_table modules;
  const place_name name = modules.name_of(address_of(&of_the_program));
  EXPECT_LT(name, 1ULL << 47);
  EXPECT_EQ(modules.address_of(name), address_of(&of_the_program));
}

TEST(modules, name_what_lies_in_a_shared_library) {
  const auto address = reinterpret_cast<std::uintptr_t>(&dlsym);
  module_table modules;
  const place_name name = modules.name_of(address);
  EXPECT_GE(name, 1ULL << 47);
  EXPECT_LT(name, 1ULL << 48);
  EXPECT_EQ(modules.address_of(name), address);
  EXPECT_EQ(module_table().address_of(name), address);
}

TEST(modules, give_no_name_to_what_lies_in_none) {
  const auto heap = std::make_unique<int>();
  module_table modules;
  EXPECT_EQ(modules.name_of(reinterpret_cast<std::uintptr_t>(heap.get())), 0U);
  EXPECT_EQ(modules.name_of(0), 0U);
}

TEST(modules, know_no_place_of_a_name_nobody_gave) {
  module_table modules;
  for (const place_name name : {0ULL, 1ULL << 46, 0x8123'4567'89abULL, ~0ULL})
    EXPECT_EQ(modules.address_of(name), 0U) << name;
}

struct told {
  std::uintptr_t address;
  place_name name;
};

// Two PEs load the same library at different times, and therefore at different addresses.
TEST(modules, agree_between_processes_that_loaded_a_library_elsewhere) {
  shared_library other("other");
  shared_library plugin("plugin");
  const auto look = [&](module_table& modules) {
    plugin.load();
    const auto address = address_of(plugin.function<void()>("act"));
    return told{address, modules.name_of(address)};
  };
  const told there = told_by_child([&] {
    module_table modules;
    other.load();
    return look(modules);
  });
  module_table modules;
  EXPECT_EQ(modules.address_of(there.name), 0U) << "it is not loaded here yet";
  const told here = look(modules);
  EXPECT_NE(here.address, there.address);
  EXPECT_EQ(here.name, there.name);
  EXPECT_EQ(modules.address_of(there.name), here.address);
}

TEST(modules, give_no_name_in_libraries_that_look_the_same) {
  shared_library one("twin");
  const std::string folder = testing::TempDir() + "atoll_twin_of_" + std::to_string(getpid());
  std::filesystem::create_directories(folder);
  // The dynamic linker loads the copy as a second library, although both files have the same name.
  const std::string copy = folder + "/libtwin.so";
  std::filesystem::copy_file(one.file(), copy, std::filesystem::copy_options::overwrite_existing);
  one.load();
  const auto address = address_of(one.function<void()>("act"));
  EXPECT_NE(module_table().name_of(address), 0U);
  ASSERT_NE(dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL), nullptr) << dlerror();
  EXPECT_EQ(module_table().name_of(address), 0U);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace atl
