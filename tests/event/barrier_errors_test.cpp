// Wrong use of a phase barrier is an error, whose text names the source lines of the calls. A
// failed precondition affects only one phase.

#include "atoll/phase_barrier.hpp"
#include "support/captured_stderr.hpp"
#include "support/run_on.hpp"

#include <gmock/gmock.h>

using namespace atl;

namespace {

using testing::AllOf;
using testing::HasSubstr;

class barrier_errors : public test::on_pes {};

std::string line_of_barrier(unsigned number) {
  return "barrier_errors_test.cpp:" + std::to_string(number);
}

/// Returns the text of the error that `function` throws.
template <class Function>
std::string error_of_call(const Function& function) {
  try {
    function();
  } catch (const error& failure) {
    EXPECT_EQ(failure.code(), errc::input);
    return failure.what();
  }
  return "nothing";
}

/// Runs `body` in a scope, and returns the text of the error that the scope or an await throws.
template <class Body>
task<std::string> error_of_task(Body body) {
  std::string text = "nothing";
  try {
    co_await finish(body);
  } catch (const error& failure) {
    text = failure.what();
  }
  co_return text;
}

TEST(barrier_errors_alone, refuse_what_is_wrong_and_name_both_places) {
  test::run_alone([]() -> task<> {
    EXPECT_THAT(error_of_call([] { make_phase_barrier(0); }), HasSubstr(line_of_barrier(__LINE__)));
    const unsigned made = __LINE__ + 1;
    const phase_barrier first = make_phase_barrier(2);
    const auto expect_refused = [made](unsigned where, const auto& function) {
      EXPECT_THAT(error_of_call(function),
                  AllOf(HasSubstr(line_of_barrier(made)), HasSubstr(line_of_barrier(where))));
    };
    expect_refused(__LINE__, [&] { first.arrive(3); });
    EXPECT_THAT(error_of_call([&] { first.arrive(0); }), HasSubstr(line_of_barrier(__LINE__)));
    expect_refused(__LINE__, [&] { first.advance(7).arrive(3); });
    first.arrive();
    first.advance(3).arrive(2);
    expect_refused(__LINE__, [&] { first.alter_expected(-2); });
    expect_refused(__LINE__, [&] { first.next().alter_expected(-1); });
    expect_refused(__LINE__, [&] { first.alter_expected(INT64_MIN); });
    expect_refused(__LINE__, [&] { first.alter_expected(INT64_MAX); });
    expect_refused(__LINE__, [&] { first.next().alter_expected(INT64_MAX - 1); });
    first.arrive();
    expect_refused(__LINE__, [&] { first.arrive(); });
    expect_refused(__LINE__, [&] { first.alter_expected(1); });
    first.destroy();
    expect_refused(__LINE__, [&] { first.next().arrive(); });
    expect_refused(__LINE__, [&] { first.destroy(); });
    EXPECT_THAT(error_of_call([] { phase_barrier().arrive(); }), HasSubstr("never made"));
    co_return;
  });
}

TEST_P(barrier_errors, keep_the_values_of_the_last_phases) {
  run([]() -> task<> {
    const unsigned made = __LINE__ + 1;
    const auto make = [] { return make_reducing_barrier(1, 7, maximum()); };
    const auto first = co_await call(pes() - 1, make);
    first.phase_barrier::arrive();
    EXPECT_EQ(co_await first.result(), 7);
    for (int i = 1; i <= 20; ++i) first.advance(static_cast<std::uint64_t>(i)).arrive(i + 7);
    EXPECT_EQ(co_await first.advance(20).result(), 27);
    EXPECT_EQ(co_await first.advance(5).result(), 12);
    const unsigned asked = __LINE__ + 1;
    const auto ask = [first]() -> task<> { co_await first.advance(4).result(); };
    EXPECT_THAT(co_await error_of_task(ask),
                AllOf(HasSubstr(line_of_barrier(made)), HasSubstr(line_of_barrier(asked))));
  });
}

// A phase must fail with the error of the first precondition that fails. A failed phase must not
// affect the other phases of its barrier.
TEST_P(barrier_errors, fail_with_a_precondition) {
  run([]() -> task<> {
    const auto make_barrier = [] { return make_phase_barrier(2); };
    const phase_barrier first = co_await call(pes() - 1, make_barrier);
    const auto make = [] { return make_user_event(); };
    const user_event go = co_await call(0, make);
    const user_event failing = co_await call(pes() / 2, make);
    const auto arrive = [=]() -> task<> {
      if (my_pe() == 0) first.arrive(1, go);
      if (my_pe() == pes() - 1) first.arrive(1, failing);
      if (my_pe() == pes() / 2) first.next().arrive(2, go);
      const auto fault = co_await first.completion().settled();
      EXPECT_TRUE(fault.has_value());
      const auto wait = [first]() -> task<> { co_await first; };
      EXPECT_THAT(co_await error_of_task(wait), HasSubstr("no tea"));
      co_await first.next();
      EXPECT_TRUE((co_await first.completion().settled()).has_value());
      EXPECT_FALSE((co_await first.next().completion().settled()).has_value());
    };
    const auto program = [=]() -> task<> {
      for (int pe = 0; pe < pes(); ++pe) async_call(pe, arrive);
      co_await sleep_for(100'000);
      failing.poison(error(errc::environment, "no tea"));
      co_await sleep_for(100'000);
      go.trigger();
    };
    co_await finish(program);
    const auto look_back = [first]() -> task<> {
      EXPECT_TRUE((co_await first.completion().settled()).has_value());
    };
    co_await on_all_pes(look_back);
  });
}

TEST(barrier_errors_alone, keep_the_first_fault_of_a_phase) {
  test::run_alone([]() -> task<> {
    const phase_barrier first = make_phase_barrier(2);
    const auto arrive_failing = [first](const char* why) -> task<> {
      const user_event bad = make_user_event();
      first.arrive(1, bad);
      bad.poison(error(errc::input, why));
      co_await yield();
    };
    co_await arrive_failing("no tea");
    co_await arrive_failing("no milk");
    const auto wait = [first]() -> task<> { co_await first; };
    EXPECT_THAT(co_await error_of_task(wait), HasSubstr("no tea"));
  });
}

TEST_P(barrier_errors, say_on_another_pe_what_is_wrong) {
  run([]() -> task<> {
    const unsigned made = __LINE__ + 1;
    const auto make = [] { return make_phase_barrier(2); };
    const phase_barrier first = co_await call(pes() - 1, make);
    const auto expect_refused = [](unsigned where, const std::string& text) {
      EXPECT_THAT(text, AllOf(HasSubstr(line_of_barrier(made)), HasSubstr(line_of_barrier(where))));
    };
    const auto arrive = [first] { first.arrive(3); };
    expect_refused(__LINE__ - 1, co_await error_of_task(arrive));
    const auto reduce = [first] { first.alter_expected(-3); };
    expect_refused(__LINE__ - 1, co_await error_of_task(reduce));
    const event completion = first.completion();
    const auto destroy = [first] { first.destroy(); };
    co_await finish(destroy);
    const auto wait = [completion]() -> task<> { co_await completion; };
    expect_refused(__LINE__ - 3, co_await error_of_task(wait));
    const auto arrive_late = [first] { first.arrive(); };
    expect_refused(__LINE__ - 1, co_await error_of_task(arrive_late));
    const auto wait_late = [first]() -> task<> { co_await first.next(); };
    expect_refused(__LINE__ - 1, co_await error_of_task(wait_late));
  });
}

TEST_P(barrier_errors, are_named_when_nobody_arrives) {
  options.hang_timeout = 3'600'000'000'000;
  constexpr int k_hang = 3;
  const test::captured_stderr said;
  const unsigned made = __LINE__ + 2;
  const int status = test::status_of(options, []() -> task<> {
    const auto make = [] { return make_phase_barrier(2); };
    const phase_barrier first = co_await call(pes() - 1, make);
    first.arrive();
    co_await first;
  });
  EXPECT_EQ(status, k_hang);
  EXPECT_THAT(said.text(),
              AllOf(HasSubstr("waits for at " + line_of_barrier(made + 3)),
                    HasSubstr("which waits for an event made at " + line_of_barrier(made))));
}

ATOLL_RUN_ON(barrier_errors, 1, 2, 3, 4, 7);

}  // namespace
