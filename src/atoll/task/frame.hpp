#pragma once
// What every coroutine of a task has in common, at a fixed place of its frame, so that the
// scheduler resumes it without knowing its type.

#include "atoll/base/pe.hpp"
#include "atoll/base/site.hpp"
#include "atoll/message/activity.hpp"

#include <concepts>
#include <coroutine>
#include <cstddef>

namespace atoll::tasks {

struct root;

/// Base of all promises. A task is one root frame and the frames of the coroutines it awaits.
struct frame {
  std::coroutine_handle<> continuation;
  root* owner = nullptr;
  /// Where it waits, set by every awaitable when it suspends.
  site waiting_at;

  void resume() { std::coroutine_handle<frame>::from_promise(*this).resume(); }

  static void* operator new(std::size_t bytes);
  static void operator delete(void* memory, std::size_t bytes) noexcept;
};

/// The first frame of a task: what the whole task has.
struct root : frame {
  /// What the task itself, and all it starts, counts in.
  message::activity* scope = nullptr;
  site spawned_at;
};

template <class Promise>
concept task_promise = std::derived_from<Promise, frame>;

}  // namespace atoll::tasks
