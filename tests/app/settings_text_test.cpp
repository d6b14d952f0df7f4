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

}  // namespace
}  // namespace atl::app
