#include "atoll/message/send_buffer.hpp"

#include "atoll/base/bits.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace atl::message {
namespace {

constexpr std::ptrdiff_t k_short_run = 128;  // bytes
constexpr std::uint8_t k_short_runs_of_a_mixture = 8;
constexpr std::size_t k_chunk_bytes = 256;

std::uint64_t units_behind(const std::byte* header, const std::byte* end) {
  return static_cast<std::uint64_t>(end - header) / k_unit - 1;
}

void add_length(std::byte* header, const std::byte* end) {
  store_word(header, load_word(header) | units_behind(header, end));
}

/// Returns the address of the first unit (8 bytes) behind a run of messages. The header of the run
/// is at `header`, and its messages end at `cursor`.
std::byte* next_unit(std::byte* header, const std::byte* cursor) {
  return header + round_up(bytes_between(header, cursor), k_unit);
}

/// Adds one unfinished part to the activity of `opened`, for the whole run (a sequence of messages
/// for the same function). If the messages of the run are counted one by one, the run itself is not
/// counted.
void begin_part(const new_run& opened) {
  if (opened.slot != 0 && opened.scope != nullptr) opened.scope->begin();
}

std::uint64_t scope_marker_of(const activity* scope) {
  return word_of_address(reinterpret_cast<std::uintptr_t>(scope));
}

}  // namespace

void send_buffer::open(std::byte* buffer, std::size_t capacity) {
  buffer_ = cursor = limit = buffer;
  end_ = buffer + capacity;
}

bool send_buffer::begin(const new_run& opened, handler_name name) {
  if (!mixing_) {
    const bool was_short =
        run != opened.key && header_ != nullptr && cursor - counted_.first(header_) < k_short_run;
    if (was_short && short_runs_ <= k_short_runs_of_a_mixture) ++short_runs_;
    end_run_at_end();
    if (short_runs_ != k_short_runs_of_a_mixture) {
      return begin_at_end(opened, name);
    }
    start_mixing();
  }
  return begin_chunk(opened, name);
}

std::int64_t send_buffer::counting::messages(const std::byte* header, const std::byte* end) const {
  constexpr std::uint32_t half_unit = k_unit / 2;
  const auto bytes = static_cast<std::uint32_t>(end - first(header));
  return bytes / (half_units * half_unit);
}

// Counts the messages of a run that ends. The activity of a run has already counted the run as one
// part, so the function adds the number of messages minus one.
void send_buffer::count(const counting& how, activity* tracked_by, const std::byte* header,
                        const std::byte* end) {
  if (how.half_units == 0) return;
  const std::int64_t messages = how.messages(header, end);
  if (tracked_by != nullptr) tracked_by->begin(messages - 1);
  if (how.created) created += static_cast<std::uint64_t>(messages);
}

std::uint64_t send_buffer::all_created() const {
  std::uint64_t all = created;
  const auto add = [&all](const counting& how, const std::byte* header, const std::byte* end) {
    if (how.half_units != 0 && how.created)
      all += static_cast<std::uint64_t>(how.messages(header, end));
  };
  if (!mixing_ && header_ != nullptr) add(counted_, header_, cursor);
  if (!mixing_) return all;
  for (const chunk& each : *chunks_)
    if (each.run != 0) add(each.counted, each.header, &each == active_ ? cursor : each.cursor);
  return all;
}

std::byte* send_buffer::write_headers(std::byte* at, const new_run& opened, handler_name name) {
  if (opened.scope != nullptr && marked_ != opened.scope) {
    store_word(at, scope_marker_of(opened.scope));
    at += k_unit;
    marked_ = opened.scope;
  }
  store_word(at, name << k_name_shift);
  std::ranges::copy(opened.common, at + k_unit);
  return at;
}

bool send_buffer::begin_at_end(const new_run& opened, handler_name name) {
  if (bytes_between(cursor, end_) < opened.all_bytes() + k_run_overhead) return false;
  header_ = write_headers(cursor, opened, name);
  cursor = header_ + k_unit + opened.common.size();
  limit = end_;
  run = opened.key;
  scope = opened.scope;
  counted_ = counting(opened);
  begin_part(opened);
  return true;
}

std::byte* send_buffer::reserve(std::size_t bytes) {
  if (bytes_between(tail(), end_) < bytes) return nullptr;
  if (!mixing_) end_run_at_end();
  marked_ = nullptr;
  return std::exchange(tail(), tail() + bytes);
}

bool send_buffer::shorten(const std::byte* room_end, std::byte* end) {
  if (tail() != room_end) return false;
  tail() = end;
  return true;
}

void send_buffer::end_run_at_end() {
  if (header_ != nullptr) {
    count(counted_, scope, header_, cursor);
    cursor = next_unit(header_, cursor);
    add_length(header_, cursor);
  }
  header_ = nullptr;
  run = 0;
}

void send_buffer::start_mixing() {
  if (chunks_ == nullptr) chunks_ = std::make_unique<std::array<chunk, 8>>();
  mixing_ = true;
  tail_ = cursor;
}

/// Ends all chunks. The next run of messages will be opened at the end of the buffer, outside of
/// chunks (parts for one kind of message).
void send_buffer::stop_mixing() {
  for (auto& each : *chunks_) end_chunk(each);
  active_ = nullptr;
  mixing_ = false;
  cursor = tail_;
}

bool send_buffer::begin_chunk(const new_run& opened, handler_name name) {
  leave_chunk();
  chunk* const mine = find_chunk(opened.key);
  if (mine == nullptr) {  // all chunks belong to other kinds of messages
    stop_mixing();
    return begin_at_end(opened, name);
  }
  if (bytes_between(tail_, end_) < opened.all_bytes() + k_run_overhead) return false;
  end_chunk(*mine);
  std::byte* const header = write_headers(tail_, opened, name);
  std::byte* const first = header + k_unit + opened.common.size();
  const std::size_t most = bytes_between(first, end_);
  tail_ = first + std::min(most, std::max(k_chunk_bytes - k_unit, opened.bytes));
  *mine = {opened.key, opened.scope, header, first, tail_, counting(opened)};
  begin_part(opened);
  enter(*mine);
  return true;
}

void send_buffer::end_chunk(chunk& ended) {
  if (ended.run == 0) return;
  count(ended.counted, ended.scope, ended.header, ended.cursor);
  ended.cursor = next_unit(ended.header, ended.cursor);
  add_length(ended.header, ended.cursor);
  if (ended.cursor != ended.limit) {
    store_word(ended.cursor, k_padding << k_name_shift | units_behind(ended.cursor, ended.limit));
  }
  ended.run = 0;
}

std::uint32_t send_buffer::close() {
  if (mixing_) {
    leave_chunk();
    stop_mixing();
  } else {
    end_run_at_end();
  }
  const auto bytes = static_cast<std::uint32_t>(cursor - buffer_);
  buffer_ = end_ = cursor = limit = nullptr;
  scope = marked_ = nullptr;
  short_runs_ = 0;
  has_relayed = false;
  return bytes;
}

}  // namespace atl::message
