#pragma once
// This file has flat combining (flat_combiner.hpp) for global hash tables. Operations of a PE's
// tasks are collected in a batch. A commit of the batch sends each owner of keys one message with
// all requests for its keys.

#include "atoll/base/mutants.hpp"
#include "atoll/combine/batch.hpp"
#include "atoll/combine/server.hpp"
#include "atoll/container/hash_transfer.hpp"
#include "atoll/flat_combining.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace atl::container {

// The next class determines which requests of a batch are sent, and to which PEs.

/// A batch of requests. If several lookups of one key follow each other without another request for
/// the key between them, only the first lookup is sent. Repeated inserts and repeated erasures of
/// one key are also sent only once. Sent requests keep their order. A lookup that follows an insert
/// of the same key is sent. If a lookup were answered from an insert of the same batch, the task
/// would see a value that other PEs cannot see yet.
template <class Key, class Value>
class hash_batch {
 public:
  using request = hash_request<Key, Value>;
  using pending = combine::pending<hash_gathered<Key, Value>, hash_answer<Value>>;

  explicit hash_batch(std::span<const pending> batch)
      : batch_(batch),
        ways_(batch.size()),
        first_of_(static_cast<std::size_t>(pes()) + 1),
        found_(batch.size()) {
    find_originals();
    std::partial_sum(first_of_.begin(), first_of_.end(), first_of_.begin());
    place_originals();
  }

  /// Returns the number of requests that are sent, which excludes repeated requests.
  std::size_t size() const { return travelling_.size(); }

  /// Returns the numbers of the requests for PE `pe` that have not been sent yet. `first_for`
  /// returns the index, among all sent requests, of the first request that `left_for` returns.
  std::span<const std::uint32_t> left_for(int pe) const {
    const auto number = static_cast<std::size_t>(pe);
    return std::span(travelling_).subspan(first_of_[number], end_of_[number] - first_of_[number]);
  }
  std::uint32_t first_for(int pe) const { return first_of_[static_cast<std::size_t>(pe)]; }

  /// Marks the first `count` of the remaining requests for PE `pe` as sent.
  void sent(int pe, std::size_t count) {
    first_of_[static_cast<std::size_t>(pe)] += static_cast<std::uint32_t>(count);
  }

  const request& operator[](std::uint32_t number) const { return batch_[number].request; }

  /// Returns the number of the request whose answer also answers request `number`. If request
  /// `number` is sent itself, the result is `number`.
  std::uint32_t original(std::uint32_t number) const { return ways_[number].original; }

  /// Returns the index of the sent request `original` among all sent requests.
  std::uint32_t place(std::uint32_t original) const { return ways_[original].place; }

 private:
  static bool repeats(const request& earlier, const request& later) {
    return (earlier.verb == later.verb) & (later.verb != hash_verb::assign);
  }

  /// Describes how a request gets its answer. The answer to the sent request with the number
  /// `original` is also the answer to this request. If the request itself is sent, `owner` is the
  /// PE that holds its key, and `place` is the index of the request among the sent requests.
  struct way {
    std::uint32_t original;
    std::uint32_t owner;
    std::uint32_t place;
  };

