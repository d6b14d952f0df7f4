// Tests remote activities. A remote activity stands for those messages of a buffer that belong to
// one scope of another PE. A remote activity also covers all work that its messages cause. The
// tests check when an activity is complete.

#include "atoll/message/activity.hpp"
#include "atoll/message/remote_activities.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

using namespace atl::message;

namespace {

class remote : public testing::Test {
 protected:
  remote() { context.enter(remotes.slot()); }

  static void note_idle(activity& idle) { last_idle = &idle; }

  static inline activity* last_idle = nullptr;
  activity_context context;
  activity** const outside = context.slot();
  atl::memory_account account;
  remote_activities remotes{context.unscoped(), &note_idle, account};
};

TEST_F(remote, activity_is_done_at_the_end_of_a_section_that_set_nothing_off) {
  remotes.open_section(3, 17);
  remotes.count_executed(5);
  const auto* done = remotes.close_section();
  ASSERT_NE(done, nullptr);
  EXPECT_EQ(done->origin, 3);
  EXPECT_EQ(done->origin_activity, 17u);
  EXPECT_EQ(done->executed, 5u);
  EXPECT_EQ(remotes.close_section(), nullptr);
}

TEST_F(remote, activity_is_done_when_what_its_messages_set_off_is) {
  last_idle = nullptr;
  remotes.open_section(1, 1);
  activity& mine = context.enclosing();
  mine.begin();
  mine.end();
  EXPECT_EQ(last_idle, nullptr);  // The section is still open.
  mine.begin(2);
  EXPECT_EQ(remotes.close_section(), nullptr);
  mine.end();
  EXPECT_EQ(last_idle, nullptr);
  mine.end();
  EXPECT_EQ(last_idle, &mine);
}

TEST_F(remote, activities_of_sections_are_counted_apart) {
  remotes.open_section(1, 1);
  remotes.count_executed(2);
  activity& first = context.enclosing();
  first.begin();
  EXPECT_EQ(remotes.close_section(), nullptr);
  remotes.open_section(2, 1);
  EXPECT_NE(&context.enclosing(), &first);
  remotes.count_executed(3);
  const auto* second = remotes.close_section();
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->executed, 3u);
}

TEST_F(remote, activities_are_used_again_once_released) {
  remotes.open_section(1, 1);
  auto* const first = remotes.close_section();
  ASSERT_NE(first, nullptr);
  remotes.release(*first);
  remotes.open_section(2, 2);
  EXPECT_EQ(remotes.close_section(), first);
  EXPECT_EQ(first->executed, 0u);
}

TEST_F(remote, activity_encloses_within_its_section_only) {
  EXPECT_EQ(&context.enclosing(), &context.unscoped());
  remotes.open_section(1, 1);
  EXPECT_NE(&context.enclosing(), &context.unscoped());
  remotes.close_section();
  EXPECT_EQ(&context.enclosing(), &context.unscoped());
  context.enter(outside);
  EXPECT_EQ(&context.enclosing(), &context.unscoped());
}

TEST_F(remote, failure_outside_of_scopes_is_thrown_where_it_is_asked_for) {
  context.throw_unscoped_failure();
  context.unscoped().fail(std::make_exception_ptr(std::runtime_error("lost")));
  EXPECT_THROW(context.throw_unscoped_failure(), std::runtime_error);
}

}  // namespace
