#pragma once
// A server is one PE's state of flat combining for one global structure. The server has a combiner
// (flat_combiner.hpp) for the requests of the PE's own tasks. The server of the master has a second
// combiner, for the requests that other PEs send. The master is the PE that holds the state of the
// structure.

#include "atoll/combine/flat_combiner.hpp"
#include "atoll/combine/forwarding.hpp"
#include "atoll/error.hpp"
#include "atoll/settings.hpp"
#include "atoll/synchronization.hpp"

namespace atl {

/// Options of one structure: on which PEs its operations are combined, and how many operations a
/// batch has at most. The defaults are the settings `combining` and `batch` of the job.
struct combining_options {
  combining_mode mode = this_pe().options->combining;
  /// Largest number of operations per commit. The value 0 selects the default of the structure. The
  /// default is 1024. For hash tables, the default is the larger of 1024 and 8 times the number of
  /// PEs.
  std::uint64_t batch = this_pe().options->batch;

  combining_options() = default;
  explicit combining_options(combining_mode wanted) : mode(wanted) {}
  combining_options(combining_mode wanted, std::uint64_t most) : mode(wanted), batch(most) {}

  std::uint64_t batch_or(std::uint64_t suitable) const { return batch != 0 ? batch : suitable; }
};

namespace combine {

inline constexpr int k_master = 0;
inline constexpr std::uint64_t k_usual_batch = 1024;

template <served_proxy Proxy>
class server {
 public:
  using request = typename Proxy::request;
  using answer = typename Proxy::answer;
  using requests = std::span<const request>;

  /// Initialises the server. Call this function once on each PE, before the first use of the
  /// server.
  void open(per_pe<server> all, const Proxy& first, combining_options options) {
    all_ = all;
    first_.emplace(first);
    options_ = {options.mode, options.batch_or(k_usual_batch)};
    const auto commit_own = [this](auto& batch) { return commit(batch); };
    own_.emplace(first, options_.batch, commit_own);
    const auto commit_served = [](auto& batch) { return batch.proxy.sync(batch.waiting); };
    if (my_pe() == k_master) served_.emplace(first, most_served(), commit_served);
  }

  combining_mode mode() const { return options_.mode; }

  /// Returns true if requests of this PE's tasks are first combined on this PE. Returns false if
  /// each request is sent to the master in a message of its own.
  bool combines_here() const {
    return options_.mode == combining_mode::local || options_.mode == combining_mode::both;
  }
  flat_combiner<Proxy>& own() { return *own_; }

  /// Sends `wanted` to the master. The answer will be stored in `result` and counted at the gate
  /// `at`.
  void forward_one(const request& wanted, answer& result, gate& at, site where) {
    const return_address to{word(&result), 0, word(&at)};
    forward(k_master, all_, requests(&wanted, 1), to, where);
  }

  /// Executes requests that another PE has sent to the master, and stores their answers in
  /// `answers`. For each failed request, sets the byte of the request in `failed` to 1. Returns the
  /// exception of the first failed request, or null.
  task<std::exception_ptr> serve(requests wanted, std::span<answer> answers,
                                 std::span<std::byte> failed, site where) {
    ++requests_served_;
    charge(work::requests_served, 1);
    std::vector<gate> gates(wanted.size());
    for (auto& at : gates) {
      at.where = where;
      at.open_requests = 1;
    }
    if (options_.mode == combining_mode::none) {
      const auto alone = co_await one_at_a_time_.guarded(where);
      for (std::size_t i = 0; i < wanted.size(); ++i)
        co_await serve_alone(wanted[i], answers[i], gates[i]);
    } else {
      for (std::size_t i = 0; i < wanted.size(); ++i)
        serve_combined(wanted[i], answers[i], gates[i], where);
      for (auto& at : gates) co_await quiet_gate_awaiter(at, where);
    }
    std::exception_ptr first_failure;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (!gates[i].failure) continue;
      failed[i] = std::byte{1};
      if (!first_failure) first_failure = gates[i].failure;
    }
    co_return first_failure;
  }

