#include "atoll/observe/who_waits.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace atl::observe {
namespace {

const site there = site::current();
const site elsewhere = site::current();

std::string place(site where) { return to_string(where); }

TEST(pe_list, gives_ranges) {
  EXPECT_EQ(pe_list(std::vector{7}), "PE 7");
  EXPECT_EQ(pe_list(std::vector{0, 1}), "PEs 0-1");
  EXPECT_EQ(pe_list(std::vector{0, 1, 2, 4, 6, 7}), "PEs 0-2, 4, 6-7");
}

TEST(who_waits, adds_up_equal_places_of_all_pes_and_puts_the_largest_first) {
  const std::vector<pe_answer> answers{
      {0, {{fact::waits, elsewhere, there, 2}, {fact::waits, there, elsewhere, 1}}},
      {1, {{fact::waits, there, elsewhere, 1000}}},
      {3, {{fact::waits, there, elsewhere, 22}, {fact::waits, there, site(), 1}}}};
  EXPECT_EQ(who_waits_text(answers),
            fmt::format("  1,023 tasks on PEs 0-1, 3 wait at {0} (spawned at {1})\n"
                        "  2 tasks on PE 0 wait at {1} (spawned at {0})\n"
                        "  1 task on PE 3 waits at {0}\n",
                        place(there), place(elsewhere)));
}

TEST(who_waits, says_what_tasks_do_that_do_not_wait) {
  const std::vector<pe_answer> answers{{2,
                                        {{fact::not_begun, site(), there, 5},
                                         {fact::runs, site(), there, 1},
                                         {fact::ready, site(), there, 1},
                                         {fact::ready, there, there, 2},
                                         {fact::lacks_room, there, there, 3},
                                         {fact::waits, site(), there, 1}}}};
  EXPECT_EQ(who_waits_text(answers),
            fmt::format("  1 task on PE 2 waits at an unknown place (spawned at {0})\n"
                        "  3 tasks on PE 2 wait for room at {0} (spawned at {0})\n"
                        "  2 tasks on PE 2 are ready to go on at {0} (spawned at {0})\n"
                        "  1 task on PE 2 is ready to begin (spawned at {0})\n"
                        "  1 task on PE 2 runs (spawned at {0})\n"
                        "  5 tasks on PE 2 are stealable and not begun (spawned at {0})\n",
                        place(there)));
}

TEST(who_waits, knows_places_of_other_programs_by_their_text) {
  const finding waits{fact::waits, {}, {}, 2, 0, "put.c:7", "put.c:3"};
  const finding calls{.what = fact::program, .place = "shmem_barrier_all, called at put.c:9"};
  const std::vector<pe_answer> answers{{0, {waits, calls}}, {1, {calls}}};
  EXPECT_EQ(who_waits_text(answers),
            "  PEs 0-1: the program is in shmem_barrier_all, called at put.c:9\n"
            "  2 tasks on PE 0 wait at put.c:7 (spawned at put.c:3)\n");
}

finding edge(std::uint64_t waiting, site where, std::uint64_t holder, site since) {
  const auto name_of = [](std::uint64_t task) {
    return task_name(static_cast<int>(task % 10), reinterpret_cast<const void*>(task)).word();
  };
  return {fact::waits_for, where, since, name_of(waiting), name_of(holder)};
}

TEST(who_waits, shows_the_tasks_that_wait_for_each_other) {
  // The tasks wait in two cycles: 12 and 21 wait for each other, and 41 waits for itself. In
  // addition, 31 waits for 12.
  const std::vector<pe_answer> answers{
      {0, {edge(12, there, 21, elsewhere), edge(31, there, 12, there)}},
      {1, {edge(21, elsewhere, 12, there), edge(41, there, 41, elsewhere)}}};
  EXPECT_EQ(
      who_waits_text(answers),
      fmt::format("  deadlock: each of these tasks waits for what the next one holds\n"
                  "    a task of PE 1 waits at {1} for what a task of PE 2 holds, since {0}\n"
                  "    a task of PE 2 waits at {0} for what a task of PE 1 holds, since {1}\n"
                  "  deadlock: a task of PE 1 waits at {0} for what it holds itself, since {1}\n",
                  place(there), place(elsewhere)));
}

TEST(who_waits, shows_no_circle_where_somebody_can_go_on) {
  const std::vector<pe_answer> answers{
      {0, {edge(12, there, 21, elsewhere), edge(21, elsewhere, 33, there)}}};
  EXPECT_EQ(who_waits_text(answers), "  no task waits\n");
}

TEST(who_waits, names_who_holds_what_they_wait_for) {
  const std::vector<pe_answer> answers{
      {0, {{fact::held, there, elsewhere, 1200, held_pes{3, 1}.word()}}},
      {5,
       {{fact::held, there, elsewhere, 34, held_pes{3, 2}.word()},
        {fact::held, elsewhere, there, 1, held_pes{0, 2}.word()}}}};
  EXPECT_EQ(
      who_waits_text(answers),
      fmt::format("  what 1,234 tasks on PEs 1-2 wait for at {0} is held by a task of PE 3, "
                  "since {1}\n"
                  "  what 1 task on PE 2 waits for at {1} is held by a task of PE 0, since {0}\n",
                  place(there), place(elsewhere)));
}

finding entered(std::uint64_t number, site where) {
  return {.what = fact::entered, .where = where, .number = number};
}

finding collectives(std::uint64_t number) { return {.what = fact::collectives, .number = number}; }

TEST(who_waits, names_the_pes_that_others_wait_for_in_a_collective) {
  const std::vector<pe_answer> answers{{0, {entered(4, there), collectives(5)}},
                                       {1, {entered(4, there), collectives(5)}},
                                       {2, {collectives(4)}},
                                       {3, {entered(4, elsewhere), collectives(5)}},
                                       {4, {collectives(3)}},
                                       {5, {collectives(5)}}};
  EXPECT_EQ(who_waits_text(answers),
            fmt::format("  PEs 2, 4 have not reached the collective that PEs 0-1 wait in at {} and "
                        "PE 3 at {}\n",
                        place(there), place(elsewhere)));
}

TEST(who_waits, says_what_it_leaves_out_and_when_there_is_nothing) {
  EXPECT_EQ(who_waits_text(std::vector<pe_answer>{{0, {}, 0}, {1, {}, 0}}), "  no task waits\n");
  EXPECT_EQ(who_waits_text(std::vector<pe_answer>{{1, {}, 12}}),
            "  PE 1 has tasks at 12 more places\n");
}

}  // namespace
}  // namespace atl::observe
