#include "atoll/message/bins.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/message/words.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <span>
#include <utility>

namespace atl::message {
namespace {

// A bin that gets few messages would else keep them as long as others fill.
constexpr transport::nanoseconds k_most_patience = 64;

}  // namespace

bool bins::begin(const new_run& opened, std::size_t pes, unsigned log2_stretches) {
  if (memory_ == nullptr) memory_.reset(new (std::nothrow) memory);
  if (memory_ == nullptr) return false;
  count_ = static_cast<int>(pes << log2_stretches);
  log2_stretches_ = log2_stretches;
  memory_->table.front() = {nullptr, nullptr};
  for (int number = 0; number < count_; ++number) {
    std::byte* const first = first_of(number);
    now()[number] = {first, first + k_bytes / opened.slot * opened.slot};
  }
  std::ranges::copy(opened.common, memory_->common.data());
  run_ = opened;
  run_.common = std::span(memory_->common).first(opened.common.size());
  begun_at_ = looked_at_ = transport_.now();
  got_full_ = false;
  if (run_.scope != nullptr) run_.scope->begin();
  return true;
}

void bins::make_room(int number, site where) {
  where_ = where;
  got_full_ = true;
  move(number, run_, where);
}

void bins::move(int number, const new_run& as, site where) {
  bin& from = now()[number];
  std::byte* const first = first_of(number);
  if (from.cursor == first) return;
  outgoing& out = aggregator_.to(number >> log2_stretches_);
  ATOLL_ASSERT(out.is_direct(), "a hop does not know what messages have in common");
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

void bins::empty() {
  if (are_empty()) return;
  new_run rest = run_;
  rest.kind = traffic::owed;
  for (int number = 0; number < count_; ++number) {
    move(number, rest, where_);
    now()[number].limit = first_of(number);
  }
  run_.key = 0;
  if (run_.scope != nullptr) run_.scope->end();
}

std::uint64_t bins::waiting() const {
  if (are_empty()) return 0;
  std::size_t bytes = 0;
  for (int number = 0; number < count_; ++number)
    bytes += bytes_between(first_of(number), now()[number].cursor);
  return bytes / run_.slot;
}

void bins::empty_if_old(transport::nanoseconds time) {
  if (are_empty() || time - looked_at_ <= patience_) return;
  looked_at_ = time;
  const bool fill = std::exchange(got_full_, false);
  if (!fill || time - begun_at_ > k_most_patience * patience_) empty();
}

}  // namespace atl::message
