#include "atoll/observe/status_board.hpp"

#include "atoll/random.hpp"

#include <unistd.h>

namespace atl::observe {
namespace {

constexpr std::int64_t k_period = 100'000'000;
constexpr std::int64_t k_period_before_wait = 1'000'000;

}  // namespace

std::uint64_t board_layout() {
  std::uint64_t value = hash(sizeof(board_slot));
  for (const auto& entry : counter_table())
    for (const char c : entry.name) value = hash(value ^ static_cast<unsigned char>(c));
  return value;
}

status_board::status_board(int pes, bool time_is_virtual)
    : memory_(k_board_name,
              sizeof(board_header) + static_cast<std::size_t>(pes) * sizeof(board_slot)) {
  header().pes = static_cast<std::uint64_t>(pes);
  header().time_is_virtual = time_is_virtual ? 1 : 0;
  header().layout = board_layout();
}

status_board::~status_board() { header().ended = 1; }

board_slot& status_board::slot(int pe) const {
  return reinterpret_cast<board_slot*>(memory_.data() + sizeof(board_header))[pe];
}

status_writer::status_writer(board_slot& slot) : slot_(&slot), next_(0), next_before_wait_(0) {
  slot.process = static_cast<std::uint64_t>(getpid());
}

void status_writer::write(std::int64_t now, std::uint64_t ready_tasks, std::uint64_t active_tasks,
                          const counters& counted) {
  // The values are stored with release order, so that a reader that sees a new value also sees the
  // odd version.
  constexpr auto released = std::memory_order_release;
  const std::uint64_t version = slot_->version.load(std::memory_order_relaxed);
  slot_->version.store(version + 1, std::memory_order_relaxed);
  slot_->time.store(now, released);
  slot_->ready_tasks.store(ready_tasks, released);
  slot_->active_tasks.store(active_tasks, released);
  std::size_t i = 0;
  for (const auto& entry : counter_table())
    slot_->counted[i++].store(counted.*entry.member, released);
  slot_->version.store(version + 2, released);
  next_ = now + k_period;
  next_before_wait_ = now + k_period_before_wait;
}

}  // namespace atl::observe
