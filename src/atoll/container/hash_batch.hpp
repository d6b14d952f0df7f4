#pragma once
// What of a batch of requests travels, and to which PE.

#include "atoll/combine/batch.hpp"
#include "atoll/container/hash_part.hpp"

#include <bit>
#include <numeric>
#include <span>
#include <vector>

namespace atl::container {

/// Of requests for the same key that follow each other in the batch, equal lookups, inserts and
/// erasures travel once. Those that travel keep their order; a lookup behind an insert travels too,
/// for it must not be answered by what nobody else sees yet.
template <class Key, class Value>
class hash_batch {
 public:
  using request = hash_request<Key, Value>;
  using pending = combine::pending<hash_gathered<Key, Value>, hash_answer<Value>>;

  explicit hash_batch(std::span<const pending> batch)
      : batch_(batch),
        ways_(batch.size()),
        first_of_(static_cast<std::size_t>(pes()) + 1),
        found_(batch.size()) {
    find_originals();
    std::partial_sum(first_of_.begin(), first_of_.end(), first_of_.begin());
    place_originals();
  }

  /// How many travel.
  std::size_t size() const { return travelling_.size(); }

  /// Those that go to one PE and have not been sent; and the place of the first.
  std::span<const std::uint32_t> left_for(int pe) const {
    const auto number = static_cast<std::size_t>(pe);
    return std::span(travelling_).subspan(first_of_[number], end_of_[number] - first_of_[number]);
  }
  std::uint32_t first_for(int pe) const { return first_of_[static_cast<std::size_t>(pe)]; }

  /// The first so many of them have been sent.
  void sent(int pe, std::size_t count) {
    first_of_[static_cast<std::size_t>(pe)] += static_cast<std::uint32_t>(count);
  }

  const request& operator[](std::uint32_t number) const { return batch_[number].request; }

  /// The request of the batch that travels for this one: often it is itself.
  std::uint32_t original(std::uint32_t number) const { return ways_[number].original; }

  /// Where, among those that travel, a request is that does.
  std::uint32_t place(std::uint32_t original) const { return ways_[original].place; }

 private:
  static bool repeats(const request& earlier, const request& later) {
    return (earlier.verb == later.verb) & (later.verb != hash_verb::assign);
  }

  /// What becomes of a request: the one that travels for it and, if that is itself, where to.
  struct way {
    std::uint32_t original;
    std::uint32_t owner;
    std::uint32_t place;
  };

  // Whether a key comes again is chance: nothing branches by it. A place that is free counts as one
  // that has the request itself.
  void find_originals() {
    // By their hashes, the last request that travels for each key; 0: none, else its number and 1.
    std::vector<std::uint32_t> last(std::bit_ceil(4 * batch_.size()));
    const std::size_t mask = last.size() - 1;
    const int all_pes = pes();
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < batch_.size(); ++i) {
      const request& wanted = (*this)[i];
      const std::uint64_t hash = key_hash<Key>()(wanted.key);
      const auto owner = static_cast<std::uint32_t>(owner_of_hash(hash, all_pes));
      std::size_t slot = hash & mask;
      std::uint32_t earlier = either(last[slot], i + 1) - 1;
      while (!((*this)[earlier].key == wanted.key)) {
        slot = (slot + 1) & mask;
        earlier = either(last[slot], i + 1) - 1;
      }
      const bool stays = repeats((*this)[earlier], wanted) & (earlier != i);
      const std::uint32_t travels = 1 - std::uint32_t{stays};
      ways_[i] = {either(travels * (i + 1), earlier + 1) - 1, owner, 0};
      last[slot] = ways_[i].original + 1;
      found_[count] = i;
      count += travels;
      first_of_[owner + 1] += travels;
    }
    found_.resize(count);
  }

  /// The first unless it is 0. A compiler makes a branch of `?:`.
  static std::uint32_t either(std::uint32_t first, std::uint32_t second) {
    return first | (second & (std::uint32_t{first != 0} - 1));
  }

  void place_originals() {
    travelling_.resize(found_.size());
    end_of_ = first_of_;
    for (const std::uint32_t i : found_) {
      ways_[i].place = end_of_[ways_[i].owner]++;
      travelling_[ways_[i].place] = i;
    }
  }

  std::span<const pending> batch_;
  std::vector<way> ways_;
  std::vector<std::uint32_t> first_of_;  // of each PE, among those that travel and are not sent
  std::vector<std::uint32_t> end_of_;
  std::vector<std::uint32_t> found_;       // numbers of requests that travel, as they came
  std::vector<std::uint32_t> travelling_;  // the same by PE
};

}  // namespace atl::container
