#pragma once
// One PE's part of a graph whose components are joined step by step. The file defines edges and
// their order, exact sums of weights, and the part itself.

#include "atoll/local_memory.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace atl::kernels::mst {

// Edges between components, and their order.

/// An edge between two components. If vertex numbers, edge numbers and weights fit into 32 bits,
/// Word has 32 bits and an edge has 16 bytes. In messages `a` and `b` are names of components, or
/// indexes into a list of names that is sent with the edges. In a part, `a` and `b` are positions
/// in the table of names (`part::names`).
template <class Word>
struct edge_record {
  Word a;
  Word b;
  Word weight;  ///< weight minus the lightest weight of the graph
  /// Number of the edge in the order of all edges: by the smaller endpoint, then by the larger
  /// endpoint.
  Word id;
};

template <class Word>
using edge_records = huge_vector<edge_record<Word>>;

/// The weight and the id of an edge, by which edges are ordered. No two edges of a graph have equal
/// keys, so the minimum spanning forest is unique.
template <class Word>
struct edge_key;

template <>
struct edge_key<std::uint32_t> {
  using type = std::uint64_t;
  static constexpr type none = ~type{0};
};
template <>
struct edge_key<std::uint64_t> {
  using type = unsigned __int128;
  static constexpr type none = ~type{0};
};

template <class Word>
typename edge_key<Word>::type key_of(const edge_record<Word>& edge) {
  using key = typename edge_key<Word>::type;
  return static_cast<key>(edge.weight) << std::numeric_limits<Word>::digits | edge.id;
}

/// The lightest edge that was found so far for a component.
template <class Word>
struct lightest_edge {
  typename edge_key<Word>::type key = edge_key<Word>::none;
  Word edge = 0;  ///< index of the edge

  void offer(typename edge_key<Word>::type other, Word place) {
    if (other < key) *this = {other, place};
  }
};

// Radix sort by an unsigned key, least significant digit first. The sort is stable. The write
// positions of all digits must fit into the cache; memory bandwidth then limits the speed of the
// sort.

namespace detail {

inline constexpr unsigned k_digit_bits = 11;

/// Sorts by the bits of the key from `first_bit` up to the highest bit that is set in `all_bits`.
/// Returns the number of items moved, summed over passes.
template <class Item, class KeyOf, class Key>
std::uint64_t sort_by_bits(huge_vector<Item>& items, KeyOf key_of, Key all_bits, unsigned first_bit,
                           huge_vector<Item>& spare) {
  constexpr std::size_t digits = std::size_t{1} << k_digit_bits;
  const std::size_t size = items.size();
  if (spare.size() < size) spare.resize(size);
  std::uint64_t moved = 0;
  for (unsigned shift = first_bit; shift < sizeof(Key) * 8 && (all_bits >> shift) != 0;
       shift += k_digit_bits) {
    const auto digit_of = [&](const Item& each) {
      return static_cast<std::size_t>(key_of(each) >> shift) % digits;
    };
    std::array<std::size_t, digits + 1> begin{};
    for (std::size_t i = 0; i < size; ++i) ++begin[digit_of(items[i]) + 1];
    for (std::size_t d = 0; d < digits; ++d) begin[d + 1] += begin[d];
    for (std::size_t i = 0; i < size; ++i) spare[begin[digit_of(items[i])]++] = items[i];
    items.swap(spare);
    moved += size;
  }
  items.resize(size);
  return moved;
}

}  // namespace detail

/// Sorts `items` by `key_of(item)`, an unsigned integer. The contents of `spare` are lost. A caller
/// that sorts often should keep `spare`, because allocating `spare` takes as long as one pass of
/// the sort. Returns the number of items moved, summed over passes.
template <class Item, class KeyOf>
std::uint64_t sort_by_key(huge_vector<Item>& items, KeyOf key_of, huge_vector<Item>& spare) {
  decltype(key_of(items.front())) all_bits = 0;
  for (const Item& each : items) all_bits |= key_of(each);
  return detail::sort_by_bits(items, key_of, all_bits, 0, spare);
}

template <class Item, class KeyOf>
std::uint64_t sort_by_key(huge_vector<Item>& items, KeyOf key_of) {
  huge_vector<Item> spare;
  return sort_by_key(items, key_of, spare);
}

/// Sorts by `is_lighter`, which must compare weights first. A radix sort by the highest bits of the
/// weights separates most items. Items with equal highest bits are sorted by comparison. The
/// contents of `spare` are lost. Returns the number of items moved, summed over passes.
template <class Item, class Less>
std::uint64_t sort_by_weight(huge_vector<Item>& items, Less is_lighter, huge_vector<Item>& spare) {
  const auto weight_of = [](const Item& each) { return each.weight; };
  decltype(items.front().weight) all_bits = 0;
  for (const Item& each : items) all_bits |= each.weight;
  const auto bits = static_cast<unsigned>(std::bit_width(all_bits));
  const auto telling = static_cast<unsigned>(std::bit_width(items.size() / 4 | 1));
  const unsigned passes = (telling + detail::k_digit_bits - 1) / detail::k_digit_bits;
  const unsigned first = bits - std::min(bits, passes * detail::k_digit_bits);
  const std::uint64_t moved = detail::sort_by_bits(items, weight_of, all_bits, first, spare);
  for (auto begin = items.begin(); begin != items.end();) {
    const auto high = begin->weight >> first;
    auto end = begin + 1;
    while (end != items.end() && end->weight >> first == high) ++end;
    if (end - begin > 1) std::sort(begin, end, is_lighter);
    begin = end;
  }
  return moved;
}

