#pragma once
// Runs a program of one-sided access, and collects the results of its steps.

#include "atoll/collectives.hpp"
#include "atoll/one_sided.hpp"
#include "atoll/symmetric_array.hpp"
#include "atoll/symmetric_collectives.hpp"
#include "memory/one_sided_programs/generator.hpp"

#include <atomic>
#include <deque>
#include <span>
#include <utility>

namespace atl::test::access {

/// initial value of a buffer that receives the words of a get
inline constexpr word k_nothing = ~word{0};
/// value that the words of a put's source get when the source is no longer needed
inline constexpr word k_over = ~word{1};

/// Runs the steps of one PE.
class runner {
 public:
  runner(const program& plan, symmetric_array<word> memory) : plan_(plan), memory_(memory) {
    seen_.resize(plan.steps.size());
  }

  task<> run() {
    for (std::size_t number = 0; number < plan_.steps.size(); ++number) {
      const step& each = plan_.steps[number];
      if (each.kind != step_kind::barrier && each.pe != my_pe()) continue;
      for (int k = 0; k < each.pause % 4; ++k) co_await yield();
      if (each.pause >= 4) co_await sleep_for(static_cast<std::uint64_t>(each.pause) * 500);
      co_await take(each, number);
    }
  }

  /// Returns the results of the steps of this PE, concatenated.
  std::vector<word> returned() const {
    std::vector<word> all;
    for (const auto& of_step : seen_) all.insert(all.end(), of_step.begin(), of_step.end());
    return all;
  }

 private:
  struct pending {
    std::size_t step;
    std::vector<word>* into;
  };

  global_address<word> address(place at) const {
    return memory_.on(at.pe, static_cast<std::uint64_t>(at.index));
  }

  task<> take(const step& each, std::size_t number) {
    if (each.puts()) return put(each);
    if (each.gets()) return get(each, number);
    if (each.kind >= step_kind::fence) return order(each.kind);
    if (each.kind == step_kind::wait) return wait(each, number);
    return update(each, number);
  }

  task<> order(step_kind kind) {
    if (kind == step_kind::fence) {
      one_sided::fence();
      co_return;
    }
    co_await one_sided::quiet();
    for (const pending& each : std::exchange(gets_, {})) seen_[each.step] = *each.into;
    for (auto* source : std::exchange(sources_, {})) std::ranges::fill(*source, k_over);
    if (kind == step_kind::barrier) co_await all_barrier();
  }

  /// Returns a buffer that lives until the job ends, because an access can happen late.
  std::vector<word>& new_buffer(int words, word value) {
    return buffers_.emplace_back(static_cast<std::size_t>(words), value);
  }

  task<> put(const step& each) {
    std::vector<word>& source = new_buffer(each.words, 0);
    for (int k = 0; k < each.words; ++k) source[static_cast<std::size_t>(k)] = each.value_of(k);
    const std::span<const word> from = source;
    const bool is_nbi = each.kind == step_kind::put_nbi || each.kind == step_kind::put_signal_nbi;
    if (each.has_signal())
      put_with_signal(each, from);
    else if (is_nbi)
      one_sided::put_nbi(address(each.at), from);
    else if (each.words == 1)
      one_sided::put(address(each.at), source[0]);
    else
      co_await one_sided::put(address(each.at), from);
    if (is_nbi)
      sources_.push_back(&source);
    else
      std::ranges::fill(source, k_over);
  }

  void put_with_signal(const step& each, std::span<const word> from) const {
    const auto how = each.signal == k_signals ? one_sided::signal_operation::add
                                              : one_sided::signal_operation::set;
    const auto to = address(each.at), signal = address({each.at.pe, each.signal});
    if (each.kind == step_kind::put_signal)
      one_sided::put_signal(to, from, signal, each.signalled, how);
    else
      one_sided::put_signal_nbi(to, from, signal, each.signalled, how);
  }

  task<> get(const step& each, std::size_t number) {
    std::vector<word>& into = new_buffer(each.words, k_nothing);
    if (each.kind == step_kind::get_nbi) {
      one_sided::get_nbi(address(each.at), std::span(into));
      gets_.push_back({number, &into});
      co_return;
    }
    if (each.kind == step_kind::load)
      load(each, into);
    else if (each.words == 1)
      into[0] = co_await one_sided::get(address(each.at));
    else
      co_await one_sided::get(address(each.at), std::span(into));
    seen_[number] = into;
  }

  void load(const step& each, std::vector<word>& into) const {
    const auto own = memory_.local().subspan(static_cast<std::size_t>(each.at.index));
    for (std::size_t k = 0; k < into.size(); ++k)
      into[k] = std::atomic_ref(own[k]).load(std::memory_order_acquire);
  }

  task<> wait(const step& each, std::size_t number) {
    const word* const at = &memory_.local()[static_cast<std::size_t>(each.at.index)];
    seen_[number].assign(
        1, co_await one_sided::wait_until(at, one_sided::comparison::greater_equal, each.value));
  }

  task<> update(const step& each, std::size_t number) {
    const auto at = address(each.at);
    if (each.kind == step_kind::set) one_sided::set(at, each.value);
    if (each.kind == step_kind::add) one_sided::add(at, 1);
    if (each.kind == step_kind::fetch) seen_[number].assign(1, co_await one_sided::fetch(at));
    if (each.kind == step_kind::fetch_add)
      seen_[number].assign(1, co_await one_sided::fetch_add(at, 1));
    if (each.kind == step_kind::exchange)
      seen_[number].assign(1, co_await one_sided::exchange(at, each.value));
    if (each.kind == step_kind::compare_exchange)
      seen_[number].assign(1, co_await one_sided::compare_exchange(at, each.expected, each.value));
  }

  const program& plan_;
  symmetric_array<word> memory_;
  log seen_;
  std::deque<std::vector<word>> buffers_;
  // sources of puts, which are in use until the next quiet
  std::vector<std::vector<word>*> sources_;
  std::vector<pending> gets_;  // gets in flight until the next quiet
};

/// Combines the results of each PE, and returns the results of all steps.
inline log log_of(const program& plan, const received_parts<word>& of_pes) {
  log seen(plan.steps.size());
  std::vector<std::size_t> taken(of_pes.size());
  for (std::size_t number = 0; number < plan.steps.size(); ++number) {
    const auto pe = static_cast<std::size_t>(plan.steps[number].pe);
    for (std::size_t k = plan.steps[number].returned(); k > 0; --k)
      seen[number].push_back(of_pes[pe][taken[pe]++]);
  }
  return seen;
}

/// Runs the program of the seed on all PEs. One task of the job calls this function.
inline task<log> run_program(std::uint64_t seed) {
  const auto memory = co_await make_symmetric_array<word>(k_words);
  const auto body = [memory, seed]() -> task<received_parts<word>> {
    const program plan = program_of(seed, pes());
    runner mine(plan, memory);
    co_await mine.run();
    const std::vector<word> returned = mine.returned();
    co_return co_await all_gather(std::span(returned));
  };
  const auto of_pes = co_await from_all_pes(body);
  co_await memory.destroy();
  co_return log_of(program_of(seed, pes()), of_pes);
}

}  // namespace atl::test::access
