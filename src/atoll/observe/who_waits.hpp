#pragma once
// Hang report: where the tasks of each PE wait, and the text made from all answers. PEs are asked
// when a job hangs, or on request.
//
// A layer with something to report registers a section with its PE
// (`transport::endpoint::sections`).

#include "atoll/base/site.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace atl::observe {

/// The kinds of findings, in the order in which they are printed.
enum class fact : std::uint32_t {
  waits,       ///< `count` tasks wait at `where`
  lacks_room,  ///< `count` tasks at `where` wait until messages of their PE have room
  ready,       ///< tasks are ready to continue at `where`; unknown: to begin
  runs,        ///< tasks run now
  not_begun,   ///< stealable tasks that no worker has begun
  held,       ///< what `count` tasks wait for at `where` is held since `spawned`; the PEs: held_pes
  waits_for,  ///< task `count` waits at `where` for what task `number` holds since `spawned`
  entered,    ///< a task is in the collective `number`, called at `where`
  collectives,  ///< the PE has entered `number` collectives so far
  event,        ///< the event `number`, which others wait for, was made at `where`
  waits_event,  ///< `count` tasks wait at `where` for the event `number`
  follows,      ///< the event `count` waits for the event `number`
  reservation,  ///< `number`, made at `where`, is held on this PE; acquired at `spawned`
  requests,     ///< the event `count` waits for the reservation `number`
  releases,     ///< the reservation `number` is released with the event `count`
  program       ///< the program beside the scheduler is in the call that `place` names
};

struct finding {
  fact what;
  site where{};
  site spawned{};  ///< where the tasks were spawned, or the holder acquired what they wait for
  std::uint64_t count = 1;
  std::uint64_t number = 0;
  std::string place{};   ///< replaces `where` in another program, where a site has no meaning
  std::string origin{};  ///< replaces `spawned` in another program

  /// Returns "bfs.hpp:88"; empty if the place is unknown.
  std::string place_text() const { return where.known() ? to_string(where) : place; }
  std::string origin_text() const { return spawned.known() ? to_string(spawned) : origin; }
};

/// Returns the place as text, or "nowhere" if it is unknown.
inline std::string place_or_nowhere(const finding& one) {
  const std::string known = one.place_text();
  return known.empty() ? to_string(site()) : known;
}
inline std::string origin_or_nowhere(const finding& one) {
  const std::string known = one.origin_text();
  return known.empty() ? to_string(site()) : known;
}

/// The PEs of a `held`, as one number: the PE of the holding task, and that of the waiting ones.
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

/// Identifies a task of the job while it exists: its PE, and an address there that no other task
/// has.
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

/// The task that holds something others wait for, and the line where it acquired it. A holder is in
/// global memory, so it is trivially copyable. The line is valid only on the owner of that memory.
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

/// A task that waits for something held. This object is in the task's frame, or in that of a task
/// waiting for it.
struct held_wait {
  site where;
  task_name waiting;
  const holder* held_by = nullptr;
  held_wait* previous = nullptr;
  held_wait* next = nullptr;
};

/// Tasks of one PE that wait for something held. Adding and removing take a few instructions.
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

/// The sections of one PE, in the order in which they were added. Used by that PE only.
class report_sections {
 public:
  /// A section appends its findings. It is called within `poll` and `wait` of the transport; it may
  /// allocate, and must not send or wait.
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
  std::uint64_t left_out = 0;  ///< findings without room in the answer
};

/// Returns ascending numbers such as "0-2, 5", after "PE " or "PEs ".
std::string pe_list(std::span<const int> pes);

/// Returns a line per place where tasks wait for an event. Below it there is a line per event that
/// this one waits for in turn.
std::string event_lines(std::span<const pe_answer> answers);

/// Returns a line per group of tasks that wait at equal places, on whatever PEs, largest group
/// first. Further lines name the PEs for which others wait in a collective. Lines are indented and
/// end with a newline.
std::string who_waits_text(std::span<const pe_answer> answers);

}  // namespace atl::observe
