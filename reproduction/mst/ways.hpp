#pragma once
// The algorithm MND-MST of Panja and Vadhiyar (2018) with variants of its steps, as a How for
// `kernels::mst::mnd`.

#include "atoll/kernels/mst/mnd.hpp"
#include "reproduction/mst/rounds.hpp"

namespace atl::reproduction {

/// The PEs that continue when few edges are left.
enum class post_processing : std::uint8_t {
  single,  ///< PE 0 continues with the parts of all PEs
  leader   ///< one PE of each group continues with the parts of its group, and this is repeated
};

/// The number that is compared with the threshold `mst_threshold`.
enum class progress_test : std::uint8_t {
  remaining,  ///< edges of the forest that are missing
  found       ///< edges found in the last iteration
};

/// The method by which a PE joins its components.
enum class local_method : std::uint8_t {
  sorted,  ///< each edge is visited once, the lightest first
  rounds   ///< rounds of Boruvka, which end by theta
};

/// The chosen variants. The defaults are those of the product. The type has no base class, so it
/// can be sent to other PEs.
struct mst_ways {
  /// Fraction of tree edges; a round or iteration that joins fewer is the last.
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
