#include "atoll/graph/compact_ids.hpp"

#include "atoll/collectives.hpp"
#include "atoll/local_memory.hpp"
#include "atoll/random.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace atl::graph {
namespace {

using id_list = std::vector<std::uint64_t>;

/// An id, and its index in an unsorted list.
struct placed_id {
  std::uint64_t id;
  std::uint64_t place;
};

constexpr std::uint64_t id_of(std::uint64_t id) { return id; }
constexpr std::uint64_t id_of(const placed_id& of) { return of.id; }

/// Sorts ids by radix sort: one pass per byte, beginning with the lowest byte. Other tasks run
/// meanwhile.
template <class Element>
task<> sort_ids(std::vector<Element>& ids) {
  constexpr unsigned bits = 8;
  constexpr std::uint64_t digits = 1 << bits;
  std::uint64_t all_bits = 0;
  const auto look = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) all_bits |= id_of(ids[i]);
  };
  co_await in_stretches(0, ids.size(), look);
  std::vector<Element> sorted(ids.size());
  for (unsigned shift = 0; shift < 64 && all_bits >> shift != 0; shift += bits) {
    const auto digit = [shift](const Element& of) { return (id_of(of) >> shift) % digits; };
    std::array<std::uint64_t, digits + 1> next{};
    const auto count = [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) ++next[digit(ids[i]) + 1];
    };
    co_await in_stretches(0, ids.size(), count);
    for (std::uint64_t d = 0; d < digits; ++d) next[d + 1] += next[d];
    const auto place = [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) sorted[next[digit(ids[i])]++] = ids[i];
    };
    co_await in_stretches(0, ids.size(), place);
    ids.swap(sorted);
  }
}

/// Sorts ids and removes duplicates.
task<> sort_into_set(id_list& ids) {
  co_await sort_ids(ids);
  std::uint64_t kept = 0;
  const auto keep = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i)
      if (kept == 0 || ids[i] != ids[kept - 1]) ids[kept++] = ids[i];
  };
  co_await in_stretches(0, ids.size(), keep);
  ids.resize(kept);
  ids.shrink_to_fit();
}

/// Numbers different ids in the order in which they first occur. The class is a hash table with
/// linear probing.
class id_dictionary {
 public:
  id_dictionary() : slots_(k_first_slots) {}

  void prefetch(std::uint64_t id) const { __builtin_prefetch(&slots_[place_of(id)], 1); }

  /// Returns the number of the id. An id that has not occurred before gets a new number.
  std::uint64_t number_of(std::uint64_t id) {
    std::uint64_t place = place_of(id);
    for (; slots_[place].above != 0; place = (place + 1) & (slots_.size() - 1))
      if (slots_[place].id == id) return slots_[place].above - 1;
    slots_[place] = {id, ++count_};
    if (count_ > slots_.size() / 4 * 3) grow();
    return count_ - 1;
  }

  /// Returns all ids with their numbers, in an unspecified order. Frees the table.
  std::vector<placed_id> take() {
    std::vector<placed_id> all;
    all.reserve(count_);
    for (const slot& each : slots_)
      if (each.above != 0) all.push_back({each.id, each.above - 1});
    slots_ = {};
    return all;
  }

 private:
  static constexpr std::uint64_t k_first_slots = std::uint64_t{1} << 12;

  struct slot {
    std::uint64_t id;
    std::uint64_t above;  // number of the id plus 1; 0 in a free slot
  };

  std::uint64_t place_of(std::uint64_t id) const { return hash(id) & (slots_.size() - 1); }

  void grow() {
    huge_vector<slot> larger(2 * slots_.size());
    larger.swap(slots_);
    for (const slot& each : larger) {
      if (each.above == 0) continue;
      std::uint64_t place = place_of(each.id);
      while (slots_[place].above != 0) place = (place + 1) & (slots_.size() - 1);
      slots_[place] = each;
    }
  }

  huge_vector<slot> slots_;
  std::uint64_t count_ = 0;
};

/// Makes a sorted list of all ids in the edges, without duplicates. Replaces each id in the edges
/// by its index in the list, and returns the list.
task<std::vector<placed_id>> replace_by_places(packed_edges& edges) {
  id_dictionary ids;
  const auto numbered = [&](edge e) {
    const std::uint64_t from = ids.number_of(e.from);
    return edge{from, ids.number_of(e.to)};
  };
  const auto prefetch = [&](edge e) {
    ids.prefetch(e.from);
    ids.prefetch(e.to);
  };
  co_await renumber(edges, numbered, prefetch);
  auto sorted = ids.take();
  co_await sort_ids(sorted);
  co_return sorted;
}

/// Replaces each endpoint i of an edge by `numbers[i]`.
task<> replace_ends(packed_edges& edges, const id_list& numbers) {
  const auto numbered = [&](edge e) { return edge{numbers[e.from], numbers[e.to]}; };
  const auto prefetch = [&](edge e) {
    __builtin_prefetch(&numbers[e.from]);
    __builtin_prefetch(&numbers[e.to]);
  };
  co_await renumber(edges, numbered, prefetch);
}

/// Divides the ids of all PEs into one range per PE, and returns the first id of each range. The
/// ranges have about equally many ids. The boundaries are estimated from a sample of the ids of
/// each PE. The ids of this PE are in two sorted lists, `some` and `others`.
task<id_list> all_choose_ranges(const id_list& some, const id_list& others) {
  id_list sorted;
  std::ranges::set_union(some, others, std::back_inserter(sorted));
  constexpr std::size_t samples_a_pe = 64;
  const std::size_t count = std::min(samples_a_pe, sorted.size());
  id_list mine;
  for (std::size_t i = 0; i < count; ++i) mine.push_back(sorted[i * sorted.size() / count]);
  id_list samples;
  for (const auto& of_pe : co_await all_gather(std::span<const std::uint64_t>(mine)))
    samples.insert(samples.end(), of_pe.begin(), of_pe.end());
  std::ranges::sort(samples);
  const auto all = static_cast<std::size_t>(pes());
  id_list first_ids(all);
  for (std::size_t pe = 1; pe < all && !samples.empty(); ++pe)
    first_ids[pe] = samples[pe * samples.size() / all];
  co_return first_ids;
}

