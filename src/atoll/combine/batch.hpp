#pragma once
// A batch holds the requests that gather on a PE until one commit executes them together.

#include "atoll/combine/gate.hpp"

#include <concepts>
#include <deque>
#include <memory>
#include <span>
#include <vector>

namespace atl::combine {

/// Result of merging a request into a proxy.
enum class merged : std::uint8_t {
  waits,         ///< the next commit will answer the request
  answered,      ///< the request is answered at once
  answered_both  ///< the request and the one merged last before it are both answered at once
};

/// A request that waits for a commit, and the place of its answer.
template <class Request, class Answer>
struct pending {
  Request request;
  Answer* answer;
  gate* at;  ///< null: the request is answered already

  /// Marks the request as answered before the commit ends. The answer stays valid if the commit
  /// fails.
  void answered_early() { std::exchange(at, nullptr)->one_answered(); }

  /// Marks the request as failed with `reason`, whatever becomes of the other requests of its
  /// commit. Does nothing if the request was answered early.
  void failed(const std::exception_ptr& reason) {
    if (at != nullptr) std::exchange(at, nullptr)->one_failed(reason);
  }
};

/// Returns the place where the first open request of the batch was called. A hang report shows the
/// commit at this place.
template <class Pending>
site site_of(std::span<Pending> batch) {
  for (const auto& one : batch)
    if (one.at != nullptr) return one.at->where;
  return {};
}

template <class Proxy>
using pending_of = pending<typename Proxy::request, typename Proxy::answer>;

/// Defines what a structure must provide to be used by flat combining.
///
/// The function `merge(request, answer, before)` takes a request in and must not wait; `before` has
/// the waiting requests of the same batch, oldest first. The coroutine `sync(batch)` commits the
/// waiting requests for the whole job and stores their answers. An exception from `sync` fails all
/// requests of the batch that were not answered early. A commit of several steps that can fail one
/// by one calls `answered_early` or `failed` for each request. Every batch starts with a new copy
/// of the structure's first proxy.
template <class Proxy>
concept combining_proxy =
    std::copyable<Proxy> && std::copyable<typename Proxy::request> &&
    requires(Proxy proxy, const typename Proxy::request& request, typename Proxy::answer& answer,
             std::span<pending_of<Proxy>> batch) {
      { proxy.merge(request, answer, batch) } -> std::same_as<merged>;
      { proxy.sync(batch) } -> std::same_as<task<>>;
    };

/// True if the proxy declares `static constexpr bool tells_all = true`. Every commit that does not
/// fail as a whole then calls `answered_early` or `failed` for each request.
template <class Proxy>
inline constexpr bool tells_all = requires { requires Proxy::tells_all; };

/// A proxy whose requests can be sent to the master.
template <class Proxy>
concept served_proxy =
    combining_proxy<Proxy> && message::travels<Proxy> &&
    message::travels<typename Proxy::request> && message::travels<typename Proxy::answer>;

/// Requests that will be committed together, with the proxy that they were merged into.
template <class Proxy>
struct batch {
  Proxy proxy;
  std::vector<pending_of<Proxy>> waiting;
  std::uint64_t leader = 0;           ///< number of the leader that will commit the batch; 0: none
                                      ///< yet
  std::deque<gate> asynchronous;      ///< gates of asynchronous requests: one per run of requests
                                      ///< of the same scope
  typename Proxy::answer unwanted{};  ///< place for answers that nobody reads

  explicit batch(const Proxy& first) : proxy(first) {}

  /// Returns the gate of an asynchronous request that `scope` counts.
  gate& gate_of(message::activity& scope, site where) {
    if (asynchronous.empty() || asynchronous.back().scope != &scope)
      asynchronous.emplace_back(0, where).scope = &scope;
    return asynchronous.back();
  }

  /// Resets a committed batch for its next use.
  void clear(const Proxy& first) {
    proxy = first;
    waiting.clear();
    asynchronous.clear();
    leader = 0;
  }
};

}  // namespace atl::combine
