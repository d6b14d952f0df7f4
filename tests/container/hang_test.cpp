// If an operation on a global structure never ends, the hang report must name its source line.
// Depending on the mode, another task executes the operation on behalf of the caller.

#include "support/captured_stderr.hpp"
#include "support/never.hpp"
#include "support/run_on.hpp"

#include <gmock/gmock.h>

using namespace atl;

namespace {

constexpr int k_hang = 3;

/// A structure whose operations wait forever.
struct endless_proxy {
  using request = std::uint64_t;
  using answer = std::uint64_t;
  using pending = combine::pending<request, answer>;

  combine::merged merge(const request&, answer&, std::span<pending>) {
    return combine::merged::waits;
  }
  task<> sync(std::span<pending> batch) { co_await test::never{combine::site_of(batch)}; }
};

using endless = flat_combining<endless_proxy>;

/// An element so large that one PE stores only a few elements. Further elements are on another PE.
struct page {
  std::array<std::uint64_t, 64> words;
};
constexpr int k_pages = 100;

template <class Structure>
task<> push_pages(Structure to, unsigned& line) {
  line = __LINE__ + 1;
  const auto push = [to]() -> task<> { co_await to.push(page{}); };
  for (int i = 0; i < k_pages; ++i) spawn(push);
  co_return;
}

template <class Structure>
task<> pop_pages(Structure from, unsigned& line) {
  line = __LINE__ + 1;
  const auto pop = [from]() -> task<> { co_await from.pop(); };
  for (int i = 0; i < k_pages; ++i) spawn(pop);
  co_return;
}

struct endless_operation {
  std::string name;
  // The program sets `line` to the line where its task waits.
  task<> (*program)(combining_mode mode, unsigned& line);

  friend void PrintTo(const endless_operation& self, std::ostream* out) { *out << self.name; }
};

/// Pushes elements, makes the last PE stop handling messages, and then pops the elements.
template <class Structure>
task<> pop_from_the_deaf(combining_mode mode, unsigned& line) {
  const auto structure = co_await Structure::make(combining_options(mode));
  const auto fill = [structure](std::uint64_t) -> task<> { co_await structure.push(page{}); };
  co_await parallel_for(k_pages, fill);
  co_await test::deafen(pes() - 1);
  co_await pop_pages(structure, line);
}

template <class Structure>
task<> push_to_the_deaf(combining_mode mode, unsigned& line) {
  const auto structure = co_await Structure::make(combining_options(mode));
  co_await test::deafen(pes() - 1);
  co_await push_pages(structure, line);
}

const endless_operation k_all[] = {
    {"perform",
     [](combining_mode mode, unsigned& line) -> task<> {
       const auto structure = co_await endless::make(endless_proxy(), combining_options(mode));
       line = __LINE__ + 1;
       co_await structure.perform(1);
     }},
    {"do_only",
     [](combining_mode mode, unsigned& line) -> task<> {
       const auto structure = co_await endless::make(endless_proxy(), combining_options(mode));
       line = __LINE__ + 1;
       co_await structure.do_only(1);
     }},
    {"async",
     [](combining_mode mode, unsigned& line) -> task<> {
       const auto structure = co_await endless::make(endless_proxy(), combining_options(mode));
       line = __LINE__ + 1;
       const auto request = [structure] { structure.async(1); };
       co_await finish(request);
     }},
    {"statistics_of_the_deaf",
     [](combining_mode mode, unsigned& line) -> task<> {
       const auto structure = co_await global_stack<page>::make(combining_options(mode));
       co_await test::deafen(pes() - 1);
       line = __LINE__ + 1;
       co_await structure.statistics();
     }},
    {"publish_of_the_deaf",
     [](combining_mode mode, unsigned& line) -> task<> {
       const auto structure = co_await global_queue<page>::make(combining_options(mode));
       co_await test::deafen(pes() - 1);
       line = __LINE__ + 1;
       co_await structure.publish();
     }},
    {"stack_push_to_the_deaf", push_to_the_deaf<global_stack<page>>},
    {"queue_push_to_the_deaf", push_to_the_deaf<global_queue<page>>},
    {"stack_pop_from_the_deaf", pop_from_the_deaf<global_stack<page>>},
    {"queue_pop_from_the_deaf", pop_from_the_deaf<global_queue<page>>},
};

bool is_deaf(const endless_operation& waiting) { return waiting.name.ends_with("deaf"); }

using hang_case = std::tuple<endless_operation, combining_mode, test::shape>;

/// If a PE handles no messages, a hang is recognised only after a time-out. To save time, cases in
/// which a PE handles no messages are tested in only two modes.
std::vector<hang_case> all_cases() {
  std::vector<hang_case> cases;
  for (const auto& waiting : k_all) {
    const bool deaf = is_deaf(waiting);
    for (const auto mode : {combining_mode::none, combining_mode::central, combining_mode::local,
                            combining_mode::both}) {
      if (deaf && mode != combining_mode::central && mode != combining_mode::local) continue;
      for (const auto& shape : test::shapes({2}, 1)) cases.emplace_back(waiting, mode, shape);
    }
  }
  return cases;
}

class container_hang : public testing::TestWithParam<hang_case> {};

TEST_P(container_hang, is_told_by_its_line) {
  const auto& [waiting, mode, shape] = GetParam();
  settings options = test::job_of(shape);
  // If no work is in flight, the hang is recognised at once, without the time-out.
  options.hang_timeout = is_deaf(waiting) ? 100'000'000 : 3'600'000'000'000;
  const test::captured_stderr said;
  unsigned line = 0;
  const auto program = [&, wanted = mode] { return waiting.program(wanted, line); };
  EXPECT_EQ(test::status_of(options, program), k_hang);
  EXPECT_THAT(said.text(), testing::HasSubstr(" at hang_test.cpp:" + std::to_string(line) + " "));
  EXPECT_THAT(said.text(), testing::Not(testing::HasSubstr(" at ordered.hpp")));
  EXPECT_THAT(said.text(), testing::Not(testing::HasSubstr(" at server.hpp")));
}

std::string case_name(const testing::TestParamInfo<hang_case>& info) {
  constexpr const char* k_modes[] = {"none", "central", "local", "both"};
  const testing::TestParamInfo<test::shape> of(std::get<2>(info.param), 0);
  return std::get<0>(info.param).name + "_" + k_modes[static_cast<int>(std::get<1>(info.param))] +
         "_" + test::shape_name(of);
}

INSTANTIATE_TEST_SUITE_P(on, container_hang, testing::ValuesIn(all_cases()), case_name);

}  // namespace
