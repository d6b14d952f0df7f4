#pragma once
// Which arrivals may be counted already. A PE that expects more arrivals tells the home of the
// barrier and, by other messages, those that are to arrive: they may be faster. So the handle that
// `alter_expected` returns carries a stamp, an increase of that PE, and what is done through the
// handle counts when that increase has come. An increase itself counts as soon as it comes: a phase
// then ends late, never early. (After the timestamps of Realm's barriers.)

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace atl::events {

/// The n-th increase that a PE has sent to the home of the barrier.
class stamp {
 public:
  constexpr stamp() = default;
  constexpr stamp(int pe, std::uint64_t number)
      : word_(static_cast<std::uint64_t>(pe) << k_number_bits | number) {}

  constexpr bool is_none() const { return word_ == 0; }
  constexpr int pe() const { return static_cast<int>(word_ >> k_number_bits); }
  constexpr std::uint64_t number() const { return word_ & ((1ull << k_number_bits) - 1); }

  friend constexpr bool operator==(const stamp&, const stamp&) = default;

 private:
  static constexpr int k_number_bits = 48;

  std::uint64_t word_ = 0;
};

/// The increases that have come to one PE, for whichever of its barriers.
class increases_seen {
 public:
  /// The next one of `pe` has come, made through a handle with the stamp `earlier`.
  void note(int pe, stamp earlier);

  /// That increase has come, and all that it followed.
  bool has(stamp asked) const;

 private:
  struct gap {
    stamp later;
    stamp missing;
  };

  std::unordered_map<int, std::uint64_t> seen_;  ///< how many, by PE
  std::vector<gap> gaps_;                        ///< came before what they followed
};

}  // namespace atl::events
