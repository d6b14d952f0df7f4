// If a job hangs, it reports which task waits where, and ends with status 3. The report names the
// line of every kind of awaitable that waits forever.

#include "atoll/collectives.hpp"
#include "support/captured_stderr.hpp"
#include "support/never.hpp"
#include "support/run_on.hpp"

#include <functional>
#include <gmock/gmock.h>

using namespace atl;
using testing::HasSubstr;

namespace {

constexpr int k_hang = 3;

using words = global_array<std::uint64_t>;

/// The objects for which the awaitables of this test wait in vain. `pe` is the last PE, which
/// handles no messages. The last word of `array` is on `pe`, so its value never arrives.
struct unreachable {
  int pe;
  words array;
  per_pe<int> objects;

  auto word() const { return array[array.size() - 1]; }
};

/// An awaitable that never completes, in a task of PE 0.
struct endless_wait {
  std::string name;
  int least_pes;
  /// The program sets `line` to the line where the task waits. A program that waits for an object
  /// of `deaf` needs at least two PEs, because PE `deaf.pe` handles no messages.
  task<> (*program)(unsigned& line, unreachable deaf);

  friend void PrintTo(const endless_wait& self, std::ostream* out) { *out << self.name; }
};

const endless_wait k_all[] = {
    {"await_task", 1,
     [](unsigned& line, unreachable) -> task<> {
       line = __LINE__ + 1;
       co_await test::wait_for_ever();
     }},
    {"scope_wait", 1,
     [](unsigned& line, unreachable) -> task<> {
       scope never;
       never.spawn([] { return test::wait_for_ever(); });
       line = __LINE__ + 1;
       co_await never.wait();
     }},
    {"finish", 1,
     [](unsigned& line, unreachable) -> task<> {
       const auto start = [] { spawn([] { return test::wait_for_ever(); }); };
       line = __LINE__ + 1;
       co_await finish(start);
     }},
    {"on_all_pes", 1,
     [](unsigned& line, unreachable) -> task<> {
       line = __LINE__ + 1;
       co_await on_all_pes([] { return test::wait_for_ever(); });
     }},
    {"local_parallel_for", 1,
     [](unsigned& line, unreachable) -> task<> {
       line = __LINE__ + 1;
       co_await local_parallel_for(0, 10, [](std::uint64_t) { return test::wait_for_ever(); });
     }},
    {"parallel_for", 1,
     [](unsigned& line, unreachable) -> task<> {
       line = __LINE__ + 1;
       co_await parallel_for(10, [](std::uint64_t) { return test::wait_for_ever(); });
     }},
    {"for_each", 1,
     [](unsigned& line, unreachable deaf) -> task<> {
       const auto wait = [](std::uint64_t, std::uint64_t&) { return test::wait_for_ever(); };
       line = __LINE__ + 1;
       co_await for_each(deaf.array, wait);
     }},
    {"stealable_for", 1,
     [](unsigned& line, unreachable) -> task<> {
       line = __LINE__ + 1;
       co_await stealable_for(0, 10, [](std::uint64_t) { return test::wait_for_ever(); });
     }},
    {"call", 2,
     [](unsigned& line, unreachable deaf) -> task<> {
       line = __LINE__ + 1;
       co_await call(deaf.pe, [] { return 1; });
     }},
    {"call_of_a_coroutine", 2,
     [](unsigned& line, unreachable deaf) -> task<> {
       line = __LINE__ + 1;
       co_await call(deaf.pe, [] { return test::wait_for_ever(); });
     }},
    {"read", 2,
     [](unsigned& line, unreachable deaf) -> task<> {
       line = __LINE__ + 1;
       co_await read(deaf.word());
     }},
    {"write", 2,
     [](unsigned& line, unreachable deaf) -> task<> {
       line = __LINE__ + 1;
       co_await write(deaf.word(), 1);
     }},
    {"update", 2,
     [](unsigned& line, unreachable deaf) -> task<> {
       line = __LINE__ + 1;
       co_await update(deaf.word(), [](std::uint64_t& word) { ++word; });
     }},
    {"fetch_add", 2,
     [](unsigned& line, unreachable deaf) -> task<> {
       line = __LINE__ + 1;
       co_await fetch_add(deaf.word(), 1);
     }},
    {"compare_exchange", 2,
     [](unsigned& line, unreachable deaf) -> task<> {
       line = __LINE__ + 1;
       co_await compare_exchange(deaf.word(), 1, 2);
     }},
    {"put_at_an_address", 2,
     [](unsigned& line, unreachable deaf) -> task<> {
       const std::uint64_t values[] = {1};
       line = __LINE__ + 1;
       co_await put(deaf.word(), values);
     }},
    {"get_at_an_address", 2,
     [](unsigned& line, unreachable deaf) -> task<> {
       std::uint64_t values[1];
       line = __LINE__ + 1;
       co_await get(deaf.word(), values);
     }},
    {"put_to_an_array", 2,
     [](unsigned& line, unreachable deaf) -> task<> {
       const std::vector<std::uint64_t> values(deaf.array.size());
       line = __LINE__ + 1;
       co_await put(deaf.array, 0, values);
     }},
    {"get_from_an_array", 2,
     [](unsigned& line, unreachable deaf) -> task<> {
       std::vector<std::uint64_t> values(deaf.array.size());
       line = __LINE__ + 1;
       co_await get(deaf.array, 0, values);
     }},
    {"destroy_of_an_array", 2,
     [](unsigned& line, unreachable deaf) -> task<> {
       line = __LINE__ + 1;
       co_await deaf.array.destroy();
     }},
    {"per_pe_make", 2,
     [](unsigned& line, unreachable) -> task<> {
       line = __LINE__ + 1;
       co_await per_pe<int>::make();
     }},
    {"per_pe_destroy", 2,
     [](unsigned& line, unreachable deaf) -> task<> {
       line = __LINE__ + 1;
       co_await deaf.objects.destroy();
     }},
    {"all_barrier", 2,
     [](unsigned& line, unreachable) -> task<> {
       line = __LINE__ + 1;
       co_await all_barrier();
     }},
    {"all_reduce", 2,
     [](unsigned& line, unreachable) -> task<> {
       line = __LINE__ + 1;
       co_await all_reduce(1, std::plus<>{});
     }},
    {"all_reduce_of_vectors", 2,
     [](unsigned& line, unreachable) -> task<> {
       const std::vector<int> values(3);
       line = __LINE__ + 1;
       co_await all_reduce(values, std::plus<>{});
     }},
    {"all_reduce_to", 2,
     [](unsigned& line, unreachable) -> task<> {
       line = __LINE__ + 1;
       co_await all_reduce_to(0, 1, std::plus<>{});
     }},
    {"all_broadcast", 2,
     [](unsigned& line, unreachable) -> task<> {
       line = __LINE__ + 1;
       co_await all_broadcast(1);
     }},
    {"all_to_all", 2,
     [](unsigned& line, unreachable) -> task<> {
       const std::vector<std::vector<int>> parts(static_cast<std::size_t>(pes()));
       line = __LINE__ + 1;
       co_await all_to_all(parts);
     }},
    {"all_gather", 2,
     [](unsigned& line, unreachable) -> task<> {
       line = __LINE__ + 1;
       co_await all_gather(1);
     }},
    {"all_gather_of_spans", 2,
     [](unsigned& line, unreachable) -> task<> {
       const std::vector<int> values(3);
       line = __LINE__ + 1;
       co_await all_gather(std::span<const int>(values));
     }},
    {"all_quiet", 2,
     [](unsigned& line, unreachable) -> task<> {
       line = __LINE__ + 1;
       co_await all_quiet();
     }},
    {"read_counters", 2,
     [](unsigned& line, unreachable) -> task<> {
       line = __LINE__ + 1;
       co_await read_counters();
     }},
};

using endless_case = std::tuple<test::shape, endless_wait>;

std::vector<endless_case> cases(const std::vector<int>& sizes) {
  std::vector<endless_case> all;
  for (const auto& shape : test::shapes(sizes, 1)) {
    for (const auto& wait : k_all)
      if (shape.pes >= wait.least_pes) all.emplace_back(shape, wait);
  }
  return all;
}

std::string case_name(const testing::TestParamInfo<endless_case>& info) {
  const testing::TestParamInfo<test::shape> of(std::get<0>(info.param), 0);
  return test::shape_name(of) + "_" + std::get<1>(info.param).name;
}

class hang : public testing::TestWithParam<endless_case> {};

TEST_P(hang, of_every_awaitable_names_its_line) {
  const auto& [shape, wait] = GetParam();
  settings options = test::job_of(shape);
  options.hang_timeout = 100'000'000;
  const test::captured_stderr captured;
  unsigned line = 0;
  const auto program = [&line, wait = wait]() -> task<> {
    const auto array = co_await make_array<std::uint64_t>(3 * static_cast<unsigned>(pes()));
    const auto objects = co_await per_pe<int>::make();
    if (wait.least_pes > 1) co_await test::deafen(pes() - 1);
    co_await wait.program(line, {pes() - 1, array, objects});
  };
  EXPECT_EQ(test::status_of(options, program), k_hang);
  const std::string text = captured.text();
  EXPECT_THAT(text, HasSubstr("atoll: hang: "));
  EXPECT_THAT(text, HasSubstr(fmt::format("at hang_test.cpp:{} (spawned at ", line)));
  EXPECT_THAT(text, HasSubstr("atoll: ended with status 3\n"));
}

INSTANTIATE_TEST_SUITE_P(on, hang, testing::ValuesIn(cases({1, 2, 3})), case_name);

}  // namespace
