// Runs the checks of the fuzzers on their corpus and on random mutations of the corpus. This test
// needs no fuzzing compiler.

#include "fuzz/bvgraph_checks.hpp"
#include "fuzz/csr_checks.hpp"
#include "fuzz/key_checks.hpp"

#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <random>

namespace {

using namespace std::literals;
using bytes = std::vector<std::uint8_t>;

std::vector<bytes> corpus(const std::string& name) {
  const auto tests = std::filesystem::path(__FILE__).parent_path().parent_path();
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(tests / "fuzz" / "corpus" / name)) {
    paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  std::vector<bytes> seeds;
  for (const auto& path : paths) {
    const auto content = content_of(path);
    seeds.emplace_back(content.begin(), content.end());
  }
  return seeds;
}

class mutator {
 public:
  explicit mutator(std::uint64_t seed) : random_(seed) {}

  bytes mutate(const std::vector<bytes>& seeds) {
    auto result = seeds[below(seeds.size())];
    for (auto changes = 1 + below(5); changes > 0; --changes) change(result, seeds);
    return result;
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }

  void change(bytes& content, const std::vector<bytes>& seeds) {
    static constexpr std::string_view telling = "0123456789 \t\r\n#%-ax\0\x7f\xff,;/"sv;
    const auto place = content.begin() + static_cast<std::ptrdiff_t>(below(content.size() + 1));
    switch (below(5)) {
    case 0:
      if (place != content.end()) *place ^= static_cast<std::uint8_t>(1u << below(8));
      break;
    case 1:
      content.insert(place, static_cast<std::uint8_t>(telling[below(telling.size())]));
      break;
    case 2:
      content.erase(place, place + static_cast<std::ptrdiff_t>(
                                       below(static_cast<std::size_t>(content.end() - place) + 1)));
      break;
    case 3:
      content.insert(place, below(100), static_cast<std::uint8_t>('0' + below(10)));
      break;
    default: {
      const auto other = seeds[below(seeds.size())];
      content.insert(place, other.begin(), other.end());
    }
    }
  }

  std::mt19937_64 random_;
};

using check = std::function<void(std::span<const std::uint8_t>)>;

void replay(const std::string& name, const check& holds, std::uint64_t mutations) {
  const auto seeds = corpus(name);
  ASSERT_FALSE(seeds.empty());
  for (const auto& seed : seeds) EXPECT_NO_THROW(holds(seed));
  for (std::uint64_t number = 0; number < mutations; ++number) {
    const auto content = mutator(number).mutate(seeds);
    ASSERT_NO_THROW(holds(content))
        << "mutation " << number << ": "
        << testing::PrintToString(std::string(content.begin(), content.end()));
  }
}

TEST(fuzz_corpus, read_edges) {
  replay("read_edges", [](auto input) { edge_checks::check_text(input); }, 3000);
}
TEST(fuzz_corpus, read_keys) { replay("read_keys", key_checks::check, 3000); }
TEST(fuzz_corpus, read_published) { replay("read_published", edge_checks::check_published, 3000); }
TEST(fuzz_corpus, read_headed) { replay("read_headed", edge_checks::check_headed, 10000); }
TEST(fuzz_corpus, read_recognised) {
  replay("read_recognised", edge_checks::check_recognised, 3000);
}
TEST(fuzz_corpus, read_rows) { replay("read_rows", csr_checks::check_rows, 10000); }
TEST(fuzz_corpus, bvgraph_lists) { replay("bvgraph_lists", bvgraph_checks::check_lists, 3000); }
TEST(fuzz_corpus, bvgraph_properties) {
  replay("bvgraph_properties", bvgraph_checks::check_properties, 3000);
}
TEST(fuzz_corpus, unpack_edges) { replay("unpack_edges", edge_checks::check_packed, 3000); }

}  // namespace
