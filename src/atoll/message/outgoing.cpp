#include "atoll/message/outgoing.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/message/words.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace atl::message {
namespace {

constexpr std::ptrdiff_t k_short_run = 128;  // bytes
constexpr int k_short_runs_of_a_mixture = 8;
constexpr std::size_t k_chunk_bytes = 256;

std::uint64_t units_behind(const std::byte* header, const std::byte* end) {
  return static_cast<std::uint64_t>(end - header) / k_unit - 1;
}

void add_length(std::byte* header, const std::byte* end) {
  store_word(header, load_word(header) | units_behind(header, end));
}

/// The first unit behind a run that begins with `header` and ends at `cursor`.
std::byte* next_unit(std::byte* header, const std::byte* cursor) {
  return header + round_up(bytes_between(header, cursor), k_unit);
}

std::uint64_t scope_marker_of(const activity* scope) {
  return word_of_address(reinterpret_cast<std::uintptr_t>(scope));
}

}  // namespace

void outgoing::open(std::byte* buffer, std::size_t capacity) {
  buffer_ = cursor = limit = buffer;
  end_ = buffer + capacity;
}

bool outgoing::begin(run_function kind, handler_name name, activity* tracked_by,
                     std::size_t bytes) {
  if (!mixing_) {
    if (run != kind && header_ != nullptr && cursor - header_ < k_short_run) ++short_runs_;
    end_run_at_end();
    if (short_runs_ != k_short_runs_of_a_mixture) {
      return begin_at_end(kind, name, tracked_by, bytes);
    }
    start_mixing();
  }
  return begin_chunk(kind, name, tracked_by, bytes);
}

std::byte* outgoing::write_headers(std::byte* at, handler_name name, activity* tracked_by) {
  if (tracked_by != nullptr && marked_ != tracked_by) {
    store_word(at, scope_marker_of(tracked_by));
    at += k_unit;
    marked_ = tracked_by;
  }
  store_word(at, name << k_name_shift);
  return at;
}

bool outgoing::begin_at_end(run_function kind, handler_name name, activity* tracked_by,
                            std::size_t bytes) {
  if (bytes_between(cursor, end_) < bytes + k_run_overhead) return false;
  header_ = write_headers(cursor, name, tracked_by);
  cursor = header_ + k_unit;
  limit = end_;
  run = kind;
  scope = tracked_by;
  return true;
}

std::byte* outgoing::reserve(std::size_t bytes) {
  if (bytes_between(tail(), end_) < bytes) return nullptr;
  if (!mixing_) end_run_at_end();
  marked_ = nullptr;
  return std::exchange(tail(), tail() + bytes);
}

bool outgoing::shorten(const std::byte* room_end, std::byte* end) {
  if (tail() != room_end) return false;
  tail() = end;
  return true;
}

void outgoing::end_run_at_end() {
  if (header_ != nullptr) {
    cursor = next_unit(header_, cursor);
    add_length(header_, cursor);
  }
  header_ = nullptr;
  run = nullptr;
}

void outgoing::start_mixing() {
  if (chunks_ == nullptr) chunks_ = std::make_unique<std::array<chunk, 8>>();
  mixing_ = true;
  tail_ = cursor;
}

/// Ends all chunks. What follows is a run at the end again.
void outgoing::stop_mixing() {
  for (auto& each : *chunks_) end_chunk(each);
  active_ = nullptr;
  mixing_ = false;
  cursor = tail_;
}

bool outgoing::begin_chunk(run_function kind, handler_name name, activity* tracked_by,
                           std::size_t bytes) {
  leave_chunk();
  chunk* const mine = find_chunk(kind);
  if (mine == nullptr) {  // more kinds than chunks
    stop_mixing();
    return begin_at_end(kind, name, tracked_by, bytes);
  }
  if (bytes_between(tail_, end_) < bytes + k_run_overhead) return false;
  end_chunk(*mine);
  std::byte* const header = write_headers(tail_, name, tracked_by);
  const std::size_t most = bytes_between(header, end_);
  tail_ = header + std::min(most, std::max(k_chunk_bytes, bytes + k_unit));
  *mine = {kind, tracked_by, header, header + k_unit, tail_};
  enter(*mine);
  return true;
}

void outgoing::end_chunk(chunk& ended) {
  if (ended.run == nullptr) return;
  ended.cursor = next_unit(ended.header, ended.cursor);
  add_length(ended.header, ended.cursor);
  if (ended.cursor != ended.limit) {
    store_word(ended.cursor, k_padding << k_name_shift | units_behind(ended.cursor, ended.limit));
  }
  ended.run = nullptr;
}

std::uint32_t outgoing::close() {
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
