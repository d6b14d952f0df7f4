#pragma once
// What a global stack and a global queue have in common.

#include "atoll/container/cells.hpp"
#include "atoll/container/kept_elements.hpp"
#include "atoll/flat_combining.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace atl::container {

/// What a task wants of an ordered structure.
template <class T>
struct push_or_pop {
  T value;  ///< to push
  bool is_push;
};

/// Commits the pushes and pops of a batch in one step, or in a few parts where it is long: all
/// pushes of a part are placed before its pops. Where there is no memory for the pushes of a part,
/// its pops are done, and its pushes fail; what the other parts have done stays done. (Where there
/// is none for its pops either, both fail.)
template <class T>
class ordered_commit {
 public:
  using answer = std::optional<T>;
  using pending = combine::pending<push_or_pop<T>, answer>;

  explicit ordered_commit(cells stored, discipline order) : stored_(stored), order_(order) {}

  task<> run(std::span<pending> batch) const {
    const std::size_t most = stored_.most_reserved();
    for (std::size_t begin = 0; begin < batch.size(); begin += most) {
      const auto part = batch.subspan(begin, std::min(most, batch.size() - begin));
      std::exception_ptr failure;
      try {
        co_await run_part(part);
      } catch (const transport::job_ended&) {
        throw;
      } catch (...) {
        failure = std::current_exception();
      }
      if (!failure) continue;
      for (auto& one : part) one.failed(failure);
    }
  }

 private:
  task<> run_part(std::span<pending> batch) const {
    const site where = combine::site_of(batch);
    const auto kinds = by_kind(batch);
    const auto& pops = kinds[0];
    const auto& pushes = kinds[1];
    std::vector<T> pushed;
    pushed.reserve(pushes.size());
    for (const pending* one : pushes) pushed.push_back(one->request.value);
    std::exception_ptr refusal;
    try {
      co_await commit(pushed, pops, where);
    } catch (const error& failure) {
      if (failure.code() != errc::out_of_memory || pops.empty()) throw;
      refusal = std::current_exception();
    }
    if (!refusal) co_return;
    const std::span<const T> nothing;
    co_await commit(nothing, pops, where);
    for (pending* one : pops) one->answered_early();
    std::rethrow_exception(refusal);
  }

  /// The pops, and the pushes. Without a branch, which would be mispredicted half of the time.
  static std::array<std::vector<pending*>, 2> by_kind(std::span<pending> batch) {
    std::array<std::vector<pending*>, 2> kinds;
    std::array<std::size_t, 2> counts{};
    for (auto& kind : kinds) kind.resize(batch.size());
    for (auto& one : batch) {
      const std::size_t kind = one.request.is_push ? 1 : 0;
      kinds[kind][counts[kind]++] = &one;
    }
    for (std::size_t kind = 0; kind < 2; ++kind) kinds[kind].resize(counts[kind]);
    return kinds;
  }

  task<> commit(std::span<const T> pushed, std::span<pending* const> pops, site where) const {
    std::vector<T> popped(pops.size());  // once cells are reserved, nothing may fail
    const auto made = co_await stored_.reserve(static_cast<std::uint32_t>(pushed.size()),
                                               static_cast<std::uint32_t>(pops.size()), where);
    const std::span<const stretch> reserved(made.stretches);
    popped.resize(made.popped);
    combine::gate moved;
    stored_.write(reserved.first(made.push_stretches), std::as_bytes(pushed), moved, where);
    stored_.read(reserved.subspan(made.push_stretches), std::as_writable_bytes(std::span(popped)),
                 moved, where);
    co_await combine::gate_awaiter(moved, where);
    answer_all(popped, pops.first(popped.size()));
  }

  void answer_all(std::span<const T> popped, std::span<pending* const> pops) const {
    constexpr std::size_t k_ahead = 16;  // answers lie in frames, far apart
    const bool newest = order_ == discipline::newest_first;
    for (std::size_t i = 0; i < popped.size(); ++i) {
      if (i + k_ahead < popped.size()) __builtin_prefetch(pops[i + k_ahead]->answer, 1);
      *pops[i]->answer = newest ? popped[popped.size() - 1 - i] : popped[i];
    }
  }

  cells stored_;
  discipline order_;
};

/// So few that where memory ends, most of what still fits is pushed.
inline constexpr std::size_t k_most_published_together = 1024;

/// Pushes, in their order, the oldest elements of `kept`, at most `most` of them; `written` counts
/// them on their way to the cells. Returns how many. Throws atl::error (out_of_memory), and has
/// taken none then.
template <class T>
task<std::size_t> push_oldest(cells stored, kept_elements<T>& kept, std::size_t most,
                              combine::gate& written, site where) {
  const auto count =
      std::min({most, kept.size(), k_most_published_together, std::size_t{stored.most_reserved()}});
  const std::vector<T> taken = kept.take_oldest(count);  // others may pop what is kept meanwhile
  reservation made;
  try {
    made = co_await stored.reserve(static_cast<std::uint32_t>(count), 0, where);
  } catch (...) {
    kept.put_back(taken);
    throw;
  }
  kept.forget_taken();
  stored.write(made.stretches, std::as_bytes(std::span(taken)), written, where);
  co_return count;
}

}  // namespace atl::container
