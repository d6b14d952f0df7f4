// If a task waits forever for a mutex or another object of synchronisation, the hang report must
// name the source line of the wait. Every awaitable of the folder sync is tested.

#include "atoll/synchronization.hpp"
#include "support/captured_stderr.hpp"
#include "support/never.hpp"
#include "support/run_on.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

using namespace atl;

namespace {

constexpr int k_hang = 3;

/// Returns an object of type T on the last PE, with the value `initial`.
template <class T>
task<global_address<T>> on_the_last_pe(T initial = {}) {
  const auto array = co_await make_array<T>(static_cast<std::uint64_t>(pes()));
  const auto last = array[array.size() - 1];
  co_await write(last, initial);
  co_return last;
}

struct endless_wait {
  std::string name;
  task<> (*program)(unsigned& line);  // The program sets `line` to the line where its task waits.

  friend void PrintTo(const endless_wait& self, std::ostream* out) { *out << self.name; }
};

const endless_wait k_all[] = {
    {"lock",
     [](unsigned& line) -> task<> {
       mutex door;
       co_await door.lock();
       line = __LINE__ + 1;
       co_await door.lock();
     }},
    {"guarded",
     [](unsigned& line) -> task<> {
       mutex door;
       co_await door.lock();
       line = __LINE__ + 1;
       const auto guard = co_await door.guarded();
     }},
    {"wait_at_condition_variable",
     [](unsigned& line) -> task<> {
       mutex held;
       condition_variable changed;
       co_await held.lock();
       line = __LINE__ + 1;
       co_await changed.wait(held);
     }},
    {"acquire",
     [](unsigned& line) -> task<> {
       semaphore places;
       line = __LINE__ + 1;
       co_await places.acquire();
     }},
    {"wait_at_latch",
     [](unsigned& line) -> task<> {
       latch closed(1);
       line = __LINE__ + 1;
       co_await closed.wait();
     }},
    {"arrive_and_wait",
     [](unsigned& line) -> task<> {
       barrier met(2);
       line = __LINE__ + 1;
       co_await met.arrive_and_wait();
     }},
    {"read_full",
     [](unsigned& line) -> task<> {
       full_empty<int> cell;
       line = __LINE__ + 1;
       co_await cell.read_full();
     }},
    {"take",
     [](unsigned& line) -> task<> {
       full_empty<int> cell;
       line = __LINE__ + 1;
       co_await cell.take();
     }},
    {"put",
     [](unsigned& line) -> task<> {
       full_empty<int> cell(1);
       line = __LINE__ + 1;
       co_await cell.put(2);
     }},
    {"global_lock",
     [](unsigned& line) -> task<> {
       const auto door = co_await on_the_last_pe<mutex>();
       co_await lock(door);
       line = __LINE__ + 1;
       co_await lock(door);
     }},
    {"global_wait_at_condition_variable",
     [](unsigned& line) -> task<> {
       const auto held = co_await on_the_last_pe<mutex>();
       const auto changed = co_await on_the_last_pe<condition_variable>();
       co_await lock(held);
       line = __LINE__ + 1;
       co_await wait(changed, held);
     }},
    {"global_acquire",
     [](unsigned& line) -> task<> {
       const auto places = co_await on_the_last_pe<semaphore>();
       line = __LINE__ + 1;
       co_await acquire(places);
     }},
    {"global_wait_at_latch",
     [](unsigned& line) -> task<> {
       const auto closed = co_await on_the_last_pe(latch(1));
       line = __LINE__ + 1;
       co_await wait(closed);
     }},
    {"global_arrive_and_wait",
     [](unsigned& line) -> task<> {
       const auto met = co_await on_the_last_pe(barrier(2));
       line = __LINE__ + 1;
       co_await arrive_and_wait(met);
     }},
    {"global_read_full",
     [](unsigned& line) -> task<> {
       const auto cell = co_await on_the_last_pe<full_empty<int>>();
       line = __LINE__ + 1;
       co_await read_full(cell);
     }},
    {"global_take",
     [](unsigned& line) -> task<> {
       const auto cell = co_await on_the_last_pe<full_empty<int>>();
       line = __LINE__ + 1;
       co_await take(cell);
     }},
    {"global_put",
     [](unsigned& line) -> task<> {
       const auto cell = co_await on_the_last_pe(full_empty<int>(1));
       line = __LINE__ + 1;
       co_await put(cell, 2);
     }},
    {"deaf_try_lock",
     [](unsigned& line) -> task<> {
       const auto object = co_await on_the_last_pe(mutex());
       co_await test::deafen(pes() - 1);
       line = __LINE__ + 1;
       co_await try_lock(object);
     }},
    {"deaf_unlock",
     [](unsigned& line) -> task<> {
       const auto object = co_await on_the_last_pe(mutex());
       co_await test::deafen(pes() - 1);
       line = __LINE__ + 1;
       co_await unlock(object);
     }},
    {"deaf_try_acquire",
     [](unsigned& line) -> task<> {
       const auto object = co_await on_the_last_pe(semaphore(1));
       co_await test::deafen(pes() - 1);
       line = __LINE__ + 1;
       co_await try_acquire(object);
     }},
    {"deaf_release",
     [](unsigned& line) -> task<> {
       const auto object = co_await on_the_last_pe(semaphore(1));
       co_await test::deafen(pes() - 1);
       line = __LINE__ + 1;
       co_await release(object);
     }},
    {"deaf_count_down",
     [](unsigned& line) -> task<> {
       const auto object = co_await on_the_last_pe(latch(1));
       co_await test::deafen(pes() - 1);
       line = __LINE__ + 1;
       co_await count_down(object);
     }},
    {"deaf_notify_one",
     [](unsigned& line) -> task<> {
       const auto object = co_await on_the_last_pe(condition_variable());
       co_await test::deafen(pes() - 1);
       line = __LINE__ + 1;
       co_await notify_one(object);
     }},
    {"deaf_notify_all",
     [](unsigned& line) -> task<> {
       const auto object = co_await on_the_last_pe(condition_variable());
       co_await test::deafen(pes() - 1);
       line = __LINE__ + 1;
       co_await notify_all(object);
     }},
};

bool is_deaf(const endless_wait& waiting) { return waiting.name.starts_with("deaf"); }

using hang_case = std::tuple<endless_wait, test::shape>;

/// Returns all pairs of a wait that never ends and a job to run it in. Waits whose names begin with
/// "global" or "deaf" run on several PEs. If the name begins with "deaf", one PE handles no
/// messages.
std::vector<hang_case> all_cases() {
  std::vector<hang_case> cases;
  for (const auto& waiting : k_all) {
    const bool global = waiting.name.starts_with("global");
    const std::vector<int> sizes = is_deaf(waiting) ? std::vector{2, 3}
                                   : global         ? std::vector{1, 2, 3}
                                                    : std::vector{1};
    for (const auto& shape : test::shapes(sizes, 1)) cases.emplace_back(waiting, shape);
  }
  return cases;
}

class sync_hang : public testing::TestWithParam<hang_case> {};

TEST_P(sync_hang, is_told_by_its_line) {
  const auto& [waiting, shape] = GetParam();
  settings options = test::job_of(shape);
  // If no work is in flight, the hang is recognised at once, without the time-out.
  options.hang_timeout = is_deaf(waiting) ? 100'000'000 : 3'600'000'000'000;
  const test::captured_stderr said;
  unsigned line = 0;
  EXPECT_EQ(test::status_of(options, [&] { return waiting.program(line); }), k_hang);
  EXPECT_THAT(said.text(), testing::HasSubstr(" at hang_test.cpp:" + std::to_string(line) + " "));
}

class sync_holder : public test::on_pes {};

// No task unlocks the mutex. Every PE waits for the mutex. The tasks wait at another source line
// than the line at which the last PE has locked the mutex.
TEST_P(sync_holder, is_told_by_its_pe_and_line) {
  options.hang_timeout = 3'600'000'000'000;
  const test::captured_stderr said;
  unsigned held = 0;
  unsigned line = 0;
  const auto program = [&]() -> task<> {
    const auto doors = co_await make_array<mutex>(1);
    const auto door = doors[0];
    held = __LINE__ + 1;
    const auto lock_it = [door]() -> task<> { co_await lock(door); };
    co_await call(pes() - 1, lock_it);
    line = __LINE__ + 1;
    const auto wait_for_it = [door]() -> task<> { co_await lock(door); };
    co_await on_all_pes(wait_for_it);
  };
  EXPECT_EQ(test::status_of(options, program), k_hang);
  const auto waiting = size() == 1 ? "1 task on PE 0 waits"
                                   : fmt::format("{0} tasks on PEs 0-{1} wait", size(), size() - 1);
  EXPECT_THAT(
      said.text(),
      testing::HasSubstr(fmt::format(
          "what {} for at hang_test.cpp:{} is held by a task of PE {}, since hang_test.cpp:{}\n",
          waiting, line, size() - 1, held)));
}

// Each PE holds its own mutex, and waits for the mutex of the next PE.
TEST_P(sync_holder, is_told_in_a_circle) {
  options.hang_timeout = 3'600'000'000'000;
  const test::captured_stderr said;
  const unsigned line = __LINE__ + 3;
  const auto lock_two = [](global_array<mutex> doors) -> task<> {
    const auto me = static_cast<std::uint64_t>(my_pe());
    co_await lock(doors[me]);
    co_await all_barrier();
    co_await lock(doors[(me + 1) % doors.size()]);
  };
  const auto program = [&]() -> task<> {
    const auto doors = co_await make_array<mutex>(static_cast<std::uint64_t>(pes()));
    co_await on_all_pes([doors, lock_two] { return lock_two(doors); });
  };
  EXPECT_EQ(test::status_of(options, program), k_hang);
  const std::string text = said.text();
  EXPECT_THAT(text, testing::HasSubstr(size() == 1 ? "  deadlock: a task of PE 0 waits at "
                                                   : "  deadlock: each of these tasks waits"));
  for (int pe = 0; pe < size() && size() > 1; ++pe) {
    const auto edge = fmt::format(
        "    a task of PE {} waits at hang_test.cpp:{} for what a task of PE {} holds, since "
        "hang_test.cpp:{}\n",
        pe, line + 2, (pe + 1) % size(), line);
    EXPECT_THAT(text, testing::HasSubstr(edge));
  }
  // For each waiting task, a helper task waits on the PE that owns the mutex. The report must name
  // the waiting tasks, and no helper task.
  const auto helper =
      fmt::format("waits at hang_test.cpp:{0} (spawned at hang_test.cpp:{0})", line + 2);
  EXPECT_THAT(text, testing::Not(testing::HasSubstr(helper)));
}

ATOLL_RUN_ON(sync_holder, 1, 2, 3);

std::string case_name(const testing::TestParamInfo<hang_case>& info) {
  const testing::TestParamInfo<test::shape> of(std::get<1>(info.param), 0);
  return std::get<0>(info.param).name + "_" + test::shape_name(of);
}

INSTANTIATE_TEST_SUITE_P(on, sync_hang, testing::ValuesIn(all_cases()), case_name);

}  // namespace
