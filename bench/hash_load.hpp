#pragma once
// The operations of the workers in the hash table benchmark. The measured run and the replay that
// checks the run use the operations of this file.

#include "atoll/random.hpp"

#include <cstdint>

namespace atl::bench::hash {

struct load {
  std::uint64_t operations = 4'000'000;  ///< number of operations of all workers together
  std::uint64_t key_range = 1 << 10;     ///< number of possible keys; keys are 0 to key_range - 1
  /// Fraction of operations that are inserts and not lookups.
  double mix = 1;
  std::uint64_t workers = 1;  ///< number of workers on all PEs together
  std::uint64_t seed = 0;

  std::uint64_t share_of(std::uint64_t worker) const {
    return operations / workers + (worker < operations % workers ? 1 : 0);
  }
};

struct step {
  bool inserts;
  std::uint64_t key;
};

/// The sequence of operations of one worker.
class steps {
 public:
  steps(const load& of, std::uint64_t worker)
      : key_(random_key(of.seed, worker)),
        key_range_(of.key_range),
        inserts_(static_cast<std::uint64_t>(of.mix * 0x1p32)) {}

  step operator[](std::uint64_t i) const {
    const std::uint64_t random = random_at(key_, i);
    return {random >> 32 < inserts_, (random & 0xffffffff) * key_range_ >> 32};
  }

 private:
  std::uint64_t key_;
  std::uint64_t key_range_;
  std::uint64_t inserts_;
};

/// Returns the value that a map stores for `key`.
constexpr std::uint64_t value_of(std::uint64_t key) { return atl::hash(key + 1); }

}  // namespace atl::bench::hash
