#include "atoll/graph/web.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/error.hpp"

#include <bit>

namespace atl {
namespace graph {

web_pages::web_pages(std::uint64_t key, std::uint64_t pages, std::uint64_t links)
    : key_(key), groups_(pages / group_size), rest_(pages % group_size) {
  links_of_rest_ = static_cast<std::uint64_t>(uint128(links) * rest_ / pages);
  links_of_groups_ = links - links_of_rest_;
  if (groups_ == 0) return;
  links_ = links_of_groups_ / groups_;
  larger_ = links_of_groups_ % groups_;
  links_of_larger_ = larger_ * (links_ + 1);
}

}  // namespace graph

namespace {

/// Number of the most popular pages, which are equally popular.
constexpr std::uint64_t k_most_popular = 4;

/// Largest distance between a page and its prototype. The prototype is an earlier page of the same
/// host, from which the page copies links.
constexpr std::uint64_t k_farthest_prototype = 16;

const generator_parameters& checked_web(const generator_parameters& parameters) {
  parameters.check();
  constexpr auto most = generator_parameters::largest_edges_per_vertex;
  if (parameters.edges_per_vertex == 0 && parameters.edge_factor > most)
    fail(errc::input, "edge-factor: {} is out of range (0 to {})", parameters.edge_factor, most);
  return parameters;
}

std::uint64_t key_of_web(const generator_parameters& parameters, std::uint64_t number) {
  return random_at(graph::key_of(parameters, graph::random_purpose::web), number);
}

}  // namespace

web_generator::web_generator(const generator_parameters& parameters)
    : vertices_(checked_web(parameters).vertices()),
      octaves_(std::bit_width(ceil_divide(vertices_, k_most_popular))),
      key_of_prototypes_(key_of_web(parameters, 0)),
      key_of_links_(key_of_web(parameters, 1)),
      pages_(key_of_web(parameters, 2), vertices_, parameters.edges()),
      hosts_(key_of_web(parameters, 3), vertices_) {}

/// Returns the target of a link. Half of all links copy a link of an earlier page of the same host.
/// Of the links that are not copies, 13 of 16 lead to near pages if the host is large enough.
std::uint64_t web_generator::target(graph::web_link link) const {
  const auto host = hosts_.of(link.page);
  const auto source = link.page;
  auto random = random_at(random_at(key_of_links_, link.page), link.number);
  for (unsigned i = 0; i < k_longest_copy && random % 2 == 0; ++i) {
    const auto distance = 1 + random_at(key_of_prototypes_, link.page) % k_farthest_prototype;
    if (link.page - host.begin < distance) break;
    link.page -= distance;
    random = random_at(random_at(key_of_links_, link.page), link.number);
  }
  const bool stays = random / 2 % 16 >= 3 && link.number < host.size();
  const auto found = stays ? near(link, host) : far(random, link.page);
  // If a copied link leads to the page that copies it, the call returns another target, because no
  // page may link to itself.
  return found != source ? found : link.page != source ? link.page : (source + 1) % vertices_;
}

/// Returns a near target. Links lead alternately to earlier and later pages, and each link leads
/// farther than the link before. The first link leads to the first page of the host.
std::uint64_t web_generator::near(graph::web_link link, graph::page_range host) const {
  if (link.number == 0) return host.begin;
  const auto distance = (link.number + 1) / 2;
  const auto place = link.page - host.begin;
  const auto ahead = link.number % 2 == 0 ? distance : host.size() - distance;
  return host.begin + (place + ahead) % host.size();
}

/// Returns a far target. Pages are ranked by popularity, and ranks are divided into octaves: each
/// octave has twice as many ranks as the octave before. The popularity halves from one octave to
/// the next. Most far links lead to the first page of a host.
std::uint64_t web_generator::far(std::uint64_t random, std::uint64_t page) const {
  const auto octave = uniform_below(hash(random), octaves_);
  const auto ranks = k_most_popular << octave;
  const auto rank = ranks - k_most_popular + uniform_below(hash(~random), ranks);
  const auto popular =
      uniform_below(random_at(key_of_prototypes_ ^ key_of_links_, rank), vertices_);
  const auto found = random / 32 % 4 != 0 ? hosts_.of(popular).begin : popular;
  return found != page ? found : (page + 1) % vertices_;
}

}  // namespace atl
