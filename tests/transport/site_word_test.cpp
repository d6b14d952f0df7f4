#include "atoll/transport/site_word.hpp"

#include "tests/support/shared_library.hpp"
#include "tests/support/told_by_child.hpp"

namespace atl::transport {
namespace {

std::uint64_t word_of(site where) {
  module_table modules;
  return site_word(modules, where);
}

/// A PE with only the state that is needed to send source lines (sites) in messages.
class bare_pe {
 public:
  bare_pe() { current_pe = &self_; }
  ~bare_pe() { current_pe = nullptr; }
  bare_pe(const bare_pe&) = delete;
  bare_pe& operator=(const bare_pe&) = delete;

 private:
  module_table modules_;
  pe self_{.modules = &modules_};
};

site site_in(shared_library& library) {
  library.load();
  return {library.function<std::source_location()>("place")()};
}

TEST(site_word, comes_back_as_the_same_site) {
  const site here = site::current();
  EXPECT_EQ(to_string(site_of_word(word_of(here))), to_string(here));
}

TEST(site_word, of_nowhere_or_of_garbage_is_unknown) {
  EXPECT_EQ(word_of(site()), 0U);
  EXPECT_FALSE(site_of_word(0).known());
  EXPECT_FALSE(site_of_word(0x123456789abcdef0).known());
  EXPECT_FALSE(site_of_word(word_of(site::current()) + 1).known());
}

TEST(site_word, of_a_shared_library_means_the_same_where_that_lies_elsewhere) {
  shared_library other("other_sites");
  shared_library plugin("sites");
  const auto word = told_by_child([&] {
    other.load();
    return word_of(site_in(plugin));
  });
  EXPECT_FALSE(site_of_word(word).known()) << "the library is not loaded here";
  site_in(plugin);
  EXPECT_EQ(to_string(site_of_word(word)), "library.cpp:7");
}

TEST(travelling_site, comes_back_as_the_same_site) {
  const bare_pe here;
  const site place = site::current();
  EXPECT_EQ(site(travelling_site(place)).word(), place.word());
  EXPECT_FALSE(site(travelling_site(site())).known());
}

TEST(travelling_site, of_a_shared_library_arrives_where_that_lies_elsewhere) {
  shared_library other("other_travels");
  shared_library plugin("travels");
  struct told {
    travelling_site where{site()};
    std::uint64_t address = 0;
  };
  const bare_pe here;
  const told there = told_by_child([&] {
    other.load();
    const site place = site_in(plugin);
    return told{place, place.word()};
  });
  EXPECT_FALSE(site(there.where).known()) << "the library is not loaded here";
  const site place = site_in(plugin);
  EXPECT_NE(place.word(), there.address);
  EXPECT_EQ(site(there.where).word(), place.word());
}

}  // namespace
}  // namespace atl::transport