  // The loop has no branch on whether a key is repeated, because the processor could not predict
  // the branch. If a slot of the table `last` is free, the loop compares the request with itself,
  // so the search ends there without a branch of its own.
  void find_originals() {
    // A hash table that maps each key to the last request that is sent for the key. A slot holds
    // the number of a request plus 1; a free slot holds 0.
    std::vector<std::uint32_t> last(std::bit_ceil(4 * batch_.size()));
    const std::size_t mask = last.size() - 1;
    const int all_pes = pes();
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < batch_.size(); ++i) {
      const request& wanted = (*this)[i];
      const std::uint64_t hash = key_hash<Key>()(wanted.key);
      const auto owner = static_cast<std::uint32_t>(owner_of_hash(hash, all_pes));
      std::size_t slot = hash & mask;
      std::uint32_t earlier = either(last[slot], i + 1) - 1;
      while (!((*this)[earlier].key == wanted.key)) {
        slot = (slot + 1) & mask;
        earlier = either(last[slot], i + 1) - 1;
      }
      const bool stays = repeats((*this)[earlier], wanted) & (earlier != i);
      const std::uint32_t travels = 1 - std::uint32_t{stays};
      ways_[i] = {either(travels * (i + 1), earlier + 1) - 1, owner, 0};
      last[slot] = ways_[i].original + 1;
      found_[count] = i;
      count += travels;
      first_of_[owner + 1] += travels;
    }
    found_.resize(count);
  }

  /// Returns `first` if `first` is not 0, and `second` if `first` is 0. Compilers would translate
  /// the operator `?:` into a branch.
  static std::uint32_t either(std::uint32_t first, std::uint32_t second) {
    return first | (second & (std::uint32_t{first != 0} - 1));
  }

  void place_originals() {
    travelling_.resize(found_.size());
    end_of_ = first_of_;
    for (const std::uint32_t i : found_) {
      ways_[i].place = end_of_[ways_[i].owner]++;
      travelling_[ways_[i].place] = i;
    }
  }

  std::span<const pending> batch_;
  std::vector<way> ways_;
  // For each PE, the index in `travelling_` of the first request that has not been sent yet.
  std::vector<std::uint32_t> first_of_;
  std::vector<std::uint32_t> end_of_;
  // Numbers of the requests that are sent, in the order of the batch.
  std::vector<std::uint32_t> found_;
  std::vector<std::uint32_t> travelling_;  // numbers of the requests that are sent, sorted by PE
};

// The next class commits a batch of requests on a global hash table. Each owner of keys usually
// gets one message with all requests for its keys, and answers with one message. (Holt and others,
// "Flat Combining Synchronized Global Data Structures", PGAS 2013, section on sets and maps.)

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
    // Each call of `send_round` sends one message per owner. One call is enough if the requests for
    // each owner fit into one message. Requests for the same key are executed in the order of the
    // batch.
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

  /// The answers to the sent requests of a batch.
  struct answers {
    std::vector<hash_outcome> outcomes;
    std::vector<Value> values;
    combine::gate at;
    std::exception_ptr not_sent;  ///< the reason why some requests could not be sent

    hash_returns returns{outcomes.data(), values.data(), &at};

    explicit answers(std::size_t count) : outcomes(count), values(count) {}

    hash_return_address address(std::size_t first) const {
      return {reinterpret_cast<std::uintptr_t>(&returns), static_cast<std::uint32_t>(first)};
    }
  };

  /// Sends each owner one message with as many of its remaining requests as fit. Returns false if
  /// no owner had remaining requests.
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

  /// Sends requests to PE `pe` in one message. If sending the message fails, only the requests in
  /// the message fail.
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

  // Number of requests between the answered request and the request whose gate and answer are
  // prefetched. Gates and answers lie in different task frames, so each access to them may be a
  // cache miss.
  static constexpr std::size_t k_ahead = 16;
  // If a batch has at least this number of requests per PE, the messages of the batch are flushed
  // at once, because many tasks wait. A message may be short even for a large batch, because
  // repeated requests are not sent.
  static constexpr std::size_t k_many_wait = 16;

  parts parts_;
};

// The next class is one PE's combiner for a global hash table. A hash table has no master: requests
// are sent directly to the owners of their keys.

template <class Key, class Value>
class hash_combiner {
 public:
  using proxy = hash_proxy<Key, Value>;

  /// Initialises the combiner. Call `open` once, before the first use of the combiner.
  void open(const proxy& first, combining_options options) {
    combines_ = options.mode == combining_mode::local || options.mode == combining_mode::both;
    own_.emplace(first, options.batch_or(suitable_batch()),
                 [](auto& gathered) { return gathered.proxy.sync(gathered.waiting); });
  }

  /// Returns true if operations are combined. Returns false if each operation is sent in a message
  /// of its own.
  bool combines() const { return combines_; }

  combine::flat_combiner<proxy>& own() { return *own_; }
  const combining_statistics& statistics() const { return own_->statistics(); }

 private:
  // The size of a batch grows with the number of PEs, because a commit sends one message to each
  // owner. With small batches and many PEs, the headers of messages would be larger than their
  // contents. A large batch also has more repeated requests, which need not be sent.
  static std::uint64_t suitable_batch() {
    return std::max(combine::k_usual_batch, 8 * static_cast<std::uint64_t>(pes()));
  }

  bool combines_ = false;
  std::optional<combine::flat_combiner<proxy>> own_;
};

}  // namespace atl::container
