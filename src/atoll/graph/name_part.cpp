#include "atoll/graph/name_part.hpp"

#include "atoll/collectives.hpp"

#define XXH_INLINE_ALL
// The hash function XXH uses no vector code, because g++ 12 warns about the headers for vector
// code. Names are short, so vector code would save little time.
#define XXH_VECTOR 0
#include <xxhash.h>

namespace atl::graph {
namespace {

/// A name whose number a PE has asked for, with the index of the name in the list of that PE.
struct asked_name {
  std::uint64_t hash;
  std::string_view name;
  std::size_t source;
  std::uint64_t place;
};

// Returns one text for each PE, with the names whose hashes belong to that PE. A line feed ends
// each name, because names contain no control characters.
task<std::vector<std::vector<char>>> lists_by_pe(const std::vector<std::string>& names) {
  std::vector<std::vector<char>> lists(static_cast<std::size_t>(pes()));
  const auto append = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      auto& list = lists[static_cast<std::size_t>(pe_of_hash(hash_of_name(names[i])))];
      list.insert(list.end(), names[i].begin(), names[i].end());
      list.push_back('\n');
    }
  };
  co_await in_stretches(0, names.size(), append);
  co_return lists;
}

/// Removes at most `most` names from the beginning of `rest`, and returns them.
void take_names(std::string_view& rest, std::size_t source, std::uint64_t& place,
                std::uint64_t most, std::vector<asked_name>& asked) {
  for (std::uint64_t taken = 0; taken < most && !rest.empty(); ++taken) {
    const auto name = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(name.size() + 1);
    asked.push_back({hash_of_name(name), name, source, place++});
  }
}

/// Numbers the different names from 0 on, in the order of their hashes, and stores the names in
/// `kept`. Returns one list for each PE: the numbers of the names in the PE's list, in the order of
/// the list.
task<std::vector<std::vector<std::uint64_t>>> number_here(const received_parts<char>& lists,
                                                          name_table& kept) {
  std::vector<asked_name> asked;
  std::vector<std::vector<std::uint64_t>> answers(lists.size());
  for (std::size_t source = 0; source < lists.size(); ++source) {
    std::string_view rest(lists[source].data(), lists[source].size());
    std::uint64_t places = 0;
    while (!rest.empty()) {
      take_names(rest, source, places, k_stretch, asked);
      co_await yield();
    }
    answers[source].resize(places);
  }
  const auto by_text = [](const asked_name& a, const asked_name& b) { return a.name < b.name; };
  co_await sort_by_hash(asked, by_text);
  const auto number = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      if (i == 0 || asked[i].name != asked[i - 1].name) kept.add(asked[i].name);
      answers[asked[i].source][asked[i].place] = kept.size() - 1;
    }
  };
  co_await in_stretches(0, asked.size(), number);
  co_return answers;
}

}  // namespace

std::string name_here(const name_part& part, std::uint64_t vertex) {
  const std::uint64_t i = vertex - part.boundaries[static_cast<std::size_t>(my_pe())];
  if (i < part.ids.size()) return std::to_string(part.ids[i]);
  return i < part.names.size() ? std::string(part.names[i]) : "";
}

std::uint64_t hash_of_name(std::string_view name) { return XXH3_64bits(name.data(), name.size()); }

task<std::vector<std::uint64_t>> all_number_names(std::vector<std::string> names, name_part& part) {
  const auto questions = co_await lists_by_pe(names);
  const auto lists = co_await all_to_all(questions);
  const auto mine = co_await number_here(lists, part.names);
  const auto answers = co_await all_to_all(mine);
  part.boundaries.assign(1, 0);
  for (const std::uint64_t kept : co_await all_gather(part.names.size())) {
    part.boundaries.push_back(part.boundaries.back() + kept);
  }
  std::vector<std::uint64_t> numbers(names.size());
  std::vector<std::uint64_t> next(answers.size());
  const auto take = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      const auto pe = static_cast<std::size_t>(pe_of_hash(hash_of_name(names[i])));
      numbers[i] = part.boundaries[pe] + answers[pe][next[pe]++];
    }
  };
  co_await in_stretches(0, names.size(), take);
  co_return numbers;
}

task<> all_index_names(name_part& part) {
  std::vector<std::vector<indexed_name>> outgoing(static_cast<std::size_t>(pes()));
  const std::uint64_t first = part.boundaries[static_cast<std::size_t>(my_pe())];
  const auto send = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      if (part.names[i].empty()) continue;
      const std::uint64_t hash = hash_of_name(part.names[i]);
      outgoing[static_cast<std::size_t>(pe_of_hash(hash))].push_back({hash, first + i});
    }
  };
  co_await in_stretches(0, part.names.size(), send);
  for (const auto& of_pe : co_await all_to_all(outgoing)) {
    part.index.insert(part.index.end(), of_pe.begin(), of_pe.end());
  }
  const auto by_vertex = [](const auto& a, const auto& b) { return a.vertex < b.vertex; };
  co_await sort_by_hash(part.index, by_vertex);
}

std::optional<std::uint64_t> indexed_vertex(const name_part& part, std::uint64_t hash,
                                            std::uint64_t k) {
  const auto equal = std::ranges::equal_range(part.index, hash, {}, &indexed_name::hash);
  if (k >= equal.size()) return std::nullopt;
  return equal[static_cast<std::ptrdiff_t>(k)].vertex;
}

}  // namespace atl::graph
