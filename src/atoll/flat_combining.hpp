#pragma once
// A data structure whose operations are combined: each PE merges the operations of its tasks into a
// batch, and the batch is committed at once. Tasks of any PE may use the structure.

#include "atoll/combine/server.hpp"

namespace atl {
namespace combine {

/// A request that a task awaits. The request is merged into the current batch, and the task is
/// suspended until the request is answered.
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
  // Thousands of tasks can wait at once, and each frame holds one such object. The object is
  // therefore small, and begins with the members that are read when the task is woken.
  gate at_;
  typename Proxy::request wanted_;
  answer answer_{};
  server<Proxy>& on_;
};

}  // namespace combine

/// A data structure over all PEs whose operations are requests to proxies. A proxy merges the
/// requests of one batch; combine/batch.hpp tells what a proxy must define. An operation returns
/// when its request is committed. If the commits of the proxy are linearizable, the operations are
/// therefore linearizable, too. The object is a small trivially copyable handle, which can be
/// captured and sent.
template <combine::served_proxy Proxy>
class flat_combining {
 public:
  using request = typename Proxy::request;

  /// Makes the structure over all PEs. One task calls this function and waits. Every batch begins
  /// with a copy of `first`.
  static task<flat_combining> make(Proxy first, combining_options options = {},
                                   site where = site::current()) {
    flat_combining made;
    made.servers_ = co_await per_pe<combine::server<Proxy>>::make(where);
    const auto open = [all = made.servers_, first, options] { all->open(all, first, options); };
    co_await on_all_pes(open, where);
    co_return made;
  }

  /// Performs a request and returns its answer. A task of any PE awaits the result, and is
  /// suspended until the request is committed. If the commit fails, its error is thrown.
  auto perform(const request& wanted, site where = site::current()) const {
    return combine::combined_request<Proxy, true>(*servers_.operator->(), wanted, where);
  }

  /// Performs a request without an answer. A task of any PE awaits the call, and is suspended until
  /// the request is committed. If the commit fails, its error is thrown.
  auto do_only(const request& wanted, site where = site::current()) const {
    return combine::combined_request<Proxy, false>(*servers_.operator->(), wanted, where);
  }

  /// Starts a request and returns at once. The request is committed when the enclosing scope ends.
  /// If the commit fails, the scope gets its error. Tasks and handlers may call this function. A
  /// task that calls this function in a long loop should await `yield` from time to time, because
  /// requests are committed while the task is suspended.
  void async(const request& wanted, site where = site::current()) const {
    message::activity& scope = this_pe().messages->enclosing();
    servers_->own().merge_async(wanted, scope, where);
  }

  /// Returns the part of the structure on this PE.
  combine::server<Proxy>& local() const { return servers_.local(); }

  /// Returns statistics of the operations of all PEs since the structure was made. One task calls
  /// this function and waits.
  task<combining_statistics> statistics(site where = site::current()) const {
    combining_statistics all;
    for (int pe = 0; pe < pes(); ++pe) {
      const auto of_pe = [servers = servers_] { return servers->statistics(); };
      all.add(co_await call(pe, of_pe, where));
    }
    co_return all;
  }

  /// Destroys the structure on all PEs. One task calls this function once and waits. No operation
  /// on the structure may be in progress.
  task<> destroy(site where = site::current()) const { co_await servers_.destroy(where); }

 private:
  per_pe<combine::server<Proxy>> servers_;
};

}  // namespace atl
