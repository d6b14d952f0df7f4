#include "atoll/message/bins.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/message/send_buffer.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <span>
#include <utility>

namespace atl::message {
namespace {

// Messages wait in bins for at most this multiple of `patience_`, the usual waiting time. Without a
// maximum waiting time, messages in a slowly filling bin could wait as long as other bins keep
// becoming full.
constexpr transport::nanoseconds k_most_patience = 64;

}  // namespace

bool bins::claim(const new_run& opened, unsigned log2_stretches, site where) {
  if (memory_ == nullptr) memory_.reset(new (std::nothrow) memory());
  if (memory_ == nullptr) return false;
  // `name_of` throws if the function has no name that other PEs know.
  handlers_.name_of(opened.function);
  count_ = transport_.size() << log2_stretches;
  ATOLL_ASSERT(static_cast<std::size_t>(count_) <= k_most, "more bins than there are");
  log2_stretches_ = log2_stretches;
  std::ranges::copy(opened.common, memory_->common.data());
  run_ = opened;
  run_.common = std::span(memory_->common).first(opened.common.size());
  where_ = where;
  set_room(0);
  return true;
}

void bins::set_room(std::size_t bytes) {
  for (int number = 0; number < count_; ++number)
    now()[number] = {first_of(number), first_of(number) + bytes};
}

void bins::begin() {
  begun_ = true;
  set_room(k_bytes / run_.slot * run_.slot);
  begun_at_ = looked_at_ = transport_.now();
  got_full_ = false;
  if (run_.scope != nullptr) run_.scope->begin();
}

void bins::make_room(int number, site where) {
  where_ = where;
  if (!begun_) return begin();
  got_full_ = true;
  move(number, run_, where);
}

// Moves the messages of a bin to a buffer, beginning with the last message. If opening a new buffer
// throws, the remaining messages are still at the start of the bin, because messages are moved from
// its end.
void bins::move(int number, const new_run& as, site where) {
  bin& from = now()[number];
  std::byte* const first = first_of(number);
  if (from.cursor == first) return;
  send_buffer& out = aggregator_.to(number >> log2_stretches_, where);
  while (from.cursor != first) {
    if (!out.takes<traffic::control>(as.key, nullptr, as.slot))
      aggregator_.begin_run(out, as, where);
    const std::size_t room = bytes_between(out.cursor, out.limit) / as.slot * as.slot;
    const std::size_t bytes = std::min(room, bytes_between(first, from.cursor));
    from.cursor -= bytes;
    std::memcpy(out.cursor, from.cursor, bytes);
    out.cursor += bytes;
  }
}

bool bins::empty() {
  if (begun_) {
    new_run rest = run_;
    rest.kind = traffic::owed;
    for (int number = 0; number < count_; ++number) move(number, rest, where_);
  }
  run_.key = 0;
  if (!std::exchange(begun_, false)) return false;
  set_room(0);
  if (run_.scope != nullptr) {
    ATOLL_ASSERT(run_.scope->pending > 1, "what has gone is a part of the scope");
    run_.scope->end();
  }
  return true;
}

std::uint64_t bins::waiting() const {
  if (!begun_) return 0;
  std::size_t bytes = 0;
  for (int number = 0; number < count_; ++number)
    bytes += bytes_between(first_of(number), now()[number].cursor);
  return bytes / run_.slot;
}

bool bins::empty_if_old() {
  if (!begun_) return empty();
  const auto time = transport_.now();
  if (time - looked_at_ <= patience_) return false;
  looked_at_ = time;
  const bool fill = std::exchange(got_full_, false);
  return (!fill || time - begun_at_ > k_most_patience * patience_) && empty();
}

}  // namespace atl::message
