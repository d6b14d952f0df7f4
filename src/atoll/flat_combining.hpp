#pragma once
// The handle of a data structure whose operations are combined; tasks of any PE use it.

#include "atoll/combine/server.hpp"

namespace atl {
namespace combine {

/// Awaitable: merges a request into the current batch and suspends the task until the request is
/// answered.
template <served_proxy Proxy, bool Answers>
class [[nodiscard]] combined_request {
 public:
  using answer = typename Proxy::answer;

  combined_request(server<Proxy>& on, const typename Proxy::request& wanted, site where)
      : at_(1, where), wanted_(wanted), on_(on) {}

  bool await_ready() { return on_.combines_here() && on_.own().merge(wanted_, answer_, at_); }

  template <tasks::task_promise Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> suspended) {
    suspended.promise().waiting_at = at_.where;
    at_.waiting = &suspended.promise();
    if (!on_.combines_here()) {
      on_.forward_one(wanted_, answer_, at_, at_.where);
      return std::noop_coroutine();
    }
    return on_.own().lead_if_offered(at_);
  }

  auto await_resume() {
    at_.check();
    if constexpr (Answers) return answer_;
  }

 private:
  // Thousands of these objects lie in frames: they are small, and the members that a wake-up
  // touches come first.
  gate at_;
  typename Proxy::request wanted_;
  answer answer_{};
  server<Proxy>& on_;
};

}  // namespace combine

/// A structure of all PEs whose operations are requests to proxies (combine/batch.hpp says what a
/// proxy defines). An operation returns when it is committed, so operations are linearizable if the
/// commits of the proxy are. The handle is a small trivially copyable value to capture and send.
template <combine::served_proxy Proxy>
class flat_combining {
 public:
  using request = typename Proxy::request;

  /// Makes the structure for all PEs. One task calls it and waits. Every batch begins with a copy
  /// of `first`.
  static task<flat_combining> make(Proxy first, combining_options options = {},
                                   site where = site::current()) {
    flat_combining made;
    made.servers_ = co_await per_pe<combine::server<Proxy>>::make(where);
    const auto open = [all = made.servers_, first, options] { all->open(all, first, options); };
    co_await on_all_pes(open, where);
    co_return made;
  }

  /// Performs a request and returns its answer. Awaited by a task of any PE, which is suspended
  /// until the request is committed. Throws the failure of the commit.
  auto perform(const request& wanted, site where = site::current()) const {
    return combine::combined_request<Proxy, true>(*servers_.operator->(), wanted, where);
  }

  /// Performs a request without returning its answer. Awaited by a task of any PE, which is
  /// suspended until the request is committed. Throws the failure of the commit.
  auto do_only(const request& wanted, site where = site::current()) const {
    return combine::combined_request<Proxy, false>(*servers_.operator->(), wanted, where);
  }

  /// Starts a request and returns at once. The request is committed when the enclosing scope ends,
  /// which gets its failure. Tasks and handlers may call it. A task that calls it in a long loop
  /// should `yield` now and then, so that requests are committed meanwhile.
  void async(const request& wanted, site where = site::current()) const {
    message::activity& scope = this_pe().messages->enclosing();
    servers_->own().merge_async(wanted, scope, where);
  }

  /// Returns the part of the structure that this PE keeps.
  combine::server<Proxy>& local() const { return servers_.local(); }

  /// Returns the counts of all PEs since the structure was made. One task calls it and waits.
  task<combining_statistics> statistics(site where = site::current()) const {
    combining_statistics all;
    for (int pe = 0; pe < pes(); ++pe) {
      const auto of_pe = [servers = servers_] { return servers->statistics(); };
      all.add(co_await call(pe, of_pe, where));
    }
    co_return all;
  }

  /// Destroys the structure on all PEs. One task calls it, once, while no operation is in progress,
  /// and waits.
  task<> destroy(site where = site::current()) const { co_await servers_.destroy(where); }

 private:
  per_pe<combine::server<Proxy>> servers_;
};

}  // namespace atl
