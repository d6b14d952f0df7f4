// This example counts the words of a text, in a map over all PEs whose keys are strings.

#include <algorithm>
#include <atoll/atoll.hpp>
#include <fmt/core.h>
#include <string>
#include <string_view>

using counts = atl::global_hash_map<std::string, std::uint64_t>;

constexpr std::string_view k_lines[] = {
    "an atoll is a ring of islands around a lagoon",
    "a lagoon is shallow and an island of the ring is flat",
    "the ring grows on a volcano and the volcano sinks",
    "what is left of the volcano is the lagoon",
};

void count_words_of(std::string_view line, counts all) {
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    // No call waits here. The loop over the lines ends when all words are counted.
    all.async_insert_or_update(line.substr(0, end), 1, [](std::uint64_t& count) { ++count; });
    line.remove_prefix(std::min(end + 1, line.size()));
  }
}

atl::task<> program() {
  const auto all = co_await counts::make();
  co_await atl::parallel_for(
      4000, [=](std::uint64_t i) { count_words_of(k_lines[i % std::size(k_lines)], all); });
  fmt::print("{} different words\n", co_await all.size());
  for (const char* const word : {"atoll", "an", "volcano", "the", "sea"}) {
    const auto count = co_await all.lookup(word);
    fmt::print("{:>7}: {}\n", word, count.value_or(0));
  }
}

int main(int argc, char** argv) { return atl::run(argc, argv, program); }
