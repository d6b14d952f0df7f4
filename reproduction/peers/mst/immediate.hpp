#pragma once
// Coroutines that never suspend. The kernel awaits its communication. If the communication consists
// of coroutines that never suspend, the kernel also works with libraries whose calls block, such as
// MPI.

#include <chrono>
#include <coroutine>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace bench::mst {

template <class T>
class immediate;

namespace detail {

/// The common base of promises with and without a value.
template <class T>
struct promise_basis {
  immediate<T> get_return_object();
  std::suspend_never initial_suspend() const noexcept { return {}; }
  std::suspend_always final_suspend() const noexcept { return {}; }
  void unhandled_exception() { problem = std::current_exception(); }

  std::exception_ptr problem;
};

template <class T>
struct promise : promise_basis<T> {
  template <class Value>
  void return_value(Value&& value) {
    result.emplace(std::forward<Value>(value));
  }
  T take() { return std::move(*result); }

  std::optional<T> result;
};

template <>
struct promise<void> : promise_basis<void> {
  void return_void() const {}
  void take() const {}
};

}  // namespace detail

/// The result of a coroutine that runs to its end within the call. `co_await` and `get` return the
/// coroutine's value, or rethrow its exception. Call either `co_await` or `get`, and only once.
template <class T = void>
class immediate {
 public:
  using promise_type = detail::promise<T>;

  explicit immediate(std::coroutine_handle<promise_type> done) : done_(done) {}
  immediate(immediate&& other) noexcept : done_(std::exchange(other.done_, nullptr)) {}
  immediate& operator=(immediate&&) = delete;
  ~immediate() {
    if (done_) done_.destroy();
  }

  T get() {
    if (done_.promise().problem) std::rethrow_exception(done_.promise().problem);
    return done_.promise().take();
  }

  bool await_ready() const noexcept { return true; }
  void await_suspend(std::coroutine_handle<>) const noexcept {}
  T await_resume() { return get(); }

 private:
  std::coroutine_handle<promise_type> done_;
};

template <class T>
immediate<T> detail::promise_basis<T>::get_return_object() {
  auto& self = static_cast<promise<T>&>(*this);
  return immediate<T>(std::coroutine_handle<promise<T>>::from_promise(self));
}

/// The common base of exchanges over blocking libraries.
struct blocking_basis {
  template <class T>
  using task = immediate<T>;

  /// Returns the time of a monotonic clock in seconds.
  static double now() {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(since).count();
  }
};

}  // namespace bench::mst
