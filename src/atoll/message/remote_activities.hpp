#pragma once
// The remote activities of one PE (activity.hpp), and the section of the buffer in delivery that
// belongs to one: the messages behind one scope marker (outgoing.hpp).

#include "atoll/message/activity.hpp"
#include "atoll/message/reused.hpp"

#include <cstdint>

namespace atl::message {

class remote_activities {
 public:
  /// Outside of sections messages belong to `unscoped`. `on_idle` is called when what the messages
  /// of a section have set off ends after the section.
  remote_activities(activity& unscoped, void (*on_idle)(activity&), memory_account& account);

  /// What follows belongs to this activity of PE `origin`.
  void open_section(int origin, std::uint64_t origin_activity);

  /// Ends the section, if one is open. Returns its remote activity if that is done already, else
  /// null.
  remote_activity* close_section();

  /// Of the section that is open.
  remote_activity& section() { return *open_; }

  /// Counts messages of the section as executed.
  void count_executed(std::uint64_t tracked_messages) { executed_ += tracked_messages; }

  /// For activity_context: what handlers of the section send or spawn belongs to it.
  activity** slot() { return &current_; }

  /// May be used for another section. It has to be done.
  void release(remote_activity& done);

 private:
  activity& unscoped_;
  void (*on_idle_)(activity&);
  activity* current_;
  remote_activity* open_ = nullptr;    ///< of the section, if there is one
  std::uint64_t executed_ = 0;         ///< ever
  std::uint64_t executed_before_ = 0;  ///< when the section began
  reused<remote_activity> all_;
};

}  // namespace atl::message
