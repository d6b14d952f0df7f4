#include "app/flags.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace atl::app {
namespace {

TEST(settings_markdown, is_the_reference_page) {
  const auto root = std::filesystem::path(__FILE__).parent_path() / "../..";
  std::ifstream file(root / "docs/reference/settings.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(settings_markdown(), page)
      << "run: build/release/bin/atoll options --markdown > docs/reference/settings.md";
}

TEST(settings_markdown, names_every_setting_once_in_a_row) {
  const std::string page = settings_markdown();
  for (const auto& row : settings_table())
    EXPECT_NE(page.find("| `" + std::string(row.name) + "` | `" + row.variable() + "` |"),
              page.npos);
}

TEST(settings_listing, shows_the_present_value_and_where_it_comes_from) {
  settings present;
  present.set("pes", "3", "--pes");
  present.set("flush-age", "50us", "ATOLL_FLUSH_AGE");
  const std::string text = settings_listing(present);
  EXPECT_NE(text.find("3               flag"), text.npos) << text;
  EXPECT_NE(text.find("50us            environment"), text.npos) << text;
}

TEST(settings_listing, keeps_settings_for_measurements_apart) {
  settings present;
  const std::string of_users = settings_listing(present);
  const std::string of_measurements = settings_listing(present, setting_group::measurement);
  std::size_t users = 0;
  for (const auto& row : settings_table()) {
    const bool for_user = row.group == setting_group::user;
    users += for_user ? 1 : 0;
    const std::string variable = " " + row.variable() + " ";
    EXPECT_EQ(of_users.find(variable) != std::string::npos, for_user) << row.name;
    EXPECT_EQ(of_measurements.find(variable) != std::string::npos, !for_user) << row.name;
  }
  EXPECT_LE(users, 27U);
  EXPECT_NE(of_users.find("--measurement` lists the 10 for"), std::string::npos) << of_users;
  present.set("combining", "central", "--combining");
  EXPECT_NE(settings_listing(present).find(" ATOLL_COMBINING "), std::string::npos);
}

}  // namespace
}  // namespace atl::app
