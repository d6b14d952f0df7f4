#pragma once
// Flat combining executes the requests of many tasks on a global structure together
// (flat_combiner.hpp). A batch collects requests of the tasks of one PE. One task commits the
// batch: the task executes all requests of the batch on the structure.

#include "atoll/combine/gate.hpp"

#include <concepts>
#include <deque>
#include <memory>
#include <span>
#include <vector>

namespace atl::combine {

/// The result of merging a request into the proxy of a batch. A proxy combines the requests of a
/// batch before the commit. For a stack, for example, a pop can take the value of a push that has
/// not been committed.
enum class merged : std::uint8_t {
  waits,     ///< the next commit will answer the request
  answered,  ///< the request is answered at once
  /// the request and the last waiting request of the batch have answered each other
  answered_both
};

/// A request that waits for a commit, with the address at which to store its answer.
template <class Request, class Answer>
struct pending {
  Request request;
  Answer* answer;
  gate* at;  ///< counts the missing answers; null if the request is answered already

  /// Marks the request as answered before the commit ends. The request keeps its answer even if the
  /// commit fails later.
  void answered_early() { std::exchange(at, nullptr)->one_answered(); }

  /// Marks the request as failed with `reason`. Other requests of the commit are not affected. Does
  /// nothing if the request was answered early.
  void failed(const std::exception_ptr& reason) {
    if (at != nullptr) std::exchange(at, nullptr)->one_failed(reason);
  }
};

/// Returns the line of the program that made the first unanswered request of the batch. If the
/// program hangs, the report shows the commit of the batch at the returned line.
template <class Pending>
site site_of(std::span<Pending> batch) {
  for (const auto& one : batch)
    if (one.at != nullptr) return one.at->where;
  return {};
}

template <class Proxy>
using pending_of = pending<typename Proxy::request, typename Proxy::answer>;

/// Defines what a proxy must provide. Each structure with flat combining has a proxy type.
///
/// The function `merge(request, answer, before)` accepts a request and must not wait. `before` has
/// the waiting requests of the same batch, oldest first. The coroutine `sync(batch)` commits the
/// waiting requests and stores their answers. If `sync` throws, all requests without an early
/// answer fail. If single requests of a commit can fail, `sync` calls `answered_early` or `failed`
/// for each request. Every batch starts with a copy of the proxy that the structure was made with.
template <class Proxy>
concept combining_proxy =
    std::copyable<Proxy> && std::copyable<typename Proxy::request> &&
    requires(Proxy proxy, const typename Proxy::request& request, typename Proxy::answer& answer,
             std::span<pending_of<Proxy>> batch) {
      { proxy.merge(request, answer, batch) } -> std::same_as<merged>;
      { proxy.sync(batch) } -> std::same_as<task<>>;
    };

/// True if the proxy declares `static constexpr bool tells_all = true`. A proxy that declares
/// `tells_all` promises that `sync` either throws, or calls `answered_early` or `failed` for each
/// request.
template <class Proxy>
inline constexpr bool tells_all = requires { requires Proxy::tells_all; };

/// A proxy whose requests and answers can be sent in messages. Requests are sent to the master, the
/// PE that holds the state of the structure.
template <class Proxy>
concept served_proxy = combining_proxy<Proxy> && message::bitwise_copyable<Proxy> &&
                       message::bitwise_copyable<typename Proxy::request> &&
                       message::bitwise_copyable<typename Proxy::answer>;

/// Requests of one PE that will be committed together, with the proxy into which they were merged.
template <class Proxy>
struct batch {
  Proxy proxy;
  std::vector<pending_of<Proxy>> waiting;
  /// Number of the leader, the task chosen to commit the batch; 0 if no task is chosen yet.
  std::uint64_t leader = 0;
  /// Gates of asynchronous requests, which count missing answers. Consecutive requests of one scope
  /// share one gate.
  std::deque<gate> asynchronous;
  /// memory for answers that no task reads: the answers of asynchronous requests
  typename Proxy::answer unwanted{};

  explicit batch(const Proxy& first) : proxy(first) {}

  /// Returns the gate for an asynchronous request for which `scope` waits.
  gate& gate_of(message::activity& scope, site where) {
    if (asynchronous.empty() || asynchronous.back().scope != &scope)
      asynchronous.emplace_back(0, where).scope = &scope;
    return asynchronous.back();
  }

  /// Empties a committed batch, so that the batch can be used again.
  void clear(const Proxy& first) {
    proxy = first;
    waiting.clear();
    asynchronous.clear();
    leader = 0;
  }
};

}  // namespace atl::combine
