#include "atoll/collectives.hpp"

#include "atoll/memory/one_sided_access.hpp"
#include "atoll/work.hpp"

#include <algorithm>
#include <cstring>

namespace atl::memory {
namespace {

/// A part is the data that one PE sends to another in an exchange. If a part has at least this many
/// bytes, the sender stores the part directly into the receiver's memory. A shorter part is sent in
/// messages, which takes less time than asking the receiver where to store the part.
constexpr std::size_t k_shortest_stored = std::size_t{64} << 10;
/// After this many bytes, the copying of a long part pauses, so that other tasks can run.
constexpr std::size_t k_stored_at_once = std::size_t{8} << 20;

/// Returns the record of the part that PE `source` sends to this PE in the exchange `of`.
incoming_part& part_from(collective& of, int source) {
  of.parts.resize(static_cast<std::size_t>(pes()));
  return of.parts[static_cast<std::size_t>(source)];
}

/// Returns memory of this PE for a part of `bytes` bytes. If the part is long, its memory is
/// charged to the PE's memory limit.
received_bytes room_for(std::uint64_t bytes) {
  if (bytes < k_shortest_stored) return received_bytes(bytes);
  return {this_pe().memory->give_block(bytes), bytes};
}

void count_part(collective& of) {
  ++of.complete_parts;
  wake_waiter(of);
}

/// A message with a piece of a part. Each piece also states the length of the whole part in bytes
/// (`total`). From the length, the receiver knows how much memory to allocate when the first piece
/// arrives.
struct part_piece {
  numbered_call of;
  std::uint64_t total;
  std::uint64_t at;

  void operator()(std::span<const std::byte> piece) const {
    collective& mine = collective_told_of(of);
    incoming_part& part = part_from(mine, this_pe().messages->source());
    if (part.arrived == 0) part.data = room_for(total);
    if (!piece.empty()) std::memcpy(part.data.all().data() + at, piece.data(), piece.size());
    part.arrived += piece.size();
    if (part.arrived == total) count_part(mine);
  }
};

/// The answer to `part_offered`. The answer contains the offset, in the memory of the part's
/// receiver, at which the sender must store the part.
struct part_granted {
  std::uint64_t number;
  std::uint64_t offset;

  void operator()() const {
    collective& mine = collective_of(number);
    mine.granted.push_back({this_pe().messages->source(), offset});
    wake_waiter(mine);
  }
};

/// A message that asks the receiver where the sender may store a part of `total` bytes.
struct part_offered {
  numbered_call of;
  std::uint64_t total;

  void operator()() const {
    auto& messages = *this_pe().messages;
    const auto asker = messages.source();
    received_bytes& data = part_from(collective_told_of(of), asker).data;
    data = room_for(total);
    messages.at_once(asker, [&] {
      messages.send<traffic::control>(asker, part_granted{of.number, data.block().offset()},
                                      site::current());
    });
  }
};

/// A message that tells the receiver that the sender has stored its part completely.
struct part_stored {
  std::uint64_t number;

  void operator()() const { count_part(collective_of(number)); }
};

/// A message by which the root of a gather describes its call to PE 0. If PEs named different
/// roots, each root would wait forever. The message lets PE 0 detect different roots, and end the
/// job.
struct root_told {
  numbered_call of;

