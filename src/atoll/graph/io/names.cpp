#include "atoll/graph/io/names.hpp"

#include "atoll/graph/io/field.hpp"
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

// Compares bits of the hash first, which avoids most comparisons of text.
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

namespace atl {

name_reader::name_reader(const std::string& path, const std::string& content)
    : file_(path, content), blocks_(file_, compression_of(path), {.path = path}) {}

bool name_reader::read_some(const name_visitor& visit) {
  const auto text = blocks_.next();
  const char* end = text.data() + text.size();
  for (const char* begin = text.data(); begin != end; ++vertex_) {
    const char* next = graph::next_line(begin);
    const auto name = graph::without_end_of_line(begin, next);
    const auto fault = graph::fault_of_name(name);
    if (!fault.complaint.empty()) throw blocks_.error_at(begin + fault.position, fault.complaint);
    visit(vertex_, name);
    begin = next;
  }
  return !text.empty();
}

void for_each_name(const std::string& path, const name_visitor& visit) {
  name_reader reader(path);
  while (reader.read_some(visit)) {
  }
}

std::vector<std::string> read_names(const std::string& path, const std::string& content) {
  std::vector<std::string> names;
  name_reader reader(path, content);
  const auto keep = [&](std::uint64_t, std::string_view name) { names.emplace_back(name); };
  while (reader.read_some(keep)) {
  }
  return names;
}

}  // namespace atl