  combining_statistics statistics() const {
    combining_statistics counted = own_->statistics();
    counted.requests_at_master = requests_served_;
    if (!served_) return counted;
    const auto& at_master = served_->statistics();
    counted.commits_of_master = at_master.commits + served_alone_;
    counted.matched_pairs += at_master.matched_pairs;
    if (combines_here()) return counted;
    counted.operations = at_master.operations + served_alone_;
    counted.commits = at_master.commits + served_alone_;
    counted.batch_sizes = at_master.batch_sizes;
    counted.batch_sizes[0] += served_alone_;
    return counted;
  }

 private:
  /// Returns the largest number of requests per commit at the master. If PEs combine requests
  /// before sending, the limit allows one full batch of each PE.
  std::uint64_t most_served() const {
    return combines_here() ? options_.batch * static_cast<std::uint64_t>(pes()) : options_.batch;
  }

  static std::uint64_t word(void* place) { return reinterpret_cast<std::uintptr_t>(place); }

  task<> serve_alone(const request& wanted, answer& result, gate& at) {
    ++served_alone_;
    try {
      Proxy proxy = *first_;
      std::array<pending_of<Proxy>, 1> alone{{{wanted, &result, &at}}};
      if (proxy.merge(wanted, result, {}) == merged::waits) co_await proxy.sync(alone);
    } catch (const transport::job_ended&) {
      throw;
    } catch (...) {
      at.one_failed(std::current_exception());
    }
  }

  void serve_combined(const request& wanted, answer& result, gate& at, site where) {
    try {
      if (served_->merge(wanted, result, at)) at.one_answered();
      if (served_->has_offer()) served_->spawn_leader(served_->take_offer(), where);
    } catch (const std::bad_alloc&) {
      at.one_failed(std::current_exception());
    }
  }

  /// Commits a batch of requests of this PE's tasks, on this PE or by the master.
  task<> commit(batch<Proxy>& gathered) {
    if (options_.mode == combining_mode::local) return gathered.proxy.sync(gathered.waiting);
    const bool whole = options_.mode == combining_mode::both;
    return forward_all(gathered.waiting, whole ? most_forwarded<server>() : 1);
  }

  /// Sends all requests to the master, at most `most` per message, and waits for their answers.
  task<> forward_all(std::span<pending_of<Proxy>> gathered, std::size_t most) {
    const site where = site_of(gathered);
    std::vector<request> wanted;
    for (const auto& one : gathered) wanted.push_back(one.request);
    std::vector<answer> answers(wanted.size());
    std::vector<std::byte> failed(wanted.size());
    gate all;
    for (std::size_t begin = 0; begin < wanted.size(); begin += most) {
      const std::size_t count = std::min(most, wanted.size() - begin);
      const return_address to{word(&answers[begin]), word(&failed[begin]), word(&all)};
      ++all.open_requests;
      try {
        forward(k_master, all_, requests(&wanted[begin], count), to, where);
      } catch (const transport::job_ended&) {
        throw;
      } catch (...) {  // the task must still wait for the requests that were already sent
        --all.open_requests;
        all.failure = std::current_exception();
        std::fill(failed.begin() + static_cast<std::ptrdiff_t>(begin), failed.end(), std::byte{1});
        break;
      }
    }
    this_pe().messages->flush(k_master);
    if (!all.is_open()) co_await quiet_gate_awaiter(all, where);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      *gathered[i].answer = answers[i];
      if (all.failure && failed[i] == std::byte{0}) gathered[i].answered_early();
    }
    all.check();
  }

  per_pe<server> all_;
  std::optional<Proxy> first_;
  combining_options options_;
  std::optional<flat_combiner<Proxy>> own_;
  std::optional<flat_combiner<Proxy>> served_;  // only the master has this combiner
  mutex one_at_a_time_;
  std::uint64_t requests_served_ = 0;
  std::uint64_t served_alone_ = 0;
};

}  // namespace combine
}  // namespace atl
