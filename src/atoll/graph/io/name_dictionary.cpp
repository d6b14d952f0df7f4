#include "atoll/graph/io/name_dictionary.hpp"

#include "atoll/random.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace atl::graph {
namespace {

constexpr std::size_t first_slots = 1024;

std::uint64_t hash_of(std::string_view name) { return hash(std::hash<std::string_view>{}(name)); }

}  // namespace

std::uint64_t name_dictionary::number_of(std::string_view name) {
  if (names_.size() >= slots_.size() / 2) grow();
  const auto mask = slots_.size() - 1;
  const auto hash = hash_of(name);
  auto place = hash & mask;
  for (; slots_[place] != 0; place = (place + 1) & mask) {
    if (holds(slots_[place], name, hash)) return number_in(slots_[place]);
  }
  names_.emplace_back(name);
  slots_[place] = slot_of(names_.size() - 1, hash);
  return names_.size() - 1;
}

std::vector<std::string> name_dictionary::take() && {
  slots_ = {};
  return std::exchange(names_, {});
}

name_dictionary::slot name_dictionary::slot_of(std::uint64_t number, std::uint64_t hash) {
  return (number + 1) | (hash >> number_bits << number_bits);
}

std::uint64_t name_dictionary::number_in(slot used) {
  return (used & ((slot{1} << number_bits) - 1)) - 1;
}

// The bits of the hash spare most comparisons of text.
bool name_dictionary::holds(slot used, std::string_view name, std::uint64_t hash) const {
  const auto number = number_in(used);
  return used == slot_of(number, hash) && names_[number] == name;
}

void name_dictionary::grow() {
  std::vector<slot> larger(std::max(first_slots, 2 * slots_.size()));
  const auto mask = larger.size() - 1;
  for (std::uint64_t number = 0; number < names_.size(); ++number) {
    const auto hash = hash_of(names_[number]);
    auto place = hash & mask;
    while (larger[place] != 0) place = (place + 1) & mask;
    larger[place] = slot_of(number, hash);
  }
  slots_ = std::move(larger);
}

}  // namespace atl::graph
