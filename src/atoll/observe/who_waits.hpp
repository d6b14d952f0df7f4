#pragma once
// The hang report says where the tasks of each PE wait and for what. When a job hangs, or on
// request, every PE answers with a list of findings. A finding is one fact about the PE, for
// example that three tasks wait at a source line. The functions below write the hang report from
// the answers of all PEs.
//
// Each layer of the runtime may contribute to the answer of its PE. A layer registers a section,
// which is a function that appends findings (`transport::endpoint::sections`).

#include "atoll/base/site.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace atl::observe {

/// The kinds of findings, in the order in which the report prints them. A finding refers to an
/// event, a task or a reservation by its name, which is a number. In a finding `held`, `number`
/// contains two PEs (`held_pes`): the PE of the task that holds the object, and the PE of the
/// waiting tasks.
enum class fact : std::uint32_t {
  waits,       ///< `count` tasks wait at `where`
  lacks_room,  ///< `count` tasks wait at `where` until their PE has room to send messages
  ready,       ///< `count` tasks are ready to continue at `where`, or to begin
  runs,        ///< `count` tasks run now
  not_begun,   ///< `count` stealable tasks have not begun
  held,        ///< `count` tasks wait at `where` for an object that was acquired at `spawned`
  /// One task waits at `where` for an object that another task holds. The field `count` contains
  /// the name of the waiting task, and `number` contains the name of the holder.
  waits_for,
  entered,      ///< a task is in the collective number `number`, which it called at `where`
  collectives,  ///< the PE has entered `number` collectives so far
  event,        ///< the event `number` was made at `where`, and something waits for it
  waits_event,  ///< `count` tasks wait at `where` for the event `number`
  /// One event waits for another. The field `count` contains the name of the waiting event, and
  /// `number` contains the name of the awaited event.
  follows,
  /// This PE acquired the reservation `number` at `spawned`. The reservation was made at `where`.
  reservation,
  /// An operation waits for a reservation. The field `count` contains the name of the operation's
  /// event, and `number` contains the name of the reservation.
  requests,
  /// An operation will release a reservation. The field `count` contains the name of the
  /// operation's event, and `number` contains the name of the reservation.
  releases,
  program  ///< the program itself is inside the library call that `place` names
};

struct finding {
  fact what;
  site where{};
  /// Place where the tasks were spawned. For the kinds `held`, `waits_for` and `reservation`, the
  /// place where the object or reservation was acquired.
  site spawned{};
  std::uint64_t count = 1;
  std::uint64_t number = 0;
  /// Text of `where`. A reader in another program needs the text, because a site has no meaning in
  /// that program.
  std::string place{};
  std::string origin{};  ///< text of `spawned`, for a reader in another program

  /// Returns the text of the place, such as "bfs.hpp:88", or an empty text if the place is unknown.
  std::string place_text() const { return where.known() ? to_string(where) : place; }
  std::string origin_text() const { return spawned.known() ? to_string(spawned) : origin; }
};

/// Returns the text of the place, or "nowhere" if the place is unknown.
inline std::string place_or_nowhere(const finding& one) {
  const std::string known = one.place_text();
  return known.empty() ? to_string(site()) : known;
}
inline std::string origin_or_nowhere(const finding& one) {
  const std::string known = one.origin_text();
  return known.empty() ? to_string(site()) : known;
}

/// The PEs of a finding `held`, packed into one number. The task that holds an object is on the PE
/// `holder`, and the tasks that wait for the object are on the PE `waiting`.
struct held_pes {
  int holder = 0;
  int waiting = 0;

