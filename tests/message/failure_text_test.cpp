// If a handler on another PE fails, its error returns in one message. The text of the error is
// shortened to the size of a network buffer.

#include "support/run_on.hpp"

#include <gmock/gmock.h>

using namespace atl;
using testing::StartsWith;

namespace {

class failure_texts : public test::on_pes {
 protected:
  failure_texts() { options.buffer_size = 1 << 10; }
};

/// Returns the error of a scope that sends a message to the last PE. The handler of the message
/// fails with a text of `length` characters.
task<std::string> failure_of_length(std::size_t length) {
  const auto send = [length] {
    async_call(pes() - 1, [length] { throw error(errc::input, std::string(length, 'x')); });
  };
  try {
    co_await finish(send);
  } catch (const error& failed) {
    EXPECT_EQ(failed.code(), errc::input);
    co_return failed.what();
  }
  co_return "";
}

task<> check_failures(global_array<std::uint64_t> words) {
  constexpr std::size_t k_shortest_cut = 500;
  const std::string begin = my_pe() == pes() - 1 ? "" : fmt::format("PE {}: ", pes() - 1);
  for (const std::size_t length : {1, 100, 900, 1000, 1023, 1024, 1025, 4000, 100'000}) {
    const auto add = [words] {
      for (std::uint64_t i = 0; i < words.size(); ++i) async_fetch_add(words[i], 1);
    };
    co_await finish(add);
    const std::string text = co_await failure_of_length(length);
    EXPECT_THAT(text, StartsWith(begin));
    const std::string said = text.substr(std::min(text.size(), begin.size()));
    EXPECT_EQ(said, std::string(said.size(), 'x'));
    EXPECT_LE(said.size(), length);
    EXPECT_GE(said.size(), std::min(length, k_shortest_cut));
  }
}

TEST_P(failure_texts, of_any_length_come_back_and_harm_nothing_beside_them) {
  run([]() -> task<> {
    const auto words = co_await make_array<std::uint64_t>(64);
    const auto check = [words] { return check_failures(words); };
    co_await on_all_pes(check);
    const std::uint64_t lengths = 9;
    for (std::uint64_t i = 0; i < words.size(); ++i)
      EXPECT_EQ(co_await read(words[i]), lengths * static_cast<std::uint64_t>(pes()));
  });
}

ATOLL_RUN_ON(failure_texts, 1, 2, 3, 7);

}  // namespace
