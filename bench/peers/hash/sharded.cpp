// Measures 256 flat tables of Abseil. Each table has its own lock, so threads seldom wait for each
// other.

#include "hash/load.hpp"

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <array>
#include <mutex>

namespace {

struct flat_set {
  absl::flat_hash_set<std::uint64_t> keys;

  bool insert(std::uint64_t key) { return keys.insert(key).second; }
  bool contains(std::uint64_t key) const { return keys.contains(key); }
  std::uint64_t size() const { return keys.size(); }
};

struct flat_map {
  absl::flat_hash_map<std::uint64_t, std::uint64_t> values;

  bool insert(std::uint64_t key) {
    return values.try_emplace(key, bench::hash::value_of(key)).second;
  }
  bool contains(std::uint64_t key) const {
    const auto at = values.find(key);
    return at != values.end() && at->second == bench::hash::value_of(key);
  }
  std::uint64_t size() const { return values.size(); }
};

template <class Table>
class sharded {
 public:
  bool insert(std::uint64_t key) {
    shard& at = of(key);
    const std::scoped_lock lock(at.mutex);
    return at.table.insert(key);
  }

  bool contains(std::uint64_t key) {
    shard& at = of(key);
    const std::scoped_lock lock(at.mutex);
    return at.table.contains(key);
  }

  std::uint64_t size() const {
    std::uint64_t sum = 0;
    for (const shard& one : shards_) sum += one.table.size();
    return sum;
  }

 private:
  struct alignas(64) shard {
    std::mutex mutex;
    Table table;
  };

  shard& of(std::uint64_t key) { return shards_[bench::hash::mixed(key) >> 56]; }

  std::array<shard, 256> shards_;
};

bool run(const bench::hash::options& o) {
  if (o.structure == "hash-set") {
    sharded<flat_set> set;
    return measure(set, o);
  }
  sharded<flat_map> map;
  return measure(map, o);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::hash::run_peer("flat hash tables of Abseil behind locks", argc, argv, run);
}
