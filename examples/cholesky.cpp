// This example factors a matrix by Cholesky's method, in tiles, in two ways. In the first way, by
// phases, all PEs wait for each other. In the second way, by events, each tile waits only for the
// tiles that it needs. Each argument is a number of rows, which must be a multiple of 64. The
// program prints the times of both ways on standard error.

#include "cholesky/matrix.hpp"

#include <atoll/atoll.hpp>
#include <charconv>
#include <chrono>
#include <fmt/core.h>
#include <limits>
#include <string_view>

using namespace cholesky;

// ---- The factorization in phases.

atl::task<> fetch(matrix all, std::size_t row, std::size_t column) {
  if (all.is_mine(row, column)) co_return;
  co_await atl::get(all.own[number_of(row, column)], std::span(&all.copy(row, column), 1));
}

/// Factors the matrix in phases. Every PE calls this function.
atl::task<> factor_by_phases(matrix all) {
  for (std::size_t k = 0; k < all.side; ++k) {
    if (all.is_mine(k, k)) factor(all.mine(k, k));
    co_await atl::all_barrier();
    co_await fetch(all, k, k);
    for (std::size_t i = k + 1; i < all.side; ++i)
      if (all.is_mine(i, k)) divide(all.mine(i, k), all.here(k, k));
    co_await atl::all_barrier();
    co_await atl::local_parallel_for(k + 1, all.side,
                                     [=](std::size_t i) { return fetch(all, i, k); });
    for (std::size_t j = k + 1; j < all.side; ++j)
      for (std::size_t i = j; i < all.side; ++i)
        if (all.is_mine(i, j)) subtract_product(all.mine(i, j), all.here(i, k), all.here(j, k));
  }
}

// ---- The factorization with events.

/// What one PE knows about the state of the tiles.
struct schedule {
  matrix all;
  /// The latest event of each tile: the end of the last step on a tile of this PE, or the arrival
  /// of a copy.
  std::vector<atl::event> ready;
  atl::received_parts<atl::user_event> arrived;  ///< by PE and tile, the event that the copy of the
                                                 ///< tile has arrived there

  atl::event& of(std::size_t row, std::size_t column) { return ready[number_of(row, column)]; }

  /// Makes `step(tile)` the next step on a tile of this PE. The step begins when the last step on
  /// the tile has ended and `needed` have triggered.
  template <class Step>
  atl::event then(std::size_t row, std::size_t column, std::vector<atl::event> needed, Step step,
                  atl::site where = atl::site::current()) {
    atl::event& done = of(row, column);
    needed.push_back(done);
    const auto next = [step, at = &all.mine(row, column)] { step(*at); };
    done = atl::spawn_when(atl::merge_events(needed), next, where);
    return done;
  }

  /// Sends the tile to all other PEs when its last step has ended.
  void send(std::size_t row, std::size_t column) {
    const std::size_t number = number_of(row, column);
    for (int pe = 0; pe < atl::pes(); ++pe) {
      if (pe == atl::my_pe()) continue;
      const atl::array_part<tile> copy(all.copies, all.copy_on(pe, number), 1);
      const atl::event sent =
          atl::copy_when<tile>(of(row, column), copy, atl::array_part<tile>(all.own, number, 1));
      atl::trigger_when(arrived[static_cast<std::size_t>(pe)][number], sent);
    }
  }
};

/// Makes an event for each tile that another PE will send to this PE, and sends these events to all
/// PEs.
atl::task<schedule> make_schedule(matrix all) {
  std::vector<atl::user_event> expected(all.tiles);
  std::vector<atl::event> ready(all.tiles);
  for (std::size_t number = 0; number < all.tiles; ++number)
    if (!all.own[number].is_local()) ready[number] = expected[number] = atl::make_user_event();
  auto arrived = co_await atl::all_gather(std::span<const atl::user_event>(expected));
  co_return schedule{all, std::move(ready), std::move(arrived)};
}

/// Plans the steps that complete column `k`.
void ask_for_column(schedule& plan, std::size_t k) {
  const matrix all = plan.all;
  if (all.is_mine(k, k)) {
    plan.then(k, k, {}, [](tile& diagonal) { factor(diagonal); });
    plan.send(k, k);
  }
  for (std::size_t i = k + 1; i < all.side; ++i) {
    if (!all.is_mine(i, k)) continue;
    plan.then(i, k, {plan.of(k, k)}, [by = &all.here(k, k)](tile& below) { divide(below, *by); });
    plan.send(i, k);
  }
}

