#pragma once
// A batch collects requests of the tasks of one PE. One commit then executes all requests of the
// batch together.

#include "atoll/combine/gate.hpp"

#include <concepts>
#include <deque>
#include <memory>
#include <span>
#include <vector>

namespace atl::combine {

/// The result of merging a request into the proxy of a batch. A proxy is the object that describes
/// a combined structure.
enum class merged : std::uint8_t {
  waits,         ///< the next commit will answer the request
  answered,      ///< the request is answered at once
  answered_both  ///< this request and the previous one in the batch are both answered at once
};

/// A request that waits for a commit, with the address for its answer.
template <class Request, class Answer>
struct pending {
  Request request;
  Answer* answer;
  gate* at;  ///< counts the missing answers; null if the request is answered already

  /// Marks the request as answered before the commit ends. The answer stays valid even if the
  /// commit fails later.
  void answered_early() { std::exchange(at, nullptr)->one_answered(); }

  /// Marks the request as failed with `reason`. Other requests of the commit are not affected. Does
  /// nothing if the request was answered early.
  void failed(const std::exception_ptr& reason) {
    if (at != nullptr) std::exchange(at, nullptr)->one_failed(reason);
  }
};

/// Returns the line that called the first request of the batch without an answer. A hang report
/// shows the commit at this line.
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
/// The function `merge(request, answer, before)` accepts a request and must not wait. `before` has
/// the waiting requests of the same batch, oldest first. The coroutine `sync(batch)` commits the
/// waiting requests for the whole job and stores their answers. An exception from `sync` fails all
/// requests of the batch that were not answered early. If single steps of a commit can fail, `sync`
/// calls `answered_early` or `failed` for each request. Every batch starts with a new copy of the
/// structure's first proxy.
template <class Proxy>
concept combining_proxy =
    std::copyable<Proxy> && std::copyable<typename Proxy::request> &&
    requires(Proxy proxy, const typename Proxy::request& request, typename Proxy::answer& answer,
             std::span<pending_of<Proxy>> batch) {
      { proxy.merge(request, answer, batch) } -> std::same_as<merged>;
      { proxy.sync(batch) } -> std::same_as<task<>>;
    };

/// True if the proxy declares `static constexpr bool tells_all = true`. The proxy then promises
/// that `sync` calls `answered_early` or `failed` for each request, except if `sync` throws.
template <class Proxy>
inline constexpr bool tells_all = requires { requires Proxy::tells_all; };

/// A proxy whose requests can be sent to the master, the PE that holds the state of the structure.
template <class Proxy>
concept served_proxy = combining_proxy<Proxy> && message::bitwise_copyable<Proxy> &&
                       message::bitwise_copyable<typename Proxy::request> &&
                       message::bitwise_copyable<typename Proxy::answer>;

/// Requests that will be committed together, and the proxy into which they were merged.
template <class Proxy>
struct batch {
  Proxy proxy;
  std::vector<pending_of<Proxy>> waiting;
  /// Number of the task chosen to commit the batch; 0 if none is chosen yet.
  std::uint64_t leader = 0;
  /// Gates of asynchronous requests; consecutive requests of the same scope share one gate.
  std::deque<gate> asynchronous;
  typename Proxy::answer unwanted{};  ///< memory for answers that nobody reads

  explicit batch(const Proxy& first) : proxy(first) {}

  /// Returns the gate for an asynchronous request that `scope` waits for.
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
