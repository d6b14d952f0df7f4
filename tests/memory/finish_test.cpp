// finish() must wait for all work that its body has started on any PE, and must rethrow errors of
// this work.

#include "support/run_on.hpp"

#include <gmock/gmock.h>
#include <stdexcept>
#include <string>

using namespace atl;
using testing::HasSubstr;

namespace {

using words = global_array<std::uint64_t>;

class finishing : public test::on_pes {};

std::uint64_t tree_size(int depth) {
  std::uint64_t size = 1;
  for (int level = 0; level < depth; ++level) size = 1 + 3 * size;
  return size;
}

int random_pe(std::uint64_t seed) {
  return static_cast<int>(hash(seed) % static_cast<std::uint64_t>(pes()));
}

/// A node of a tree of handlers, tasks on this PE and tasks on other PEs. Each node starts three
/// more nodes.
struct node {
  words count;
  int depth;
  std::uint64_t seed;

  void operator()() const { start_children(); }

  node child(std::uint64_t i) const { return {count, depth - 1, hash(seed + i)}; }

  void start_children() const {
    async_fetch_add(count[0], 1);
    if (depth == 0) return;
    async_call(random_pe(seed), child(0));  // The child runs as a message handler.
    async_call(random_pe(seed + 1), [next = child(1)] { return next.as_task(); });
    spawn([next = child(2)] { return next.as_task(); });
  }
  task<> as_task() const {
    const node self = *this;
    co_await sleep_for(static_cast<std::int64_t>(hash(self.seed) % 50'000));
    self.start_children();
  }
};

TEST_P(finishing, waits_for_handlers_and_tasks_started_by_each_other) {
  run([]() -> task<> {
    const words count = co_await make_array<std::uint64_t>(1);
    for (int depth = 0; depth <= 5; ++depth) {
      co_await write(count[0], 0);
      const auto start = [count, depth] { node{count, depth, 77}(); };
      co_await finish(start);
      const auto counted = co_await read(count[0]);
      EXPECT_EQ(counted, tree_size(depth));
    }
  });
}

TEST_P(finishing, of_many_tasks_at_once_waits_for_their_own) {
  run([]() -> task<> {
    const words counts = co_await make_array<std::uint64_t>(static_cast<std::uint64_t>(20 * pes()));
    const auto part = [counts] {
      for (std::uint64_t i = 0; i < 20; ++i) {
        const auto mine = counts[20 * static_cast<std::uint64_t>(my_pe()) + i];
        spawn([mine, i]() -> task<> {
          const auto start = [mine, i] {
            for (std::uint64_t k = 0; k <= i; ++k) {
              async_call(random_pe(i + k), [mine, k]() -> task<> {
                co_await sleep_for(static_cast<std::int64_t>(10'000 * (k % 3)));
                async_fetch_add(mine, 1);
              });
            }
          };
          co_await finish(start);
          const auto counted = co_await read(mine);
          EXPECT_EQ(counted, i + 1);
        });
      }
    };
    co_await on_all_pes(part);
  });
}

/// Runs `body` in a call of `finish`, and returns the text of the error that ends `finish`. If a
/// std::runtime_error comes from another PE, the error that arrives must have the code `remote`.
template <class Body>
task<std::string> failure_of(Body body, int pe) {
  std::string text = "none";
  try {
    co_await finish(body);
  } catch (const error& failure) {
    EXPECT_EQ(failure.code(), errc::remote);
    EXPECT_NE(pe, my_pe());
    text = failure.what();
  } catch (const std::runtime_error& failure) {
    EXPECT_EQ(pe, my_pe());
    text = "PE " + std::to_string(pe) + ": " + failure.what();
  }
  co_return text;
}

TEST_P(finishing, carries_back_what_left_a_handler_or_a_task) {
  run([]() -> task<> {
    for (int pe = 0; pe < pes(); ++pe) {
      const std::string expected = "PE " + std::to_string(pe) + ": thrown by ";
      const auto handler = [pe] {
        async_call(pe, [] { throw std::runtime_error("thrown by a handler"); });
      };
      const std::string from_handler = co_await failure_of(handler, pe);
      EXPECT_EQ(from_handler, expected + "a handler");
      const auto remote_task = [pe] {
        async_call(pe, []() -> task<> {
          co_await yield();
          throw std::runtime_error("thrown by a task");
        });
      };
      const std::string from_task = co_await failure_of(remote_task, pe);
      const std::string line = std::to_string(__LINE__ - 6);
      const std::string origin =
          pe == my_pe() ? "" : " (in the task spawned at finish_test.cpp:" + line + ")";
      EXPECT_EQ(from_task, expected + "a task" + origin);
    }
  });
}

TEST_P(finishing, carries_back_what_left_a_part_far_away) {
  run([]() -> task<> {
    std::string text;
    const auto chain = [] {
      async_call(pes() / 2, [] {
        spawn([]() -> task<> {
          co_await yield();
          async_call(pes() - 1, [] { throw std::runtime_error("far away"); });
        });
      });
    };
    try {
      co_await finish(chain);
    } catch (const std::exception& failure) {
      text = failure.what();
    }
    EXPECT_THAT(text, HasSubstr("far away"));
    if (pes() > 2) {
      EXPECT_THAT(text, HasSubstr("PE " + std::to_string(pes() - 1)));
    }
  });
}

TEST_P(finishing, ends_all_parts_that_have_begun_although_some_throw) {
  run([]() -> task<> {
    const words begun = co_await make_array<std::uint64_t>(1);
    const words ended = co_await make_array<std::uint64_t>(1);
    int thrown = 0;
    const auto start = [begun, ended] {
      for (std::uint64_t i = 0; i < 60; ++i) {
        async_call(random_pe(i), [begun, ended, i]() -> task<> {
          async_fetch_add(begun[0], 1);
          co_await sleep_for(static_cast<std::int64_t>(hash(i) % 200'000));
          async_fetch_add(ended[0], 1);
          if (i % 7 == 0) throw std::runtime_error("one of several");
        });
      }
    };
    try {
      co_await finish(start);
    } catch (const std::exception& failure) {
      EXPECT_THAT(failure.what(), HasSubstr("one of several"));
      ++thrown;
    }
    EXPECT_EQ(thrown, 1);
    EXPECT_EQ(co_await read(ended[0]), co_await read(begun[0]));
    co_await finish([] {});  // The failure must not affect the next scope.
  });
}

TEST_P(finishing, throws_what_came_first) {
  run([]() -> task<> {
    std::string text;
    const auto start = []() -> task<> {
      const auto first = [] { throw std::runtime_error("the first"); };
      async_call(pes() - 1, first);
      // The loop waits until this PE has been told of the first failure.
      while (!this_pe().messages->enclosing().failure) co_await yield();
      async_call(0, [] { throw std::runtime_error("the second"); });
    };
    try {
      co_await finish(start);
    } catch (const std::exception& failure) {
      text = failure.what();
    }
    EXPECT_THAT(text, HasSubstr("the first"));
  });
}

TEST_P(finishing, cuts_long_texts_to_what_travels) {
  options.buffer_size = 1 << 10;
  run([]() -> task<> {
    std::string text;
    const auto start = [] {
      async_call(pes() - 1, [] { throw std::runtime_error(std::string(5000, 'x')); });
    };
    try {
      co_await finish(start);
    } catch (const std::exception& failure) {
      text = failure.what();
    }
    EXPECT_THAT(text, HasSubstr(std::string(500, 'x')));
  });
}

template <class Body>
task<errc> code_of_failure(Body body) {
  try {
    co_await finish(body);
  } catch (const error& failure) {
    co_return failure.code();
  } catch (const std::bad_alloc&) {
    co_return errc::out_of_memory;
  }
  co_return errc::internal;
}

TEST_P(finishing, ends_by_an_error_of_the_kind_that_was_thrown_elsewhere) {
  run([]() -> task<> {
    for (int pe = 0; pe < pes(); ++pe) {
      const auto wrong = [pe]() -> task<> {
        async_call(pe, [] { throw error(errc::wrong_result, "five"); });
        co_return;
      };
      const auto starved = [pe]() -> task<> {
        async_call(pe, []() -> task<> {
          co_await yield();
          throw std::bad_alloc();
        });
        co_return;
      };
      const auto refused = [pe]() -> task<> {
        co_await call(pe, [] { throw error(errc::out_of_memory, "no room"); });
      };
      EXPECT_EQ(co_await code_of_failure(wrong), errc::wrong_result);
      EXPECT_EQ(co_await code_of_failure(starved), errc::out_of_memory);
      EXPECT_EQ(co_await code_of_failure(refused), errc::out_of_memory);
    }
  });
}

TEST_P(finishing, of_calls_throws_where_they_are_awaited) {
  run([]() -> task<> {
    for (int pe = 0; pe < pes(); ++pe) {
      std::string text;
      try {
        co_await call(pe, []() -> int { throw error(errc::input, "no such thing"); });
      } catch (const error& failure) {
        EXPECT_EQ(failure.code(), errc::input);
        text = failure.what();
      }
      const std::string origin = pe == my_pe() ? "" : "PE " + std::to_string(pe) + ": ";
      EXPECT_EQ(text, origin + "no such thing");
      try {
        co_await call(pe, []() -> task<int> {
          co_await yield();
          throw 5;
        });
        text = "nothing was thrown";
      } catch (const error& failure) {
        text = failure.what();
      } catch (int) {
        text = "an int";
      }
      EXPECT_EQ(text, pe == my_pe() ? "an int" : origin + "an exception that is no std::exception");
    }
  });
}

/// Returns true if `body` ends with an exception in a scope of its own.
template <class Body>
task<bool> fails(Body body) {
  try {
    co_await finish(body);
  } catch (const std::exception&) {
    co_return true;
  }
  co_return false;
}

TEST_P(finishing, leaves_out_what_has_not_begun_when_a_part_fails) {
  run([]() -> task<> {
    int begun = 0;
    const auto start = [&begun] {
      spawn([] { throw std::runtime_error("the first one fails"); });
      for (int i = 0; i < 100; ++i) spawn([&begun] { ++begun; });
    };
    EXPECT_TRUE(co_await fails(start));
    EXPECT_EQ(begun, 0);
    const auto loop = [&begun](std::uint64_t i) {
      ++begun;
      if (i == 0) throw std::runtime_error("the first iteration fails");
    };
    EXPECT_TRUE(co_await fails([&loop] { return local_parallel_for(0, 1'000'000, loop); }));
    EXPECT_LT(begun, 500'000);
  });
}

void spawn_for_ever() {
  spawn([] { spawn_for_ever(); });
}

TEST_P(finishing, ends_when_a_part_fails_of_what_would_go_on_for_ever) {
  run([]() -> task<> {
    const auto start = []() -> task<> {
      spawn_for_ever();
      for (int i = 0; i < 10; ++i) co_await yield();
      throw std::runtime_error("enough");
    };
    EXPECT_TRUE(co_await fails(start));
  });
}

ATOLL_RUN_ON_ALL(finishing);

}  // namespace