  void operator()() const { compare_calls(of); }
};

bool is_stored(int to, std::span<const std::byte> part) {
  return part.size() >= k_shortest_stored && this_pe().transport->directly_mapped(to) != nullptr;
}

task<> copy_in_stretches(std::byte* to, std::span<const std::byte> from, site where) {
  for (std::size_t at = 0; at < from.size(); at += k_stored_at_once) {
    const auto some = from.subspan(at, std::min(k_stored_at_once, from.size() - at));
    copy_bytes(to + at, some.data(), some.size());
    charge(work::byte_copied, some.size());
    if (at + some.size() < from.size()) co_await yield(where);
  }
}

task<> send_pieces(const numbered_call& of, int to, std::span<const std::byte> part, site where) {
  auto& messages = *this_pe().messages;
  const std::size_t most = messages.payload_capacity<part_piece>();
  std::size_t at = 0;
  do {
    const auto piece = part.subspan(at, std::min(most, part.size() - at));
    messages.send_with<traffic::control>(to, part_piece{of, part.size(), at}, piece, where);
    co_await room(where);
    at += piece.size();
  } while (at < part.size());
}

task<> store_part(std::uint64_t number, granted_block to, std::span<const std::byte> part,
                  site where) {
  co_await copy_in_stretches(this_pe().transport->directly_mapped(to.pe) + to.offset, part, where);
  auto& messages = *this_pe().messages;
  messages.at_once(to.pe,
                   [&] { messages.send<traffic::control>(to.pe, part_stored{number}, where); });
}

/// Sends a short part to PE `to` and returns false. For a long part, asks PE `to` where to store
/// the part, and returns true.
task<bool> begin_part(const numbered_call& of, int to, std::span<const std::byte> part,
                      site where) {
  const bool asks = is_stored(to, part);
  if (asks) {
    this_pe().messages->send<traffic::control>(to, part_offered{of, part.size()}, where);
    co_await room(where);
  } else {
    co_await send_pieces(of, to, part, where);
  }
  co_return asks;
}

/// Copies the part that this PE sends to itself. During the copy, the parts for other PEs are in
/// flight.
task<> keep_own_part(std::uint64_t number, received_bytes kept, std::span<const std::byte> part,
                     site where) {
  co_await copy_in_stretches(kept.all().data(), part, where);
  collective& mine = collective_of(number);
  part_from(mine, my_pe()).data = std::move(kept);
  count_part(mine);
}

/// Waits until `ready(of)` is true. The condition is tested after each change of the collective
/// `of`.
template <class Ready>
task<> until(collective& of, Ready ready, site where) {
  while (!ready(of)) co_await collective_awaiter{of, ready, where};
}

/// Stores the long parts into the receivers' memory, in the order in which the receivers answered.
/// `offered` is the number of long parts, for each of which this PE has sent a `part_offered`.
task<> store_offered(std::uint64_t number, std::size_t offered,
                     const std::vector<std::span<const std::byte>>& outgoing, site where) {
  collective& mine = collective_of(number);
  for (std::size_t i = 0; i < offered; ++i) {
    co_await until(mine, [i](collective& c) { return c.granted.size() > i; }, where);
    const granted_block to = mine.granted[i];
    co_await store_part(number, to, outgoing[static_cast<std::size_t>(to.pe)], where);
  }
}

task<std::vector<received_bytes>> await_parts(std::uint64_t number, site where) {
  collective& mine = collective_of(number);
  co_await until(mine, [](collective& c) { return c.complete_parts == pes(); }, where);
  std::vector<received_bytes> incoming;
  for (auto& part : mine.parts) incoming.push_back(std::move(part.data));
  co_return incoming;
}

}  // namespace

task<std::vector<received_bytes>> exchange(const collective_kind& kind,
                                           std::vector<std::span<const std::byte>> outgoing,
                                           site where) {
  const std::span<const std::byte> own = outgoing[static_cast<std::size_t>(my_pe())];
  received_bytes kept = room_for(own.size());
  const numbered_call of = enter_collective(kind, 0, k_every_pe, where);
  const std::uint64_t number = of.number;
  std::size_t offered = 0;
  for (int step = 1; step < pes(); ++step) {
    const int to = (my_pe() + step) % pes();
    if (co_await begin_part(of, to, outgoing[static_cast<std::size_t>(to)], where)) ++offered;
  }
  this_pe().messages->flush();
  co_await keep_own_part(number, std::move(kept), own, where);
  co_await store_offered(number, offered, outgoing, where);
  auto incoming = co_await await_parts(number, where);
  this_pe().collectives->under_way.erase(number);
  co_return incoming;
}

task<std::vector<received_bytes>> gather_at(const collective_kind& kind, int root,
                                            std::span<const std::byte> mine, site where) {
  received_bytes kept = my_pe() == root ? room_for(mine.size()) : received_bytes();
  const numbered_call of = enter_collective(kind, 0, root, where);
  const std::uint64_t number = of.number;
  std::vector<received_bytes> incoming;
  if (my_pe() == root) {
    if (root != 0) this_pe().messages->send<traffic::control>(0, root_told{of}, where);
    this_pe().messages->flush();
    co_await keep_own_part(number, std::move(kept), mine, where);
    incoming = co_await await_parts(number, where);
  } else {
    std::vector<std::span<const std::byte>> outgoing(static_cast<std::size_t>(pes()));
    outgoing[static_cast<std::size_t>(root)] = mine;
    const bool asks = co_await begin_part(of, root, mine, where);
    this_pe().messages->flush();
    co_await store_offered(number, asks ? 1 : 0, outgoing, where);
  }
  this_pe().collectives->under_way.erase(number);
  co_return incoming;
}

}  // namespace atl::memory
