#include "bench/hash_local.hpp"

#include "atoll/local_hash_map.hpp"
#include "atoll/random.hpp"
#include "support/cores.hpp"
#include "support/huge_array.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace atl::bench::hash {
namespace {

using table = local_hash_set<std::uint64_t>;

constexpr std::uint64_t k_batch = 1024;
constexpr std::uint64_t k_lookups = std::uint64_t{1} << 23;
constexpr std::uint64_t k_ahead = 32;  // number of reads in flight; a larger number is not faster

/// Returns key number `place` of a sequence whose keys look random to a table. To measure a table
/// of n keys, the first n keys are inserted, and the first 2 n keys are looked up at random.
std::uint64_t key_at(std::uint64_t place) { return atl::hash(place + 1); }

std::vector<std::uint64_t> asked_places(std::uint64_t keys) {
  std::vector<std::uint64_t> places(k_lookups);
  const std::uint64_t stream = random_key(1);
  for (std::uint64_t i = 0; i < k_lookups; ++i)
    places[i] = uniform_below(random_at(stream, i), 2 * keys);
  return places;
}

double lookups_per_second(const table& of, const std::vector<std::uint64_t>& asked,
                          std::uint64_t& found) {
  const ::bench::stopwatch watch;
  for (std::uint64_t first = 0; first < asked.size(); first += k_batch) {
    const std::size_t count = std::min<std::size_t>(k_batch, asked.size() - first);
    of.contains_each(std::span(asked).subspan(first, count),
                     [&](std::size_t, bool is_there) { found += is_there ? 1 : 0; });
  }
  return static_cast<double>(asked.size()) / watch.seconds();
}

/// Measures prefetched reads of random words in an array of `bytes` bytes.
double reads_per_second(std::size_t bytes, const std::vector<std::uint64_t>& asked) {
  ::bench::huge_array<std::uint64_t> words(std::max<std::size_t>(bytes / 8, 64));
  words.touch();
  const auto place = [&](std::uint64_t i) { return uniform_below(asked[i], words.size()); };
  const ::bench::stopwatch watch;
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i + k_ahead < asked.size(); ++i) {
    __builtin_prefetch(&words[place(i + k_ahead)]);
    sum += words[place(i)];
  }
  const double seconds = watch.seconds();
  // Keeps the compiler from removing the reads.
  [[maybe_unused]] const volatile std::uint64_t kept = sum;
  return static_cast<double>(asked.size() - k_ahead) / seconds;
}

}  // namespace

std::uint64_t bytes_of_local(std::uint64_t keys) {
  constexpr std::uint64_t of_key = 32;  // bytes per key in a table that has just grown
  return k_lookups * sizeof(std::uint64_t) + 2 * of_key * keys;
}

local_outcome measure_local(std::uint64_t keys) {
  table filled;
  for (std::uint64_t i = 0; i < keys; ++i) filled.insert(key_at(i));
  std::vector<std::uint64_t> asked = asked_places(keys);
  const auto there = static_cast<std::uint64_t>(
      std::ranges::count_if(asked, [&](std::uint64_t place) { return place < keys; }));
  std::ranges::transform(asked, asked.begin(), key_at);
  local_outcome result;
  std::uint64_t found = 0;
  result.rate = lookups_per_second(filled, asked, found);
  result.limit = reads_per_second(filled.bytes(), asked);
  result.bytes_per_key = static_cast<double>(filled.bytes()) / static_cast<double>(keys);
  result.wrong_answers = found > there ? found - there : there - found;
  return result;
}

}  // namespace atl::bench::hash
