#include "bench/hash_replay.hpp"

namespace atl::bench::hash {
namespace {

template <class Visit>
void each_step(const load& all, Visit&& visit) {
  for (std::uint64_t worker = 0; worker < all.workers; ++worker) {
    const steps of_worker(all, worker);
    const std::uint64_t share = all.share_of(worker);
    for (std::uint64_t i = 0; i < share; ++i) visit(worker, of_worker[i]);
  }
}

}  // namespace

std::size_t bytes_of_replay(const load& all) {
  const std::size_t last_inserters = all.mix < 1 ? all.key_range * sizeof(std::uint32_t) : 0;
  return all.key_range / 8 + sizeof(std::uint64_t) + last_inserters;
}

replay replay_of(const load& all) {
  replay found;
  found.inserted.resize(ceil_divide(all.key_range, std::uint64_t{64}));
  const bool looks_up = all.mix < 1;
  // For each key, the number of the worker that inserted it last, plus 1.
  std::vector<std::uint32_t> last_inserter(looks_up ? all.key_range : 0);
  each_step(all, [&](std::uint64_t worker, step one) {
    const auto number = static_cast<std::uint32_t>(worker + 1);
    if (one.inserts) {
      found.keys += has_bit(found.inserted, one.key) ? 0 : 1;
      found.inserted[one.key / 64] |= std::uint64_t{1} << one.key % 64;
      if (looks_up) last_inserter[one.key] = number;
    } else {
      ++found.lookups;
      found.least_found += last_inserter[one.key] == number ? 1 : 0;
    }
  });
  if (!looks_up) return found;
  each_step(all, [&](std::uint64_t, step one) {
    found.most_found += !one.inserts && has_bit(found.inserted, one.key) ? 1 : 0;
  });
  return found;
}

}  // namespace atl::bench::hash
