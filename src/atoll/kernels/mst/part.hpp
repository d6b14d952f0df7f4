#pragma once
// What one PE has of a graph whose components grow together: components of its own, with all edges
// that touch them, and the *ghosts* at the far ends of those, which other PEs own. An edge between
// components of two PEs stands on both.

#include "atoll/kernels/mst/edge.hpp"
#include "atoll/kernels/mst/radix.hpp"
#include "atoll/kernels/mst/total.hpp"

#include <algorithm>
#include <vector>

namespace atl::kernels::mst {

/// The name of a component is its smallest vertex.
template <class Word>
struct part {
  int rank = 0;
  huge_vector<Word> names;           ///< of components, own ones and ghosts, ascending
  huge_vector<std::int32_t> owners;  ///< of each, by this PE's knowledge
  edge_records<Word> edges;          ///< `a` and `b` are positions of names
  edge_records<Word> spare;          ///< memory to sort edges in

  std::vector<Word> chosen;   ///< ids of edges of the forest, found here
  exact_total chosen_weight;  ///< of those, each above the lightest edge of the graph

  bool owns(Word position) const { return owners[position] == rank; }
  std::uint64_t own_components() const {
    return static_cast<std::uint64_t>(std::ranges::count(owners, rank));
  }
};

/// A name and where it stands, or stood.
template <class Word>
struct named_position {
  Word name;
  Word position;
};

namespace detail {

/// Those that an edge refers to, and all from `arrived` on, in the order of their names.
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

/// Gives the component at position i the name `names[i]`, which several may share, and the owner
/// `owners[i]`, the same for all of a name. Then the table has each name once, and none that no
/// edge refers to, but for those from `arrived` on, whose edges are still to come. Returns where
/// each that is kept stands now.
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

/// The same where no edges are to come.
template <class Word>
void rename(part<Word>& of, const huge_vector<Word>& names,
            const huge_vector<std::int32_t>& owners) {
  rename(of, names, owners, names.size());
}

/// Keeps the edges for which `keep(edge)`.
template <class Word, class Keep>
void keep_edges(part<Word>& of, Keep keep) {
  std::erase_if(of.edges, [&](const auto& edge) { return !keep(edge); });
}

}  // namespace atl::kernels::mst
