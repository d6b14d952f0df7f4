#pragma once
// Graphs like those of links between web pages, by a copying model: pages stand in the order of
// their hosts, most links stay within the host and are like those of an earlier page, the others go
// to pages of which few are popular. The numbers of links of pages are skewed too.

#include "atoll/graph/edge.hpp"
#include "atoll/graph/generator.hpp"
#include "atoll/graph/web_pages.hpp"

#include <cstdint>

namespace atl {

/// Makes edges page -> page: a function object, cheap to copy. Those of a page follow each other.
class web_generator {
 public:
  /// Throws `error` (input) for parameters out of range.
  explicit web_generator(const generator_parameters& parameters);

  /// The edge at `index`, in [0, parameters.edges()).
  edge operator()(std::uint64_t index) const {
    const graph::web_link link = pages_.link(index);
    return {link.page, target(link)};
  }

  /// The pages of the host that this one is of.
  graph::page_range host_of(std::uint64_t page) const { return hosts_.of(page); }

 private:
  /// A link is followed through at most so many prototypes.
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
