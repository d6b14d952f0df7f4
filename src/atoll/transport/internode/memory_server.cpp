#include "atoll/transport/internode/memory_server.hpp"

#include "atoll/error.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace atl::transport::internode {
namespace {

constexpr std::size_t posted_requests = 16;

template <class Record>
Record read(std::span<const std::byte> from) {
  Record record;
  std::memcpy(&record, from.data(), sizeof record);
  return record;
}

/// Copies bytes to the memory of this PE. An aligned word of 4 or 8 bytes is stored atomically,
/// because a task of the PE may read the word at the same time.
void store(std::byte* to, const std::byte* from, std::size_t bytes) {
  const auto place = reinterpret_cast<std::uintptr_t>(to);
  if (bytes == 8 && place % 8 == 0) {
    std::atomic_ref(*reinterpret_cast<std::uint64_t*>(to))
        .store(read<std::uint64_t>({from, bytes}), std::memory_order_release);
  } else if (bytes == 4 && place % 4 == 0) {
    std::atomic_ref(*reinterpret_cast<std::uint32_t*>(to))
        .store(read<std::uint32_t>({from, bytes}), std::memory_order_release);
  } else if (bytes != 0) {
    std::memcpy(to, from, bytes);
  }
}

}  // namespace

memory_server::memory_server(message_layer& layer, std::span<std::byte> segment,
                             std::span<std::byte> exposed)
    : layer_(layer),
      segment_(segment),
      exposed_(exposed),
      requests_(layer, request_tag, std::min(posted_requests, layer.most_receives()),
                record_message_bytes),
      answers_(layer, answer_tag, record_message_bytes),
      sources_(static_cast<std::size_t>(layer.size())) {}

bool memory_server::serve() {
  bool any = false;
  for (; requests_.look().data != nullptr; requests_.pass()) {
    any = true;
    ++requests_received_;
    const delivery& arrived = requests_.look();
    const std::span<const std::byte> records(arrived.data, arrived.bytes);
    auto& kept = of(arrived.source).kept;
    const std::size_t done = kept.empty() ? execute(arrived.source, records) : 0;
    const auto rest = records.subspan(done);
    if (!rest.empty()) kept.emplace_back(rest.begin(), rest.end());
  }
  any |= take_all_data();
  answers_.send_all([](int) {});
  is_done();
  return any;
}

bool memory_server::is_done() {
  const bool all_sent = forget_complete(layer_, sending_);
  return answers_.reap() && all_sent;
}

/// Executes the records of a message in order, and stops at a fence that must wait for large data.
/// Returns the size in bytes of the executed records.
std::size_t memory_server::execute(int from, std::span<const std::byte> records) {
  std::size_t at = 0;
  while (at < records.size()) {
    const auto rest = records.subspan(at);
    const auto head = read<request>(rest);
    const bool waits = head.kind == request_kind::fence || head.kind == request_kind::flush;
    if (waits && !may_pass_fence(from)) break;
    at += execute_one(from, head, rest);
  }
  return at;
}

std::byte* memory_server::place_of(const request& head) const {
  const bool beside = head.offset >= exposed_offset;
  const std::span<std::byte> memory = beside ? exposed_ : segment_;
  const std::uint64_t within = head.offset - (beside ? exposed_offset : 0);
  ATOLL_ASSERT(within <= memory.size() && head.bytes <= memory.size() - within,
               "one-sided access is within the memory that is exposed");
  return memory.data() + within;
}

/// Returns true if the request has no large data and a task of another PE may wait for the request.
bool memory_server::is_short(const request& head, std::span<const std::byte> record) {
  switch (head.kind) {
  case request_kind::large_put:
  case request_kind::large_get:
  case request_kind::fence:
    return false;
  case request_kind::flush:
    return read<numbered_request>(record).number == static_cast<std::uint64_t>(flush_is::awaited);
  default:
    return true;
  }
}

/// Executes one record and returns its length in bytes.
std::size_t memory_server::execute_one(int from, const request& head,
                                       std::span<const std::byte> record) {
  std::byte* const place = place_of(head);
  if (is_short(head, record)) ++small_requests_;
  switch (head.kind) {
  case request_kind::put:
    store(place, record.data() + sizeof head, head.bytes);
    return sizeof head + round_up(std::size_t{head.bytes}, record_unit);
  case request_kind::large_put:
    receive_data(from, head);
    break;
  case request_kind::large_get:
    send_data(from, head);
    break;
  case request_kind::fence:
    break;
  case request_kind::get:
  case request_kind::flush: {
    const auto asked = read<numbered_request>(record);
    answer_with(from, asked.number, {place, head.bytes}, head.kind == request_kind::flush);
    return sizeof asked;
  }
  case request_kind::update:
    update(from, read<update_request>(record));
    return sizeof(update_request);
  }
  return sizeof head;
}

void memory_server::receive_data(int from, const request& head) {
  source& sender = of(from);
  if (!std::exchange(sender.is_listed, true)) receiving_from_.push_back(from);
  layer_.start_receive(place_of(head), static_cast<int>(head.bytes), from, put_data_tag,
                       sender.receiving.emplace_back());
}

void memory_server::send_data(int to, const request& head) {
  layer_.start_send(place_of(head), static_cast<int>(head.bytes), to, got_data_tag,
                    sending_.emplace_back());
  ++data_sent_;
}

void memory_server::update(int from, const update_request& asked) {
  const atomic_operation what{asked.head.change, asked.head.word_bytes, asked.operand,
                              asked.expected};
  const std::uint64_t before = apply_atomic(what, place_of(asked.head));
  if (asked.head.wants_value)
    answer_with(from, asked.number, std::as_bytes(std::span(&before, 1)), false);
}

void memory_server::answer_with(int to, std::uint64_t number, std::span<const std::byte> data,
                                bool is_flush) {
  const answer head{number, static_cast<std::uint32_t>(data.size()), is_flush};
  answers_.append(to, head, data, [] {});
}

/// Processes data of large puts that has arrived from any rank, and executes the requests that
/// waited for the data. The executed requests may start further receives. Returns true if data had
/// arrived.
bool memory_server::take_all_data() {
  bool any = false;
  for (const int from : std::exchange(receiving_from_, {})) {
    const std::uint64_t before = received();
    of(from).is_listed = !take_data(from);
    if (of(from).is_listed) receiving_from_.push_back(from);
    any |= received() != before;
  }
  return any;
}

/// Processes data of large puts that has arrived from the rank `from`. Returns true if no more data
/// of large puts from this rank is in flight.
bool memory_server::take_data(int from) {
  source& sender = of(from);
  while (!sender.receiving.empty()) {
    if (!layer_.test(sender.receiving.front(), nullptr, nullptr)) return false;
    sender.receiving.pop_front();
    ++data_received_;
    if (sender.receiving.empty()) go_on(from);
  }
  return true;
}

/// Executes requests of the rank `from` that have waited behind a fence, up to the next fence that
/// must wait.
void memory_server::go_on(int from) {
  auto& kept = of(from).kept;
  while (!kept.empty()) {
    std::vector<std::byte> records = std::move(kept.front());
    kept.pop_front();
    const std::size_t done = execute(from, records);
    if (done == records.size()) continue;
    kept.emplace_front(records.begin() + static_cast<std::ptrdiff_t>(done), records.end());
    return;
  }
}

}  // namespace atl::transport::internode