  std::uint64_t word() const {
    return static_cast<std::uint64_t>(waiting) << 32 | static_cast<std::uint32_t>(holder);
  }
  static held_pes from_word(std::uint64_t word) {
    return {static_cast<int>(word & 0xffff'ffff), static_cast<int>(word >> 32)};
  }
};

/// Identifies a task of the job as long as the task exists. The name contains the PE of the task,
/// and an address that no other task of this PE has.
class task_name {
 public:
  constexpr task_name() = default;
  task_name(int pe, const void* task)
      : word_(static_cast<std::uint64_t>(pe) << k_address_bits |
              (reinterpret_cast<std::uintptr_t>(task) &
               ((std::uint64_t{1} << k_address_bits) - 1))) {}

  int pe() const { return static_cast<int>(word_ >> k_address_bits); }
  std::uint64_t word() const { return word_; }
  static task_name from_word(std::uint64_t word) {
    task_name known;
    known.word_ = word;
    return known;
  }

 private:
  static constexpr int k_address_bits = 48;

  std::uint64_t word_ = 0;
};

/// Describes the task that holds an object, and the source line where the task acquired the object.
/// The description is stored in global memory, so the class is trivially copyable. Only the PE that
/// owns the global memory can read the line, because the line is stored as a pointer.
class holder {
 public:
  constexpr holder() = default;
  holder(site since, task_name by) : by_(by), since_(since.word()) {}

  site since() const { return since_ != 0 ? site::from_word(since_) : site(); }
  task_name by() const { return by_; }

 private:
  task_name by_;
  std::uint64_t since_ = 0;
};

/// Describes a task that waits for an object that another task holds. The `held_wait` objects of a
/// PE form a list. A `held_wait` is a part of the awaitable object that `mutex::lock` returns. The
/// awaitable object is stored in the frame of the coroutine that called `mutex::lock`. Usually, the
/// coroutine that called `mutex::lock` also awaits the returned object.
struct held_wait {
  site where;
  task_name waiting;
  const holder* held_by = nullptr;
  held_wait* previous = nullptr;
  held_wait* next = nullptr;
};

/// The list of the tasks of a PE that wait for an object that another task holds. Adding or
/// removing a task takes a few instructions.
class held_waits {
 public:
  held_waits() { ends_.previous = ends_.next = &ends_; }
  held_waits(const held_waits&) = delete;
  held_waits& operator=(const held_waits&) = delete;

  void add(held_wait& waiting) {
    waiting.previous = ends_.previous;
    waiting.next = &ends_;
    waiting.previous->next = waiting.next->previous = &waiting;
  }
  static void remove(held_wait& waiting) {
    waiting.previous->next = waiting.next;
    waiting.next->previous = waiting.previous;
  }
  void tell(std::vector<finding>& into) const;

 private:
  held_wait ends_;
};

/// The sections of the hang report that the layers of one PE have registered. Only the PE that owns
/// the object may use it.
class report_sections {
 public:
  /// A section appends findings to its argument. The transport calls sections within `poll` and
  /// `wait`. A section may allocate memory, but must not send messages or wait.
  using section = std::function<void(std::vector<finding>&)>;

  void add(section asked) { sections_.push_back(std::move(asked)); }
  held_waits& held() { return held_; }
  std::vector<finding> collect() const;

 private:
  std::vector<section> sections_;
  held_waits held_;
};

struct pe_answer {
  int pe = 0;
  std::vector<finding> findings;
  std::uint64_t left_out = 0;  ///< number of findings that did not fit into the answer
};

/// Returns a text such as "PE 3" or "PEs 0-2, 5". `pes` must be in ascending order.
std::string pe_list(std::span<const int> pes);

/// Returns a line for each group of tasks that wait at the same place for an event. If the event
/// waits for another event, further lines describe that event, and so on.
std::string event_lines(std::span<const pe_answer> answers);

/// Returns the text of the hang report. Tasks that wait at the same place form one line, even if
/// they are on different PEs. Within each kind of finding, larger groups come first. Further lines
/// name held objects, deadlocks, events, and PEs that have not entered a collective. Each line is
/// indented and ends with a newline.
std::string who_waits_text(std::span<const pe_answer> answers);

}  // namespace atl::observe