std::vector<id_list> by_owner(const id_list& sorted, const id_list& first_ids) {
  std::vector<id_list> parts;
  auto begin = sorted.begin();
  for (std::size_t pe = 1; pe <= first_ids.size(); ++pe) {
    const auto end = pe == first_ids.size() ? sorted.end()
                                            : std::lower_bound(begin, sorted.end(), first_ids[pe]);
    parts.emplace_back(begin, end);
    begin = end;
  }
  return parts;
}

task<id_list> union_of(const received_parts<std::uint64_t>& lists) {
  std::size_t count = 0;
  for (const auto& list : lists) count += list.size();
  id_list all;
  all.reserve(count);
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  co_await sort_into_set(all);
  co_return all;
}

task<> all_count_boundaries(name_part& part) {
  part.boundaries.assign(1, 0);
  for (const std::uint64_t kept : co_await all_gather(std::uint64_t{part.ids.size()}))
    part.boundaries.push_back(part.boundaries.back() + kept);
}

/// Returns the vertices of the ids in `asked`, which must be sorted.
task<id_list> vertices_of(std::span<const std::uint64_t> asked, const name_part& part) {
  id_list vertices;
  vertices.reserve(asked.size());
  const std::uint64_t first = part.boundaries[static_cast<std::size_t>(my_pe())];
  std::uint64_t place = 0;
  const auto find = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      while (part.ids[place] != asked[i]) ++place;
      vertices.push_back(first + place);
    }
  };
  co_await in_stretches(0, asked.size(), find);
  co_return vertices;
}

/// Sends each id in `listed` to the PE that stores the id. Returns the ids that this PE gets,
/// sorted and without duplicates.
task<id_list> all_listed_here(const id_list& listed, const name_part& part) {
  const auto parts = by_owner(listed, part.first_ids);
  const auto received = co_await all_to_all(parts);
  co_return co_await union_of(received);
}

/// Sends the ids of all PEs to the PEs that will store these ids. Returns the numbers of this PE's
/// ids, in the order of the ids. `listed_here` has additional ids that this PE must store.
task<id_list> all_number_ids(const id_list& sorted, const id_list& listed_here, name_part& part) {
  auto questions = by_owner(sorted, part.first_ids);
  const auto asked = co_await all_to_all(questions);
  std::vector<id_list>().swap(questions);
  const id_list ends = co_await union_of(asked);
  part.ids.clear();
  std::ranges::set_union(ends, listed_here, std::back_inserter(part.ids));
  co_await all_count_boundaries(part);
  std::vector<id_list> answers;
  for (const auto& list : asked) {
    auto vertices = co_await vertices_of(list, part);
    answers.push_back(std::move(vertices));
  }
  id_list numbers;
  for (const auto& of_pe : co_await all_to_all(answers))
    numbers.insert(numbers.end(), of_pe.begin(), of_pe.end());
  co_return numbers;
}

/// Compares the ids that each PE stores with the list `listed_here` of the PE. Returns the smallest
/// stored id that is in no list, or nothing if all stored ids are listed.
task<std::optional<std::uint64_t>> all_first_unlisted(const id_list& listed_here,
                                                      const name_part& part) {
  const auto [place, other] = std::ranges::mismatch(part.ids, listed_here);
  const std::uint64_t mine = place == part.ids.end() ? ~std::uint64_t{0} : *place;
  const auto first = co_await all_reduce(mine, [](auto a, auto b) { return std::min(a, b); });
  if (first == ~std::uint64_t{0}) co_return std::nullopt;
  co_return first;
}

}  // namespace

task<> all_compact_ids(packed_edges& edges, name_part& part) {
  static_cast<void>(co_await all_compact_ids(edges, part, {}));
}

task<std::optional<std::uint64_t>> all_compact_ids(packed_edges& edges, name_part& part,
                                                   id_list listed) {
  const auto placed = co_await replace_by_places(edges);
  co_await sort_into_set(listed);
  id_list ids(placed.size());
  std::ranges::transform(placed, ids.begin(), [](const placed_id& of) { return of.id; });
  part.first_ids = co_await all_choose_ranges(ids, listed);
  const id_list listed_here = co_await all_listed_here(listed, part);
  const id_list numbers = co_await all_number_ids(ids, listed_here, part);
  for (std::size_t i = 0; i < placed.size(); ++i) ids[placed[i].place] = numbers[i];
  co_await replace_ends(edges, ids);
  co_return co_await all_first_unlisted(listed_here, part);
}

int pe_of_id(const name_part& part, std::uint64_t id) {
  const auto& first_ids = part.first_ids;
  const auto after = std::upper_bound(first_ids.begin() + 1, first_ids.end(), id);
  return static_cast<int>(after - first_ids.begin()) - 1;
}

std::optional<std::uint64_t> compacted_vertex(const name_part& part, std::uint64_t id) {
  const auto found = std::ranges::lower_bound(part.ids, id);
  if (found == part.ids.end() || *found != id) return std::nullopt;
  const std::uint64_t first = part.boundaries[static_cast<std::size_t>(my_pe())];
  return first + static_cast<std::uint64_t>(found - part.ids.begin());
}

}  // namespace atl::graph
