#pragma once
// The handle of a structure whose operations are combined, for the tasks of any PE.

#include "atoll/combine/server.hpp"

namespace atl {
namespace combine {

/// Awaitable: merges a request, and waits until it is answered.
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
  // Thousands of these lie side by side in frames: small, and what waking touches comes first.
  gate at_;
  typename Proxy::request wanted_;
  answer answer_{};
  server<Proxy>& on_;
};

}  // namespace combine

/// A structure of all PEs whose operations are requests to proxies (combine/batch.hpp says what a
/// proxy defines). Operations return when they are committed, so they are linearizable where the
/// commits of the proxy are. The handle is a small trivially copyable value: capture it, send it.
template <combine::served_proxy Proxy>
class flat_combining {
 public:
  using request = typename Proxy::request;

  /// One task makes it for all PEs. Every batch begins with a copy of `first`.
  static task<flat_combining> make(Proxy first, combining_options options = {},
                                   site where = site::current()) {
    flat_combining made;
    made.servers_ = co_await per_pe<combine::server<Proxy>>::make(where);
    const auto open = [all = made.servers_, first, options] { all->open(all, first, options); };
    co_await on_all_pes(open, where);
    co_return made;
  }

  /// Awaitable: does a request and returns its answer, or throws what the commit failed with.
  auto perform(const request& wanted, site where = site::current()) const {
    return combine::combined_request<Proxy, true>(*servers_.operator->(), wanted, where);
  }

  /// As `perform`, without the answer.
  auto do_only(const request& wanted, site where = site::current()) const {
    return combine::combined_request<Proxy, false>(*servers_.operator->(), wanted, where);
  }

  /// Returns at once; the request is done when the enclosing scope ends, which gets its failure.
  /// Tasks and handlers. In a long loop of its own a task yields now and then, for the requests to
  /// be committed meanwhile.
  void async(const request& wanted, site where = site::current()) const {
    message::activity& scope = this_pe().messages->enclosing();
    servers_->own().merge_async(wanted, scope, where);
  }

  /// What this PE keeps of it.
  combine::server<Proxy>& local() const { return servers_.local(); }

  /// Of all PEs since it was made. One task calls it and waits.
  task<combining_statistics> statistics(site where = site::current()) const {
    combining_statistics all;
    for (int pe = 0; pe < pes(); ++pe) {
      const auto of_pe = [servers = servers_] { return servers->statistics(); };
      all.add(co_await call(pe, of_pe, where));
    }
    co_return all;
  }

  /// One task, once, when no operation is under way.
  task<> destroy(site where = site::current()) const { co_await servers_.destroy(where); }

 private:
  per_pe<combine::server<Proxy>> servers_;
};

}  // namespace atl
