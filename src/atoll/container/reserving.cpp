#include "atoll/container/reserving.hpp"

#include "atoll/combine/server.hpp"
#include "atoll/container/cells.hpp"
#include "atoll/error.hpp"

#include <algorithm>
#include <array>

namespace atl::container {
namespace {

/// Largest number of messages that a relay may have in flight to the master. With a larger limit,
/// requests that could share a message would be sent separately.
constexpr std::uint64_t k_most_under_way = 2;
constexpr std::size_t k_most_together = 64;  // largest number of requests in one message

/// The header of a reservation in an answer of the master. The stretches of cells of the
/// reservation follow the header.
struct made_for {
  std::uint64_t slot_word;
  std::int32_t pe;
  std::uint32_t popped;
  std::uint32_t push_stretches;
  std::uint32_t stretches;
};

reservation_slot& slot_at(std::uint64_t word) { return *reinterpret_cast<reservation_slot*>(word); }

/// Tells a PE that the reservation for its commit was granted. The payload of the message consists
/// of the reserved stretches of cells.
struct granted {
  made_for head;

  void operator()(std::span<const std::byte> payload) const {
    auto& slot = slot_at(head.slot_word);
    slot.made.stretches.resize(head.stretches);  // the memory is already allocated
    slot.made.popped = head.popped;
    slot.made.push_stretches = head.push_stretches;
    if (!payload.empty()) std::memcpy(slot.made.stretches.data(), payload.data(), payload.size());
    slot.asked.one_answered();
  }
};

/// Tells a PE that the reservation for its commit has failed. The payload of the message is the
/// text of the error.
struct refused {
  std::uint64_t slot_word;

  void operator()(std::span<const std::byte> text) const {
    slot_at(slot_word).asked.one_failed(carried_failure(
        errc::out_of_memory, {reinterpret_cast<const char*>(text.data()), text.size()}));
  }
};

/// Sends a message and flushes the send buffer at once, because many tasks may wait for the commit
/// that needs the message.
template <class Message>
void send_at_once(int pe, const Message& message, std::span<const std::byte> payload) {
  if (pe == my_pe()) return message(payload);
  message::engine& messages = *this_pe().messages;
  messages.send_with<message::traffic::owed>(pe, message, payload, site::current());
  messages.flush(pe);
}

/// A message with answers of the master to a relay. For each reservation, the payload has a
/// `made_for` header and the stretches of cells.
struct answers_of_master {
  per_pe<cell_part> parts;

  void operator()(std::span<const std::byte> payload) const { parts->asks->answered(payload); }
};

void append(std::vector<std::byte>& to, std::span<const std::byte> bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

void refuse(const asked_cells& wanted, const std::exception_ptr& failure) {
  const std::string text = describe(failure);
  const auto fits = std::min(text.size(), this_pe().messages->payload_capacity<refused>());
  send_at_once(wanted.pe, refused{wanted.slot_word}, std::as_bytes(std::span(text).first(fits)));
}

/// Reserves cells for `wanted` and appends the answer to `answers`. The vector `answers` must
/// already have enough memory, because nothing may fail after the reservation.
void reserve_for(ledger& master, const asked_cells& wanted, std::vector<std::byte>& answers) {
  const reservation made = master.reserve(wanted.pushes, wanted.pops);
  const made_for head{wanted.slot_word, wanted.pe, made.popped, made.push_stretches,
                      static_cast<std::uint32_t>(made.stretches.size())};
  append(answers, std::as_bytes(std::span(&head, 1)));
  append(answers, std::as_bytes(std::span(made.stretches)));
}

/// A message from a relay to the master. The payload is one or more `asked_cells`.
struct asked_of_master {
  per_pe<cell_part> parts;

  void operator()(std::span<const std::byte> payload) const {
    message::engine& messages = *this_pe().messages;
    const int asker = messages.source();
    std::vector<std::byte> answers;
    for (; !payload.empty(); payload = payload.subspan(sizeof(asked_cells))) {
      asked_cells wanted;
      std::memcpy(&wanted, payload.data(), sizeof wanted);
      try {
        answers.reserve(messages.payload_capacity<answers_of_master>());
        reserve_for(*parts->master, wanted, answers);
      } catch (const transport::job_ended&) {
        throw;
      } catch (...) {
        refuse(wanted, std::current_exception());
      }
    }
    send_at_once(asker, answers_of_master{parts}, answers);
  }
};

struct asked_of_relay {
  per_pe<cell_part> parts;
  asked_cells wanted;

  void operator()() const { parts->asks->ask(wanted); }
};

std::size_t bytes_of_answer(const asked_cells& wanted, cell_geometry geometry) {
  return sizeof(made_for) + most_stretches(wanted.pushes, wanted.pops, geometry) * sizeof(stretch);
}

}  // namespace

std::uint32_t most_in_one_answer(cell_geometry geometry) {
  const auto room = this_pe().messages->payload_capacity<answers_of_master>() - sizeof(made_for);
  return static_cast<std::uint32_t>((room / sizeof(stretch) - 4) * geometry.block_cells);
}

int relay_of_this_pe() {
  const auto nodes = this_pe().transport->nodes();
  const auto mine = static_cast<std::size_t>(my_pe());
  if (nodes.empty() || nodes[mine] == nodes[combine::k_master]) return my_pe();
  return static_cast<int>(std::ranges::find(nodes, nodes[mine]) - nodes.begin());
}

void ask_by(int relay, per_pe<cell_part> parts, const asked_cells& wanted, site where) {
  if (relay == my_pe()) return parts->asks->ask(wanted);
  message::engine& messages = *this_pe().messages;
  messages.send<message::traffic::untracked>(relay, asked_of_relay{parts, wanted}, where);
  messages.flush(relay);
}

void relay::ask(const asked_cells& wanted) {
  waiting_.push_back(wanted);
  if (under_way_ < k_most_under_way) send();
}

/// Sends one message with waiting requests to the master. The function adds requests until the
/// message is full, or until the answers to the requests would fill one message.
void relay::send() {
  std::array<asked_cells, k_most_together> sent;
  std::size_t count = 0;
  std::size_t room = this_pe().messages->payload_capacity<answers_of_master>();
  for (; !waiting_.empty() && count < sent.size(); ++count) {
    const std::size_t bytes = bytes_of_answer(waiting_.front(), geometry_);
    if (bytes > room) break;
    room -= bytes;
    sent[count] = waiting_.front();
    waiting_.pop_front();
  }
  ++under_way_;
  send_at_once(combine::k_master, asked_of_master{parts_},
               std::as_bytes(std::span(sent).first(count)));
}

void relay::answered(std::span<const std::byte> answers) {
  --under_way_;
  while (!answers.empty()) {
    made_for head;
    std::memcpy(&head, answers.data(), sizeof head);
    const std::size_t bytes = std::size_t{head.stretches} * sizeof(stretch);
    send_at_once(head.pe, granted{head}, answers.subspan(sizeof head, bytes));
    answers = answers.subspan(sizeof head + bytes);
  }
  if (!waiting_.empty()) send();
}

}  // namespace atl::container
