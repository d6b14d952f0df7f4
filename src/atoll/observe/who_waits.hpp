#pragma once
// Who waits where: what each PE says of its tasks when it is asked, and the text that all answers
// together make. It is asked when a job hangs, or when somebody wants to know.
//
// A layer that knows something registers a section with its PE (`transport::endpoint::sections`).

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
  lacks_room,  ///< they may not go on at `where` before messages of their PE have found room
  ready,       ///< they are ready to go on at `where`; unknown: to begin
  runs,        ///< they run now
  not_begun,   ///< they are stealable and no worker has begun them
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
  site spawned{};  ///< where those tasks were spawned, or the holder took what they wait for
  std::uint64_t count = 1;
  std::uint64_t number = 0;
  std::string place{};   ///< stands for `where` where that means nothing, in another program
  std::string origin{};  ///< stands for `spawned`

  /// "bfs.hpp:88"; empty where it is not known.
  std::string place_text() const { return where.known() ? to_string(where) : place; }
  std::string origin_text() const { return spawned.known() ? to_string(spawned) : origin; }
};

/// The same, or "nowhere".
inline std::string place_or_nowhere(const finding& one) {
  const std::string known = one.place_text();
  return known.empty() ? to_string(site()) : known;
}
inline std::string origin_or_nowhere(const finding& one) {
  const std::string known = one.origin_text();
  return known.empty() ? to_string(site()) : known;
}

/// The PEs of a `held`: of the task that holds it and of those that wait, as one number.
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

/// A task of the job, as long as it lives: its PE, and an address there that no other task has.
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

/// The task that holds what others wait for, and the line where it took that. Lies in global
/// memory, so it is trivially copyable; the line means something on the owner of that memory only.
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

/// A task that waits for what somebody holds. Lies in its frame, or in that of who waits for it.
struct held_wait {
  site where;
  task_name waiting;
  const holder* held_by = nullptr;
  held_wait* previous = nullptr;
  held_wait* next = nullptr;
};

/// The tasks of one PE that wait for such things. Adding and removing take a few instructions.
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

/// The sections of one PE, in the order in which they were added. Its own PE only.
class report_sections {
 public:
  /// Appends what it knows. Called within `poll` and `wait` of the transport; may allocate, and
  /// must not send or wait.
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
  std::uint64_t left_out = 0;  ///< findings that had no place in the answer
};

/// "0-2, 5" of ascending numbers, behind "PE " or "PEs ".
std::string pe_list(std::span<const int> pes);

/// A line for each place where tasks wait for an event, and below it one for each event that this
/// one waits for in turn.
std::string event_lines(std::span<const pe_answer> answers);

/// A line, indented and with its newline, for each group of tasks of equal places, whatever PEs
/// they are on, the largest first, and for each PE that the others wait for in a collective.
std::string who_waits_text(std::span<const pe_answer> answers);

}  // namespace atl::observe
