#pragma once
// Variants of the steps of the algorithm MND-MST by Panja and Vadhiyar (2018). The type of this
// file is the template argument How of `kernels::mst::mnd`.

#include "atoll/kernels/mst/mnd.hpp"
#include "reproduction/mst/rounds.hpp"

namespace atl::reproduction {

/// Which PEs continue when few edges are left.
enum class post_processing : std::uint8_t {
  single,  ///< PE 0 continues with the parts of all PEs
  /// one PE of each group continues with the parts of its group, and groups are formed again until
  /// one PE is left
  leader
};

/// Which number is compared with the threshold `mst_threshold`.
enum class progress_test : std::uint8_t {
  remaining,  ///< number of edges of the forest that are still missing
  found       ///< number of edges found in the last iteration
};

/// The method by which a PE joins the components of its part.
enum class local_method : std::uint8_t {
  sorted,  ///< each edge is visited once, in the order of weights (Kruskal)
  /// Rounds of Boruvka. The last round is the first that finds no edge, or fewer edges than the
  /// fraction `theta` of the forest's edges.
  rounds
};

/// The chosen variants. The defaults are the variants of the kernel in src/atoll. The type has no
/// base class, so that the type is an aggregate and can be sent to other PEs.
struct mst_ways {
  /// A round or iteration is the last one if it finds fewer than this fraction of the forest's
  /// edges.
  double theta = 1e-3;
  double mst_threshold = mst::parameters().mst_threshold;
  double ring_fraction = mst::parameters().ring_fraction;
  double filter_finish = mst::parameters().filter_finish;
  std::uint64_t group = 4;
  post_processing post = post_processing::single;
  progress_test test = progress_test::found;
  local_method local = local_method::sorted;
  bool filter = true;

  bool filters() const { return filter; }
  bool may_finish_early() const {
    return filter && post == post_processing::single && filter_finish > 0;
  }

  template <class Word>
  mst::contraction<Word> contract(mst::part<Word>& mine, double all) const {
    if (local == local_method::sorted) return mst::parameters().contract(mine, all);
    contraction_by_rounds<Word> joining(mine);
    joining.by_rounds(static_cast<std::uint64_t>(theta * all));
    return joining;
  }

  bool is_little_left(double more, double missing, double all) const {
    const double compared = test == progress_test::remaining ? missing : more;
    return compared <= mst_threshold * all || more <= theta * all;
  }

  std::size_t group_of(std::size_t pes) const {
    return post == post_processing::single ? pes : static_cast<std::size_t>(group);
  }
};

}  // namespace atl::reproduction
