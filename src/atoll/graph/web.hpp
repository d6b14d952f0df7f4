#pragma once
// Graphs that resemble the links between web pages: the host of a page, its links, and their
// targets.

#include "atoll/base/bits.hpp"
#include "atoll/graph/edge.hpp"
#include "atoll/graph/generator.hpp"
#include "atoll/random.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace atl::graph {

// The pages of a synthetic web graph: their hosts and links. Both are pure functions, without a
// table of the graph's size.

/// The pages [begin, end).
struct page_range {
  std::uint64_t begin;
  std::uint64_t end;

  std::uint64_t size() const { return end - begin; }
};

/// Hosts are ranges of pages. A block of pages is recursively cut in two, and each cut is the last
/// with the same probability. The sizes of hosts therefore range over three orders of magnitude.
class web_hosts {
 public:
  static constexpr std::uint64_t largest = 4096;

  web_hosts(std::uint64_t key, std::uint64_t pages) : key_(key), pages_(pages) {}

  page_range of(std::uint64_t page) const {
    const std::uint64_t block = page / largest * largest;
    page_range host{block, std::min(block + largest, pages_)};
    while (host.size() > smallest_cut) {
      const auto random = random_at(key_, host.begin * 2 * largest + host.size());
      if (random % 4 == 0) break;
      const auto cut = host.begin + host.size() / 4 + uniform_below(random, host.size() / 2);
      (page < cut ? host.end : host.begin) = cut;
    }
    return host;
  }

 private:
  static constexpr std::uint64_t smallest_cut = 16;

  std::uint64_t key_;
  std::uint64_t pages_;
};

/// Link number `number`, from 0 on, of a page.
struct web_link {
  std::uint64_t page;
  std::uint64_t number;
};

/// The distribution of links to pages. All groups of pages have the same number of links to within
/// one. The share of a page falls with the power 2/3 of its rank in the group, which a permutation
/// hides. The last pages, too few for a group, have equal shares.
class web_pages {
 public:
  web_pages(std::uint64_t key, std::uint64_t pages, std::uint64_t links);

  /// Returns the link at `index`, below the number of all links. Links of a page have consecutive
  /// indices.
  web_link link(std::uint64_t index) const {
    if (index >= links_of_groups_) return link_of_rest(index - links_of_groups_);
    if (index < links_of_larger_)
      return link_of_group(index / (links_ + 1), index % (links_ + 1), links_ + 1);
    const auto behind = index - links_of_larger_;
    return link_of_group(larger_ + behind / links_, behind % links_, links_);
  }

 private:
  static constexpr unsigned group_bits = 8, fraction_bits = 20;
  static constexpr std::uint64_t group_size = std::uint64_t{1} << group_bits;

  /// Element r is the share of a group's links that pages of ranks below r have, the cube root of r
  /// / group_size.
  static constexpr std::array<std::uint32_t, group_size + 1> make_shares() {
    std::array<std::uint32_t, group_size + 1> shares{};
    for (std::uint64_t rank = 0; rank <= group_size; ++rank) {
      const auto cube = rank << (3 * fraction_bits - group_bits);
      std::uint64_t root = 0;
      for (auto bit = std::uint64_t{1} << fraction_bits; bit != 0; bit /= 2) {
        if ((root + bit) * (root + bit) * (root + bit) <= cube) root += bit;
      }
      shares[rank] = static_cast<std::uint32_t>(root);
    }
    return shares;
  }
  static const std::array<std::uint32_t, group_size + 1> shares;

  web_link link_of_rest(std::uint64_t index) const {
    const auto page = index * rest_ / links_of_rest_;
    return {groups_ * group_size + page, index - ceil_divide(page * links_of_rest_, rest_)};
  }

  /// Returns a link of a group, which has `links` links.
  web_link link_of_group(std::uint64_t group, std::uint64_t index, std::uint64_t links) const {
    const auto first_link = [&](std::uint64_t rank) {
      return (shares[rank] * links + (1 << fraction_bits) - 1) >> fraction_bits;
    };
    const double share = static_cast<double>(index) / static_cast<double>(links);
    auto rank = static_cast<std::uint64_t>(share * share * share * group_size);
    while (first_link(rank) > index) --rank;
    while (first_link(rank + 1) <= index) ++rank;
    const auto random = random_at(key_, group);
    const auto page = (rank * (random | 1) + (random >> 32)) % group_size;
    return {group * group_size + page, index - first_link(rank)};
  }

  std::uint64_t key_;
  std::uint64_t groups_, rest_;  // pages beyond the groups
  std::uint64_t links_of_rest_, links_of_groups_;
  std::uint64_t links_ = 0;   // of a group
  std::uint64_t larger_ = 0;  // groups that have one more, the first ones
  std::uint64_t links_of_larger_ = 0;
};

inline constexpr std::array<std::uint32_t, web_pages::group_size + 1> web_pages::shares =
    web_pages::make_shares();

}  // namespace atl::graph

// Graphs that resemble the links between web pages, by a copying model. Pages are ordered by host.
// Most links stay within the host and copy those of an earlier page; the others lead to pages of
// which few are popular. The numbers of links per page are skewed too.
namespace atl {

/// Makes edges page -> page. The function object is cheap to copy. Edges of a page have consecutive
/// indices.
class web_generator {
 public:
  /// Throws `error` (input) for parameters out of range.
  explicit web_generator(const generator_parameters& parameters);

  /// Returns the edge at `index`, in [0, parameters.edges()).
  edge operator()(std::uint64_t index) const {
    const graph::web_link link = pages_.link(index);
    return {link.page, target(link)};
  }

  /// Returns the pages of the host of a page.
  graph::page_range host_of(std::uint64_t page) const { return hosts_.of(page); }

 private:
  /// Largest number of prototypes through which a link is followed.
  static constexpr unsigned k_longest_copy = 8;

  std::uint64_t target(graph::web_link link) const;
  std::uint64_t near(graph::web_link link, graph::page_range host) const;
  std::uint64_t far(std::uint64_t random, std::uint64_t page) const;

  std::uint64_t vertices_;
  std::uint64_t octaves_;  // of popularity
  std::uint64_t key_of_prototypes_;
  std::uint64_t key_of_links_;
  graph::web_pages pages_;
  graph::web_hosts hosts_;
};

}  // namespace atl
