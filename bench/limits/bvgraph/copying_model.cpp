#include "copying_model.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "atoll/graph_files.hpp"
#include "atoll/random.hpp"

namespace bench::bvgraph {
namespace {

using successors = std::vector<std::uint64_t>;

class pages {
 public:
  explicit pages(const copying_model& model)
      : random_(model.seed, 0),
        nodes_(std::max<std::uint64_t>(model.arcs / model.degree, 2)),
        degree_(model.degree) {}

  std::uint64_t nodes() const { return nodes_; }

  /// Returns the links of the next page.
  const successors& next() {
    successors& own = recent_[node_ % recent_.size()];
    const bool copies = node_ > 0 && random_.below(8) > 0;
    const auto back = 1 + random_.below(std::min<std::uint64_t>(node_ + (node_ == 0), 4));
    const auto wanted = 1 + random_.below(2 * degree_);
    links_.clear();
    if (copies) copy_from(recent_[(node_ - back) % recent_.size()], wanted);
    while (links_.size() < wanted) add_some();
    std::ranges::sort(links_);
    const auto repeated = std::ranges::unique(links_);
    links_.erase(repeated.begin(), repeated.end());
    own = links_;
    ++node_;
    return own;
  }

 private:
  void copy_from(const successors& prototype, std::uint64_t most) {
    const auto begin = random_.below(1 + prototype.size() / 8);
    for (auto i = begin; i < prototype.size() && links_.size() < most; ++i)
      if (random_.below(16) > 0) links_.push_back(prototype[i]);
  }

  /// Adds a nearby link (most often), links to several neighbouring pages, or a link to any page
  /// (least often).
  void add_some() {
    const auto kind = random_.below(8);
    const auto near =
        node_ - std::min<std::uint64_t>(node_, random_.below(200)) + random_.below(200);
    if (kind == 0) {
      links_.push_back(random_.below(nodes_));
    } else if (kind == 1) {
      for (auto page = near; page < near + 6; ++page) links_.push_back(std::min(page, nodes_ - 1));
    } else {
      links_.push_back(std::min(near, nodes_ - 1));
    }
  }

  atl::random_stream random_;
  std::uint64_t nodes_, degree_;
  std::uint64_t node_ = 0;
  std::array<successors, 8> recent_;
  successors links_;
};

}  // namespace

std::uint64_t write_copying_model(const std::string& path, const copying_model& model) {
  atl::bvgraph_writer writer(path);
  pages all(model);
  for (std::uint64_t node = 0; node < all.nodes(); ++node) writer.write(all.next());
  writer.commit();
  return writer.arcs();
}

}  // namespace bench::bvgraph
