#pragma once
// What a proxy is told of the requests that gather on a PE.

#include "atoll/combine/gate.hpp"

#include <concepts>
#include <deque>
#include <memory>
#include <span>
#include <vector>

namespace atl::combine {

/// What has become of a request that was merged into a proxy.
enum class merged : std::uint8_t {
  waits,         ///< for the next commit
  answered,      ///< at once
  answered_both  ///< at once, and so was the request that was merged last before it
};

/// A request that waits for a commit, and where its answer goes.
template <class Request, class Answer>
struct pending {
  Request request;
  Answer* answer;
  gate* at;  ///< null: answered already

  /// It has its answer before the commit ends, and keeps it should that fail.
  void answered_early() { std::exchange(at, nullptr)->one_answered(); }

  /// It has failed, whatever becomes of the others of its commit. Not where it was answered early.
  void failed(const std::exception_ptr& reason) {
    if (at != nullptr) std::exchange(at, nullptr)->one_failed(reason);
  }
};

/// Where a commit waits, for the report of a hang: at the first of its operations.
template <class Pending>
site site_of(std::span<Pending> batch) {
  for (const auto& one : batch)
    if (one.at != nullptr) return one.at->where;
  return {};
}

template <class Proxy>
using pending_of = pending<typename Proxy::request, typename Proxy::answer>;

/// What a structure defines to be used by flat combining.
///
/// `merge(request, answer, before)` takes a request in, without waiting; `before` has the requests
/// of the same batch that wait, oldest first. `sync(batch)` is a coroutine that commits what waits
/// to the whole job and stores the answers. It may throw: then all requests of the batch that were
/// not answered early fail with that error; a commit in several steps, of which one can fail, says
/// of each request that it was `answered_early` or has `failed`. Every batch has a new copy of the
/// structure's first proxy.
template <class Proxy>
concept combining_proxy =
    std::copyable<Proxy> && std::copyable<typename Proxy::request> &&
    requires(Proxy proxy, const typename Proxy::request& request, typename Proxy::answer& answer,
             std::span<pending_of<Proxy>> batch) {
      { proxy.merge(request, answer, batch) } -> std::same_as<merged>;
      { proxy.sync(batch) } -> std::same_as<task<>>;
    };

/// A commit of it that does not fail as a whole leaves no request without its answer or failure:
/// its proxy has `static constexpr bool tells_all = true`.
template <class Proxy>
inline constexpr bool tells_all = requires { requires Proxy::tells_all; };

/// A proxy whose requests the master may be sent.
template <class Proxy>
concept served_proxy =
    combining_proxy<Proxy> && message::travels<Proxy> &&
    message::travels<typename Proxy::request> && message::travels<typename Proxy::answer>;

/// Requests that will be committed together, and the proxy they were merged into.
template <class Proxy>
struct batch {
  Proxy proxy;
  std::vector<pending_of<Proxy>> waiting;
  std::uint64_t leader = 0;           ///< who is to commit it; 0: nobody yet
  std::deque<gate> asynchronous;      ///< gates of asynchronous requests, one a scope in a row
  typename Proxy::answer unwanted{};  ///< where their answers go

  explicit batch(const Proxy& first) : proxy(first) {}

  /// The gate of an asynchronous request that `scope` counts.
  gate& gate_of(message::activity& scope, site where) {
    if (asynchronous.empty() || asynchronous.back().scope != &scope)
      asynchronous.emplace_back(0, where).scope = &scope;
    return asynchronous.back();
  }

  /// Makes a committed batch as good as new.
  void clear(const Proxy& first) {
    proxy = first;
    waiting.clear();
    asynchronous.clear();
    leader = 0;
  }
};

}  // namespace atl::combine
