// Tests the entry points of a program: flags, exit statuses, messages, and several jobs one after
// another.

#include "atoll/log.hpp"
#include "support/captured_stderr.hpp"
#include "support/run_on.hpp"

#include <cstdlib>
#include <gmock/gmock.h>
#include <stdexcept>
#include <string>
#include <vector>

using namespace atl;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

/// The arguments of a program, in the form that main gets.
class arguments {
 public:
  explicit arguments(std::vector<std::string> words) : words_(std::move(words)) {
    words_.insert(words_.begin(), "program");
    for (auto& word : words_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
    count = static_cast<int>(words_.size());
  }
  char** values() { return pointers_.data(); }
  std::vector<std::string> left() const { return {pointers_.begin(), pointers_.begin() + count}; }

  int count = 0;

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
};

const std::string k_kind =
    std::string("--atoll-pe-kind=") + (test::only_threads ? "thread" : "process");

TEST(run, takes_its_own_flags_and_leaves_the_others) {
  arguments given({"--atoll-pes", "3", "graph.el", "--verbose", k_kind, "--", "--atoll-x"});
  int pes_seen = 0;
  const int status = run(given.count, given.values(), [&]() -> task<> {
    pes_seen = pes();
    EXPECT_EQ(job_settings().pes, 3u);
    co_return;
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(pes_seen, 3);
  EXPECT_THAT(given.left(), ElementsAre("program", "graph.el", "--verbose", "--", "--atoll-x"));
}

TEST(run, takes_variables_and_prefers_flags) {
  setenv("ATOLL_PES", "2", 1);
  setenv("ATOLL_WORKERS", "77", 1);
  arguments given({"--atoll-workers=78", k_kind});
  const int status = run(given.count, given.values(), []() -> task<> {
    EXPECT_EQ(pes(), 2);
    EXPECT_EQ(job_settings().workers, 78u);
    co_return;
  });
  unsetenv("ATOLL_PES");
  unsetenv("ATOLL_WORKERS");
  EXPECT_EQ(status, 0);
}

/// Calls `run` with the arguments `words`, which must be refused with `part_of_text` on standard
/// error. The main task must not start.
void expect_refused(std::vector<std::string> words, const std::string& part_of_text) {
  const test::captured_stderr captured;
  arguments given(std::move(words));
  bool started = false;
  const int status = run(given.count, given.values(), [&]() -> task<> {
    started = true;
    co_return;
  });
  EXPECT_EQ(status, 2);
  EXPECT_FALSE(started);
  EXPECT_THAT(captured.text(), HasSubstr(part_of_text));
}

TEST(run, refuses_bad_flags_with_status_2) {
  expect_refused({"--atoll-pes", "0"}, "--atoll-pes: 0 is out of range (1 to 16384)");
  expect_refused({"--atoll-pess", "2"}, "--atoll-pes");
  expect_refused({"--atoll-flush-age=5"}, "--atoll-flush-age");
  expect_refused({"--atoll-pes"}, "--atoll-pes");
}

TEST(run, refuses_an_unknown_variable_with_status_2) {
  setenv("ATOLL_PESS", "2", 1);
  expect_refused({}, "did you mean ATOLL_PES");
  unsetenv("ATOLL_PESS");
}

TEST(run, ends_with_status_4_when_a_handler_throws_that_belongs_to_no_scope) {
  const test::captured_stderr captured;
  arguments given({"--atoll-pes=2", k_kind});
  const int status = run(given.count, given.values(), []() -> task<> {
    this_pe().messages->send<message::traffic::untracked>(
        my_pe(), [] { throw std::runtime_error("nobody waits"); }, site::current());
    co_await sleep_for(60'000'000'000);
  });
  EXPECT_EQ(status, 4);
  EXPECT_THAT(captured.text(), HasSubstr("nobody waits"));
}

TEST(run_spmd, runs_the_program_on_every_pe) {
  arguments given({"--atoll-pes=4", k_kind});
  int status = -1;
  {
    const test::shared_failures failures;
    status = run_spmd(given.count, given.values(), []() -> task<> {
      const auto sum = co_await all_reduce(my_pe(), [](int a, int b) { return a + b; });
      EXPECT_EQ(sum, 6);
    });
  }
  EXPECT_EQ(status, 0);
}

class jobs : public test::on_pes {
 protected:
  /// Runs a job, checks its standard error and returns its exit status.
  int ends(const main_function& program, bool spmd = false) {
    const test::captured_stderr captured;
    const int status = test::status_of(options, program, spmd);
    text = captured.text();
    return status;
  }

  std::string text;
};

TEST_P(jobs, that_end_well_have_status_0_and_say_nothing) {
  EXPECT_EQ(ends([]() -> task<> { co_await yield(); }), 0);
  EXPECT_THAT(text, IsEmpty());
}

TEST_P(jobs, that_find_bad_input_have_status_2) {
  EXPECT_EQ(ends([]() -> task<> {
              co_await yield();
              fail(errc::input, "graph.el:3:1: no number");
            }),
            2);
  EXPECT_EQ(text, "atoll: error: graph.el:3:1: no number\n");
}

TEST_P(jobs, that_find_a_wrong_result_have_status_1) {
  EXPECT_EQ(ends([]() -> task<> {
              co_await yield();
              fail(errc::wrong_result, "5 words differ");
            }),
            1);
}

TEST_P(jobs, that_throw_anything_else_have_status_4) {
  EXPECT_EQ(ends([]() -> task<> {
              co_await yield();
              throw std::runtime_error("something else");
            }),
            4);
  EXPECT_THAT(text, HasSubstr("something else"));
  EXPECT_EQ(ends([]() -> task<> {
              co_await yield();
              throw 5;
            }),
            4);
}

TEST_P(jobs, that_throw_before_they_wait_end_as_well) {
  const main_function no_coroutine = []() -> task<> { throw std::runtime_error("at once"); };
  EXPECT_EQ(ends(no_coroutine), 4);
  EXPECT_THAT(text, HasSubstr("at once"));
}

TEST_P(jobs, name_where_the_task_was_spawned_that_failed) {
  // The program is not inside a macro, because compilers count lines inside a macro differently.
  const int line = __LINE__ + 2;
  const main_function program = []() -> task<> {
    spawn([] { throw std::runtime_error("a spawned task"); });
    co_return;
  };
  EXPECT_EQ(ends(program), 4);
  EXPECT_THAT(text, HasSubstr("a spawned task"));
  EXPECT_THAT(text, HasSubstr("run_test.cpp:" + std::to_string(line)));
}

TEST_P(jobs, name_no_task_that_failed_before_and_was_forgiven) {
  EXPECT_EQ(ends([]() -> task<> {
              const auto start = [] { spawn([] { throw std::runtime_error("forgiven"); }); };
              bool forgiven = false;
              try {
                co_await finish(start);
              } catch (const std::runtime_error&) {
                forgiven = true;
              }
              EXPECT_TRUE(forgiven);
              throw std::runtime_error("unforgiven");
            }),
            4);
  EXPECT_THAT(text, HasSubstr("unforgiven"));
  EXPECT_THAT(text, Not(HasSubstr("spawned at")));
}

TEST_P(jobs, name_the_pe_that_failed) {
  const int last = size() - 1;
  EXPECT_EQ(ends([last]() -> task<> {
              const auto part = [last]() -> task<> {
                co_await yield();
                if (my_pe() == last) throw std::runtime_error("one of them");
              };
              co_await on_all_pes(part);
            }),
            4);
  EXPECT_THAT(text, HasSubstr("one of them"));
  if (last > 0) {
    EXPECT_THAT(text, HasSubstr("PE " + std::to_string(last)));
  }
}

TEST_P(jobs, that_throw_while_other_tasks_are_busy_end_when_these_have_ended) {
  std::uint64_t ended = 0;
  EXPECT_EQ(ends([&]() -> task<> {
              const auto count = co_await make_array<std::uint64_t>(1);
              for (int pe = 0; pe < pes(); ++pe) {
                async_call(pe, [count]() -> task<> {
                  for (int i = 0; i < 20; ++i) {
                    co_await fetch_add(count[0], 1);
                    if (i % 10 == 0) co_await sleep_for(100'000);
                  }
                });
              }
              spawn([&ended, count]() -> task<> {
                std::uint64_t counted = 0;
                while (counted < static_cast<std::uint64_t>(20 * pes())) {
                  counted = co_await read(count[0]);
                  co_await yield();
                }
                ended = counted;
              });
              co_await yield();
              throw std::runtime_error("too early");
            }),
            4);
  EXPECT_EQ(ended, static_cast<std::uint64_t>(20 * size()));
  EXPECT_THAT(text, HasSubstr("too early"));
}

TEST_P(jobs, of_every_pe_that_all_throw_end) {
  EXPECT_EQ(ends(
                []() -> task<> {
                  co_await yield();
                  throw std::runtime_error("all of them");
                },
                true),
            4);
  EXPECT_THAT(text, HasSubstr("all of them"));
}

TEST_P(jobs, run_one_after_another_in_one_process) {
  for (int round = 0; round < 5; ++round) {
    std::uint64_t seen = 0;
    run([&]() -> task<> {
      const auto array = co_await make_array<std::uint64_t>(1000);
      co_await parallel_for(1000, [array](std::uint64_t i) { async_fetch_add(array[i], i); });
      seen = co_await read(array[999]);
    });
    EXPECT_EQ(seen, 999u);
    if (round == 2) {
      EXPECT_EQ(ends([]() -> task<> { throw std::runtime_error("in between"); }), 4);
    }
  }
}

TEST_P(jobs, keep_what_the_program_captured_on_pe_0) {
  std::vector<int> captured;
  run([&]() -> task<> {
    const int last = co_await call(pes() - 1, [] { return my_pe(); });
    captured.push_back(last);
  });
  EXPECT_THAT(captured, ElementsAre(size() - 1));
}

TEST_P(jobs, within_a_job_are_refused) {
  run([&]() -> task<> {
    errc code = errc::internal;
    try {
      run_job(test::job_of(1), []() -> task<> { co_return; });
    } catch (const error& refusal) {
      code = refusal.code();
    }
    EXPECT_EQ(code, errc::input);
    co_return;
  });
}

TEST_P(jobs, print_only_what_is_as_important_as_the_log_level) {
  options.log_level = log_level::error;
  const main_function program = []() -> task<> {
    log::warning("a warning of {}", my_pe());
    log::error("an error of {}", my_pe());
    co_return;
  };
  EXPECT_EQ(ends(program), 0);
  EXPECT_THAT(text, Not(HasSubstr("a warning of 0")));
  EXPECT_THAT(text, HasSubstr("an error of 0"));
  options.log_level = log_level::warning;
  EXPECT_EQ(ends(program), 0);
  EXPECT_THAT(text, HasSubstr("a warning of 0"));
}

ATOLL_RUN_ON_ALL(jobs);

}  // namespace
