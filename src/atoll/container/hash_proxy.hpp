#pragma once
// Commits a batch of requests on a hash table of all PEs: each owner gets one message with those
// for its keys, and answers with one. (Holt and others, "Flat Combining Synchronized Global Data
// Structures", PGAS 2013, section on sets and maps.)

#include "atoll/base/mutants.hpp"
#include "atoll/container/hash_batch.hpp"
#include "atoll/container/hash_transfer.hpp"
#include "atoll/flat_combining.hpp"

#include <vector>

namespace atl::container {

template <class Key, class Value>
class hash_proxy {
 public:
  using request = hash_gathered<Key, Value>;
  using answer = hash_answer<Value>;
  using pending = combine::pending<request, answer>;
  using parts = per_pe<hash_part<Key, Value>>;

  static constexpr bool tells_all = true;

  explicit hash_proxy(parts all) : parts_(all) {}

  combine::merged merge(const request& wanted, answer&, std::span<pending> before) {
    return is_answered_early(wanted, before) ? combine::merged::answered : combine::merged::waits;
  }

  task<> sync(std::span<pending> batch) {
    const site where = combine::site_of(batch);
    distinct wanted(batch);
    answers all(wanted.size());
    asked sent(questions::payload_capacity(), wanted.size());
    // One round, unless an owner gets more than a message holds: those of one key stay in order.
    const bool at_once = batch.size() >= k_many_wait * static_cast<std::size_t>(pes());
    while (send_round(wanted, sent, all, at_once, where))
      co_await combine::quiet_gate_awaiter(all.at, where);
    tell(batch, wanted, all);
  }

 private:
  using distinct = hash_batch<Key, Value>;
  using questions = hash_questions<Key, Value>;
  using asked = typename questions::form::asked;

  static bool is_answered_early(const hash_request<Key, Value>& wanted,
                                std::span<const pending> before) {
    if (!mutants::has(mutants::fault::early_duplicate) || wanted.verb != hash_verb::insert)
      return false;
    return std::ranges::any_of(before, [&](const pending& one) {
      const hash_request<Key, Value>& earlier = one.request;
      return earlier.verb == wanted.verb && earlier.key == wanted.key;
    });
  }

  /// Of those that travel.
  struct answers {
    std::vector<hash_outcome> outcomes;
    std::vector<Value> values;
    combine::gate at;
    std::exception_ptr not_sent;  ///< why some could not be sent

    hash_returns returns{outcomes.data(), values.data(), &at};

    explicit answers(std::size_t count) : outcomes(count), values(count) {}

    hash_return_address address(std::size_t first) const {
      return {reinterpret_cast<std::uintptr_t>(&returns), static_cast<std::uint32_t>(first)};
    }
  };

  /// To each owner as many of the requests that are left for it as one message holds. False: there
  /// were none.
  bool send_round(distinct& wanted, asked& sent, answers& all, bool at_once, site where) const {
    bool any = false;
    for (int pe = 0; pe < pes(); ++pe) {
      const auto left = wanted.left_for(pe);
      if (left.empty()) continue;
      any = true;
      const std::size_t count = sent.take(wanted, left);
      send(pe, sent.bytes(), all, wanted.first_for(pe), count, at_once, where);
      if (at_once) this_pe().messages->flush(pe);
      wanted.sent(pe, count);
    }
    return any;
  }

  /// What cannot be sent has failed; the others of the batch are not concerned.
  void send(int pe, std::span<const std::byte> requests, answers& all, std::size_t first,
            std::size_t count, bool at_once, site where) const {
    all.at.open_requests += static_cast<std::uint32_t>(count);
    parts_->sent += count;
    try {
      this_pe().messages->send_with<message::traffic::untracked>(
          pe, questions::of(parts_, all.address(first), count, requests, at_once), requests, where);
    } catch (const error&) {
      all.not_sent = std::current_exception();
      all.at.open_requests -= static_cast<std::uint32_t>(count);
      std::fill_n(all.outcomes.begin() + static_cast<std::ptrdiff_t>(first), count,
                  hash_outcome::failed);
    }
  }

  static void tell(std::span<pending> batch, const distinct& wanted, const answers& all) {
    for (std::uint32_t i = 0; i < batch.size(); ++i) {
      if (i + k_ahead < batch.size()) {
        __builtin_prefetch(batch[i + k_ahead].at, 1);
        __builtin_prefetch(batch[i + k_ahead].answer, 1);
      }
      const std::uint32_t original = wanted.original(i);
      const std::uint32_t place = wanted.place(original);
      const hash_outcome outcome = all.outcomes[place];
      if (has_failed(outcome)) {
        batch[i].failed(all.not_sent ? all.not_sent : failure_of(outcome));
        continue;
      }
      const bool first_of_its_kind = (original == i) | (wanted[i].verb == hash_verb::lookup);
      const bool yes = (outcome == hash_outcome::yes) & first_of_its_kind;
      try {
        *batch[i].answer = {all.values[place], yes};
        batch[i].answered_early();
      } catch (...) {
        batch[i].failed(std::current_exception());
      }
    }
  }

  static constexpr std::size_t k_ahead = 16;  // gates and answers lie in frames, far apart
  // Tasks that wait, for each PE, before their requests go without company, few as may be left of
  // them where keys repeat.
  static constexpr std::size_t k_many_wait = 16;

  parts parts_;
};

}  // namespace atl::container
