#pragma once
// Numbers names: each different one in the order in which it first appears.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace atl::graph {

class name_dictionary {
 public:
  /// The number of the name, a new one if it was not seen before.
  std::uint64_t number_of(std::string_view name);

  /// The names by number; the dictionary is empty afterwards.
  std::vector<std::string> take() &&;

 private:
  // A slot of the hash table holds a number + 1 and, above it, bits of the hash; 0 if it is free.
  using slot = std::uint64_t;
  static constexpr unsigned number_bits = 40;

  static slot slot_of(std::uint64_t number, std::uint64_t hash);
  static std::uint64_t number_in(slot used);
  bool holds(slot used, std::string_view name, std::uint64_t hash) const;
  void grow();

  std::vector<std::string> names_;
  std::vector<slot> slots_;  // a power of two, at most half of them used
};

}  // namespace atl::graph
