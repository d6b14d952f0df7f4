#pragma once
// MND-MST as Panja and Vadhiyar have it (2018), and the ways to do its steps that were tried
// beside it: a How for `kernels::mst::mnd`.

#include "atoll/kernels/mst/mnd.hpp"
#include "reproduction/mst/rounds.hpp"

namespace atl::reproduction {

/// Who takes over when little is left.
enum class post_processing : std::uint8_t {
  single,  ///< PE 0, from all at once
  leader   ///< one of each group, again and again
};

/// What the threshold of the forest is compared with.
enum class progress_test : std::uint8_t {
  remaining,  ///< edges that are missing
  found       ///< edges that the last iteration has found
};

/// How components of one PE join.
enum class local_method : std::uint8_t {
  sorted,  ///< by one look at each edge, the lightest first
  rounds   ///< Boruvka's, ended by theta
};

/// By default the ways of the product. No class derives from another here, so that it travels.
struct mst_ways {
  double theta = 1e-3;  ///< a round, or an iteration, that joins fewer is the last, of all edges
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
