#pragma once
// Graphs that resemble the links between web pages. This header declares the host of a page, the
// links of a page, and the targets of links.

#include "atoll/base/bits.hpp"
#include "atoll/graph/edge.hpp"
#include "atoll/graph/generator.hpp"
#include "atoll/random.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace atl::graph {

// The pages of a synthetic web graph, with their hosts and links. Hosts and links are computed by
// pure functions, which need no table as large as the graph.

/// The pages from `begin` to `end` - 1.
struct page_range {
  std::uint64_t begin;
  std::uint64_t end;

  std::uint64_t size() const { return end - begin; }
};

/// Hosts are ranges of pages. A block of pages is cut in two, and the pieces are cut further.
/// Before each cut, a piece becomes a host with probability 1/4. A piece of at most 16 pages is
/// always a host. The sizes of hosts therefore range over three orders of magnitude.
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

/// Link number `number` of a page. The links of a page are numbered from 0.
struct web_link {
  std::uint64_t page;
  std::uint64_t number;
};

/// Assigns links to pages. Pages are divided into groups, and the numbers of links of two groups
/// differ by at most one. Within a group, the share of a page is proportional to its rank to the
/// power -2/3. A pseudo-random permutation assigns ranks to pages, so that large pages do not come
/// first. If the last pages are too few for a group, they have equal shares.
class web_pages {
 public:
  web_pages(std::uint64_t key, std::uint64_t pages, std::uint64_t links);

  /// Returns the link with the number `index`, which is less than the number of all links. The
  /// links of a page have consecutive numbers.
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

  /// Element r is the share of a group's links that the pages with ranks below r have together: the
  /// cube root of r / group_size.
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

  /// Returns link number `index` of a group, which has `links` links.
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
  std::uint64_t groups_, rest_;  // number of groups, and number of pages that are in no group
  std::uint64_t links_of_rest_, links_of_groups_;
  std::uint64_t links_ = 0;   // number of links of a group
  std::uint64_t larger_ = 0;  // the first `larger_` groups have one link more
  std::uint64_t links_of_larger_ = 0;
};

inline constexpr std::array<std::uint32_t, web_pages::group_size + 1> web_pages::shares =
    web_pages::make_shares();

}  // namespace atl::graph

// Graphs that resemble the links between web pages, generated by a copying model. Pages are ordered
// by host. Most links stay within the host and copy links of an earlier page. Links that leave the
// host lead to pages of other hosts, few of which are popular. The number of links per page is
// skewed too.
namespace atl {

/// Generates edges from pages to pages. The edges of a page have consecutive numbers. The function
/// object is cheap to copy.
class web_generator {
 public:
  /// Makes a generator. Throws `error` (input) if a parameter is out of range.
  explicit web_generator(const generator_parameters& parameters);

  /// Returns the edge with the number `index`, which is less than parameters.edges().
  edge operator()(std::uint64_t index) const {
    const graph::web_link link = pages_.link(index);
    return {link.page, target(link)};
  }

  /// Returns the pages of the host of a page.
  graph::page_range host_of(std::uint64_t page) const { return hosts_.of(page); }

 private:
  /// Largest number of times that a copied link is followed to the page from which it was copied.
  static constexpr unsigned k_longest_copy = 8;

  std::uint64_t target(graph::web_link link) const;
  std::uint64_t near(graph::web_link link, graph::page_range host) const;
  std::uint64_t far(std::uint64_t random, std::uint64_t page) const;

  std::uint64_t vertices_;
  std::uint64_t octaves_;  // number of octaves of popularity, which are ranges of ranks
  std::uint64_t key_of_prototypes_;
  std::uint64_t key_of_links_;
  graph::web_pages pages_;
  graph::web_hosts hosts_;
};

}  // namespace atl
