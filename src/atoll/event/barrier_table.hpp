#pragma once
// All phase barriers of one PE, and what it has to do with those of others. Called by its own PE
// only.

#include "atoll/base/charged.hpp"
#include "atoll/event/awaited_phases.hpp"
#include "atoll/event/barrier_state.hpp"
#include "atoll/event/barrier_step.hpp"
#include "atoll/event/gathered_arrivals.hpp"
#include "atoll/event/table.hpp"

#include <memory>
#include <unordered_map>
#include <vector>

namespace atl::events {

class barrier_table {
 public:
  explicit barrier_table(pe& self);
  barrier_table(const barrier_table&) = delete;
  barrier_table& operator=(const barrier_table&) = delete;
  ~barrier_table() { keep_names_for_later_jobs(); }

  /// That of this PE, made when it is first asked for.
  static barrier_table& here() {
    barrier_table* const found = table::here().barriers;
    return found != nullptr ? *found : make_here();
  }

  name make(std::int64_t expected, value_folding folding, site where);

  // What handles of this PE do.
  void arrive(const barrier_step& arrival, std::span<const std::byte> value,
              const fold_function& fold);
  void arrive_failed(const barrier_step& arrival, const event_fault& fault);
  stamp alter(const barrier_step& alteration);
  void destroy(const barrier_step& destruction);
  event completion(name barrier, std::uint64_t phase, site where);

  /// Of a barrier of this PE; empty: the phase has not completed. Throws atl::error (input) where
  /// it is not kept any more.
  std::optional<std::span<const std::byte>> value_of(name barrier, std::uint64_t phase, site where);

  // What messages of other PEs do.
  void take(const barrier_step& step, step_load load, int source);
  void asked(name barrier, std::uint64_t phase, int pe, site where);
  void told(name barrier, std::uint64_t phase, const event_fault* fault);

 private:
  struct slot {
    std::uint32_t generation = 1;
    std::unique_ptr<barrier_state> state;  ///< null: it is free
    site made;
    site destroyed;
  };
  /// A step that has come before an increase that it follows.
  struct held_step {
    barrier_step step;
    std::vector<std::byte> value;
    std::optional<event_fault> fault;
  };

  static barrier_table& make_here();
  void tell_who_waits(std::vector<observe::finding>& into) const;
  barrier_state* look(name barrier);
  barrier_state& find(name barrier, site where);
  void count(const barrier_step& step, step_load load);
  void count_held();
  charged_deque<held_step> take_countable();
  void destroy_own(const barrier_step& destruction);
  void tell(int pe, name barrier, std::uint64_t phase, const event_fault* fault);
  void send_gathered();
  void check_job(name barrier, site where) const {
    if (barrier.is_of_other_job_than(first_generation_)) [[unlikely]]
      refuse_ended_job(barrier, where);
  }
  void keep_names_for_later_jobs() const noexcept;
  [[noreturn]] void refuse_ended_job(name barrier, site where) const;
  [[noreturn]] void refuse(name barrier, site where) const;

  pe& self_;
  std::uint32_t first_generation_;
  charged_vector<slot> slots_;  ///< the first is nobody's
  charged_deque<std::uint32_t> free_;
  increases_seen seen_;
  charged_deque<held_step> held_;
  std::unordered_map<int, std::uint64_t> increases_sent_;  ///< how many, by PE
  gathered_arrivals gathered_;
  awaited_phases awaited_;
};

}  // namespace atl::events
