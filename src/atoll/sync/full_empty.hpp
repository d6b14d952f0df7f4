#pragma once

#include "atoll/sync/waiting_tasks.hpp"

#include <optional>

namespace atl {

/// A value that is there or not (the full/empty bit of the Cray XMT): who reads waits until it is
/// there, who writes until it is not. First come, first served, readers and writers each among
/// themselves. Zeroed memory is empty.
template <class T>
class full_empty {
  static_assert(std::is_trivially_copyable_v<T>, "what travels must be trivially copyable");

  struct reader : sync::waiter {
    T value{};
    bool takes = false;
  };
  struct writer : sync::waiter {
    T value;
    explicit writer(const T& given) : value(given) {}
  };

  struct read_awaiter {
    full_empty& from;
    site where;
    reader reading{};

    bool await_ready() {
      if (!from.full_) return false;
      from.serve(reading);
      from.settle();
      return true;
    }
    template <tasks::task_promise Promise>
    void await_suspend(std::coroutine_handle<Promise> suspended) {
      from.readers_.suspend(reading, suspended, where);
    }
    T await_resume() {
      reading.resumed();
      return reading.value;
    }
  };

  struct write_awaiter {
    full_empty& to;
    site where;
    writer writing;

    bool await_ready() {
      if (to.full_) return false;
      to.fill(writing.value);
      to.settle();
      return true;
    }
    template <tasks::task_promise Promise>
    void await_suspend(std::coroutine_handle<Promise> suspended) {
      to.writers_.suspend(writing, suspended, where);
    }
    void await_resume() { writing.resumed(); }
  };

 public:
  full_empty() = default;
  explicit full_empty(const T& value) : value_(value), full_(true) {}

  /// Waits until the value is there, and leaves it.
  auto read_full(site where = site::current()) { return reading(false, where); }

  /// Waits until the value is there, and takes it away.
  auto take(site where = site::current()) { return reading(true, where); }

  /// Waits until there is no value, and stores this one.
  auto put(const T& value, site where = site::current()) {
    return write_awaiter{*this, where, writer(value)};
  }

  bool is_full() const { return full_; }

 private:
  read_awaiter reading(bool takes, site where) {
    read_awaiter made{*this, where};
    made.reading.takes = takes;
    return made;
  }

  void fill(const T& value) {
    value_ = value;
    full_ = true;
  }

  void serve(reader& reading) {
    reading.value = value_;
    if (reading.takes) full_ = false;
  }

  /// Serves all readers and writers that need not wait any more.
  void settle() {
    while (true) {
      if (full_ && !readers_.empty()) {
        serve(static_cast<reader&>(readers_.wake_first()));
      } else if (!full_ && !writers_.empty()) {
        fill(static_cast<writer&>(writers_.wake_first()).value);
      } else {
        return;
      }
    }
  }

  T value_{};
  bool full_ = false;
  sync::waiting_tasks readers_;
  sync::waiting_tasks writers_;
};

/// As the members, for a value that any PE may own.
template <class T>
auto read_full(global_address<full_empty<T>> at, site where = site::current()) {
  const auto reading = [](full_empty<T>& from, site place) -> task<T> {
    co_return co_await from.read_full(place);
  };
  return sync::wait_at(at, reading, where);
}

template <class T>
auto take(global_address<full_empty<T>> at, site where = site::current()) {
  const auto taking = [](full_empty<T>& from, site place) -> task<T> {
    co_return co_await from.take(place);
  };
  return sync::wait_at(at, taking, where);
}

template <class T>
auto put(global_address<full_empty<T>> at, std::type_identity_t<T> value,
         site where = site::current()) {
  const auto putting = [value](full_empty<T>& to, site place) -> task<> {
    co_await to.put(value, place);
  };
  return sync::wait_at(at, putting, where);
}

}  // namespace atl
