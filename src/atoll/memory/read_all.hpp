#pragma once
// Reads of several objects under way at once: their task waits once, not once for each.

#include "atoll/memory/delegates.hpp"

namespace atl {
namespace memory {

/// The slot of answers that one task waits for together; the context is the place of one.
template <class T>
struct answers_together : waiting_task {
  using type = T;

  T* into = nullptr;
  std::size_t missing = 0;

  static void arrived(pending_answers::receiver at, const T& value) {
    auto& all = *static_cast<answers_together*>(at.slot);
    all.into[at.context] = value;
    all.one_came();
  }
  static void failed(pending_answers::receiver at, std::exception_ptr why) {
    auto& all = *static_cast<answers_together*>(at.slot);
    all.fail(std::move(why));
    all.one_came();
  }

 private:
  void one_came() {
    if (--missing == 0) go_on();
  }
};

/// Awaitable: copies objects of any PEs to places of the task's PE.
template <class T>
class [[nodiscard]] read_all_awaiter {
 public:
  read_all_awaiter(std::span<const global_address<T>> from, T* into, site where)
      : from_(from), where_(where) {
    answers_.into = into;
  }

  bool await_ready() const noexcept { return from_.empty(); }

  template <tasks::task_promise Promise>
  void await_suspend(std::coroutine_handle<Promise> suspended) {
    suspended.promise().waiting_at = where_;
    answers_.waiter = &suspended.promise();
    ask_for_all();
    if (answers_.missing > 0) return timed_.begin();
    fetches_ = true;
    this_pe().tasks->ready_when_fetched(suspended.promise());
  }

  void await_resume() {
    timed_.end();
    if (fetches_) this_pe().tasks->fetched();
    answers_.check();
    for (std::size_t i = 0; i < from_.size(); ++i) {
      if (from_[i].is_local()) read_here(i);
    }
  }

 private:
  static constexpr std::size_t k_most_prefetched = 32;  // own lines that overlap

  // What has been asked for comes, also where the next one cannot be asked for.
  void ask_for_all() {
    try {
      for (std::size_t i = 0; i < from_.size(); ++i) ask_for(i);
    } catch (const transport::job_ended&) {
      throw;
    } catch (...) {
      answers_.fail(std::current_exception());
    }
  }

  void ask_for(std::size_t i) {
    const int owner = owner_of(from_[i], where_);
    if (owner == my_pe()) {
      if (i < k_most_prefetched) reader().prefetch(object_at<T>(from_[i].offset()));
      return;
    }
    ask<traffic::untracked, answers_together<T>>(
        owner, {&answers_, i}, on_object<T, reader>{from_[i].offset(), {}}, where_);
    ++answers_.missing;
  }

  void read_here(std::size_t i) {
    ++this_pe().counters->lines_touched;
    answers_.into[i] = object_at<T>(from_[i].offset());
  }

  std::span<const global_address<T>> from_;
  site where_;
  answers_together<T> answers_;
  timed_wait timed_;
  bool fetches_ = false;  // and waits for nothing else
};

}  // namespace memory

/// Reads objects of any PEs into `into`, one for each address; all are under way at once, each is
/// read at some time of the call, and those of this PE at its end. Lets other tasks run, unless
/// there are none to read. `from` and `into` must live until it returns; where it throws, `into` is
/// set in part. Throws atl::error: input for an address of no PE, out_of_memory, overflow. Awaited
/// by a task.
template <class T>
auto read_all(std::span<const global_address<T>> from, T* into, site where = site::current()) {
  return memory::read_all_awaiter<T>(from, into, where);
}

}  // namespace atl