// Exact sums of many 64-bit weights.

/// An integer type that can hold the sum of 2^63 weights of 64 bits.
__extension__ typedef __int128 int128;

/// An exact sum of weights in two 64-bit words. Two words need less alignment than an `int128`, so
/// the object can be sent, and can be stored at any word address.
class exact_total {
 public:
  exact_total() = default;
  explicit exact_total(int128 value)
      : low_(static_cast<std::uint64_t>(value)), high_(static_cast<std::int64_t>(value >> 64)) {}

  int128 value() const { return static_cast<int128>(high_) << 64 | low_; }

  exact_total& operator+=(int128 more) { return *this = exact_total(value() + more); }

  friend bool operator==(const exact_total&, const exact_total&) = default;

 private:
  std::uint64_t low_ = 0;
  std::int64_t high_ = 0;
};

/// Returns the sum of `mine` over all PEs. `mine` must not be negative. The number is divided into
/// words of 32, 32 and 64 bits, which are summed separately without overflow. Every PE calls this
/// function.
template <class Exchange>
auto all_total(exact_total mine, Exchange& others) -> typename Exchange::template task<int128> {
  const auto value = mine.value();
  constexpr auto low_word = std::uint64_t{0xffff'ffff};
  std::vector<std::uint64_t> words = {static_cast<std::uint64_t>(value) & low_word,
                                      static_cast<std::uint64_t>(value >> 32) & low_word,
                                      static_cast<std::uint64_t>(value >> 64)};
  words = co_await others.sum(std::move(words));
  int128 total = words[2];
  total <<= 64;
  total += static_cast<int128>(words[1]) << 32;
  co_return total + words[0];
}

// A part consists of some components of the graph, and all edges that touch these components. The
// part also lists the *ghosts*: components of other PEs to which edges of the part lead. An edge
// between components of two PEs is in the parts of both PEs.

/// A part of a graph. The name of a component is the number of the component's smallest vertex.
template <class Word>
struct part {
  int rank = 0;
  huge_vector<Word> names;           ///< names of own components and of ghosts, in ascending order
  huge_vector<std::int32_t> owners;  ///< owner of each component, as far as this PE knows
  edge_records<Word> edges;          ///< `a` and `b` are positions in `names`
  edge_records<Word> spare;          ///< memory for sorting edges

  std::vector<Word> chosen;  ///< ids of the edges of the forest that were found on this PE
  /// Sum of the weights of the chosen edges. The lightest weight of the graph is subtracted from
  /// each weight.
  exact_total chosen_weight;

  bool owns(Word position) const { return owners[position] == rank; }
  std::uint64_t own_components() const {
    return static_cast<std::uint64_t>(std::ranges::count(owners, rank));
  }
};

/// A name of a component, and its position in a table or a list. After a sort by names, the
/// position still tells where the name was before the sort.
template <class Word>
struct named_position {
  Word name;
  Word position;
};

namespace detail {

/// Returns the names to which edges refer, and all names from position `arrived` on. The result is
/// in the order of names.
template <class Word>
huge_vector<named_position<Word>> referenced(const part<Word>& of, const huge_vector<Word>& names,
                                             std::size_t arrived) {
  huge_vector<std::uint8_t> is(names.size());
  std::fill(is.begin() + static_cast<std::ptrdiff_t>(arrived), is.end(), std::uint8_t{1});
  for (const auto& edge : of.edges) is[edge.a] = is[edge.b] = 1;
  huge_vector<named_position<Word>> found;
  bool in_order = true;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (is[i] == 0) continue;
    in_order &= found.empty() || found.back().name <= names[i];
    found.push_back({names[i], static_cast<Word>(i)});
  }
  if (!in_order) sort_by_key(found, [](const auto& each) { return each.name; });
  return found;
}

}  // namespace detail

/// Gives the component at position i the name `names[i]` and the owner `owners[i]`. If several
/// components get the same name, they must get the same owner, and become one component. After the
/// call, the table has each name once, and only names that edges refer to. Names from position
/// `arrived` on are also kept, because their edges have not arrived yet. Returns the new position
/// of each component that is kept.
template <class Word>
huge_vector<Word> rename(part<Word>& of, const huge_vector<Word>& names,
                         const huge_vector<std::int32_t>& owners, std::size_t arrived) {
  const auto kept = detail::referenced(of, names, arrived);
  huge_vector<Word> place(names.size());
  huge_vector<Word> new_names;
  huge_vector<std::int32_t> new_owners;
  for (const auto& [name, position] : kept) {
    if (new_names.empty() || new_names.back() != name) {
      new_names.push_back(name);
      new_owners.push_back(owners[position]);
    }
    place[position] = static_cast<Word>(new_names.size() - 1);
  }
  for (auto& edge : of.edges) {
    edge.a = place[edge.a];
    edge.b = place[edge.b];
  }
  of.names = std::move(new_names);
  of.owners = std::move(new_owners);
  return place;
}

/// Gives components new names and owners. The caller must call this function only after all edges
/// have arrived.
template <class Word>
void rename(part<Word>& of, const huge_vector<Word>& names,
            const huge_vector<std::int32_t>& owners) {
  rename(of, names, owners, names.size());
}

/// Keeps the edges for which `keep(edge)` is true, and drops all others.
template <class Word, class Keep>
void keep_edges(part<Word>& of, Keep keep) {
  std::erase_if(of.edges, [&](const auto& edge) { return !keep(edge); });
}

}  // namespace atl::kernels::mst
