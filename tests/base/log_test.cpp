#include "atoll/log.hpp"

#include "atoll/base/pe.hpp"

#include <gtest/gtest.h>

namespace atl {
namespace {

std::string printed_by(auto&& action) {
  testing::internal::CaptureStderr();
  action();
  return testing::internal::GetCapturedStderr();
}

class as_pe {
 public:
  as_pe(int rank, int size) {
    self_.rank = rank;
    self_.size = size;
    current_pe = &self_;
  }
  ~as_pe() { current_pe = nullptr; }
  as_pe(const as_pe&) = delete;
  as_pe& operator=(const as_pe&) = delete;

 private:
  pe self_;
};

TEST(log, has_a_prefix_and_a_level) {
  EXPECT_EQ(printed_by([] { log::warning("{} cores for {} PEs", 2, 4); }),
            "atoll: warning: 2 cores for 4 PEs\n");
  EXPECT_EQ(printed_by([] { log::error("no"); }), "atoll: error: no\n");
}

TEST(log, names_the_pe_where_there_are_several) {
  {
    const as_pe third(3, 8);
    EXPECT_EQ(printed_by([] { log::warning("x"); }), "atoll: PE 3: warning: x\n");
  }
  const as_pe only(0, 1);
  EXPECT_EQ(printed_by([] { log::warning("x"); }), "atoll: warning: x\n");
}

TEST(log, prints_from_the_level_on) {
  EXPECT_EQ(printed_by([] { log::info("x"); }), "");
  log::set_level(log_level::trace);
  EXPECT_EQ(printed_by([] { log::trace("x"); }), "atoll: trace: x\n");
  EXPECT_EQ(printed_by([] { log::debug("x"); }), "atoll: debug: x\n");
  EXPECT_EQ(printed_by([] { log::info("x"); }), "atoll: info: x\n");
  log::set_level(log_level::error);
  EXPECT_EQ(printed_by([] { log::warning("x"); }), "");
  log::set_level(log_level::warning);
}

TEST(log, percent_signs_and_braces_of_arguments_are_plain) {
  EXPECT_EQ(printed_by([] { log::warning("{}", "100 %v {}"); }), "atoll: warning: 100 %v {}\n");
}

}  // namespace
}  // namespace atl