/// Plans the steps that subtract column `k` from the later columns. Column `k` + 1 is updated as
/// early as possible. Updates of later columns run one after another, so that they never delay
/// column `k` + 1. `last` is the event of the last planned update of a later column.
void ask_for_update(schedule& plan, std::size_t k, atl::event& last) {
  const matrix all = plan.all;
  for (std::size_t j = k + 1; j < all.side; ++j) {
    for (std::size_t i = j; i < all.side; ++i) {
      if (!all.is_mine(i, j)) continue;
      const bool is_next = j == k + 1;
      const auto update = [left = &all.here(i, k), above = &all.here(j, k)](tile& at) {
        subtract_product(at, *left, *above);
      };
      const atl::event done = plan.then(
          i, j, {plan.of(i, k), plan.of(j, k), is_next ? atl::event::none : last}, update);
      if (!is_next) last = done;
    }
  }
}

/// Factors the matrix with events. Every PE calls this function.
atl::task<> factor_by_events(matrix all) {
  schedule plan = co_await make_schedule(all);
  atl::event last;
  for (std::size_t k = 0; k < all.side; ++k) {
    ask_for_column(plan, k);
    ask_for_update(plan, k, last);
    co_await atl::yield();  // lets steps run that can begin
  }
  const atl::event done = atl::merge_events(plan.ready);
  co_await done;
}

// ---- Both factorizations.

/// Returns the seconds that `factor_all`, a coroutine, takes on all PEs. When the call has
/// returned, the matrix contains the factor.
template <class FactorAll>
atl::task<double> time_of(matrix all, FactorAll factor_all) {
  const auto prepare = [all] { return fill(all); };
  co_await atl::on_all_pes(prepare);
  const auto begin = std::chrono::steady_clock::now();
  co_await atl::on_all_pes(factor_all);
  co_return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Returns whether the matrix contains the right factor.
atl::task<bool> is_right(matrix all, const std::vector<tile>& expected) {
  std::vector<tile> found(all.tiles);
  co_await atl::get(all.own, 0, std::span(found));
  const double by_residual = co_await residual(found, all.side);
  co_return difference(found, expected, all.side) < 1e-9 && by_residual < 1e-9;
}

/// The best time of three runs. One run is not enough, because the first run includes the first
/// touch of memory.
struct record {
  double seconds = std::numeric_limits<double>::infinity();
  bool right = true;

  template <class FactorAll>
  atl::task<> run(matrix all, FactorAll factor_all, const std::vector<tile>& expected) {
    const double taken = co_await time_of(all, factor_all);
    seconds = std::min(seconds, taken);
    right = co_await is_right(all, expected) && right;
  }
  const char* verdict() const { return right ? "right" : "wrong"; }
};

atl::task<> compare(std::size_t rows) {
  const std::size_t side = rows / k_side;
  const std::vector<tile> expected = co_await factor_alone(side);
  const matrix all = co_await matrix::make(side);
  record phases;
  record events;
  for (int round = 0; round < 3; ++round) {
    co_await phases.run(all, [all] { return factor_by_phases(all); }, expected);
    co_await events.run(all, [all] { return factor_by_events(all); }, expected);
  }
  co_await all.destroy();
  fmt::print(stderr, "{} rows: {:.3f} s in phases, {:.3f} s with events: {:.2f} times as fast\n",
             rows, phases.seconds, events.seconds, phases.seconds / events.seconds);
  fmt::print("{} rows: the factor is {} in phases, {} with events\n", rows, phases.verdict(),
             events.verdict());
  if (!phases.right || !events.right)
    atl::fail(atl::errc::wrong_result, "a factor of {} rows is wrong", rows);
}

std::size_t rows_from(std::string_view text) {
  std::size_t rows = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), rows);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || rows == 0 ||
      rows % k_side != 0)
    atl::fail(atl::errc::input, "rows: \"{}\" is no multiple of {}", text, k_side);
  return rows;
}

int main(int argc, char** argv) {
  const auto program = [&]() -> atl::task<> {
    if (argc < 2) co_await compare(2048);
    for (int i = 1; i < argc; ++i) co_await compare(rows_from(argv[i]));
  };
  return atl::run(argc, argv, program);
}
