// Measures the concurrent hash tables of oneTBB. oneTBB has two kinds of concurrent tables; this
// program uses the kind that does not lock the elements it finds.

#include "hash/load.hpp"

#include <oneapi/tbb/concurrent_unordered_map.h>
#include <oneapi/tbb/concurrent_unordered_set.h>

namespace {

struct hash_of_key {
  std::size_t operator()(std::uint64_t key) const { return bench::hash::mixed(key); }
};

struct shared_set {
  tbb::concurrent_unordered_set<std::uint64_t, hash_of_key> keys;

  bool insert(std::uint64_t key) { return keys.insert(key).second; }
  bool contains(std::uint64_t key) const { return keys.contains(key); }
  std::uint64_t size() const { return keys.size(); }
};

struct shared_map {
  tbb::concurrent_unordered_map<std::uint64_t, std::uint64_t, hash_of_key> values;

  bool insert(std::uint64_t key) { return values.emplace(key, bench::hash::value_of(key)).second; }
  bool contains(std::uint64_t key) const {
    const auto at = values.find(key);
    return at != values.end() && at->second == bench::hash::value_of(key);
  }
  std::uint64_t size() const { return values.size(); }
};

bool run(const bench::hash::options& o) {
  if (o.structure == "hash-set") {
    shared_set set;
    return measure(set, o);
  }
  shared_map map;
  return measure(map, o);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::hash::run_peer("a concurrent hash table of oneTBB", argc, argv, run);
}
