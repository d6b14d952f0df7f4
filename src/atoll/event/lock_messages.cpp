#include "atoll/event/lock_messages.hpp"

#include "atoll/event/lock_table.hpp"

#include <vector>

namespace atl::events {
namespace {

using message::traffic;

struct lock_ask_message {
  std::uint64_t of;
  waiting_pe who;

  void operator()() const { lock_table::here().asked(name::from_word(of), who); }
};

/// The payload is the PEs that wait.
struct ownership_message {
  std::uint64_t of;
  std::uint64_t made;

  void operator()(std::span<const std::byte> payload) const {
    std::vector<waiting_pe> waiting(payload.size() / sizeof(waiting_pe));
    std::memcpy(waiting.data(), payload.data(), payload.size());
    lock_table::here().given(name::from_word(of), made, waiting);
  }
};

struct lone_ownership_message {
  std::uint64_t of;
  std::uint64_t made;

  void operator()() const { lock_table::here().given(name::from_word(of), made, {}); }
};

struct lease_message {
  std::uint64_t of;
  std::uint64_t made;
  std::uint32_t mode;

  void operator()() const {
    lock_table::here().lent(name::from_word(of), made, mode, this_pe().messages->source());
  }
};

struct return_message {
  std::uint64_t of;
  std::uint32_t more;

  void operator()() const { lock_table::here().returned(name::from_word(of), more); }
};

// Bytes of messages that go at once. Chains of events are as fast as their messages: PEs that
// answer only when they have nothing else to do take turns at being idle (4.5 M grants/s in place
// of 20).
constexpr std::size_t k_soon = 1024;

template <class Message>
void send(int to, const Message& told) {
  this_pe().messages->send<traffic::owed>(to, told, {});
  this_pe().messages->flush_from(k_soon, to);
}

}  // namespace

void send_ask(int to, name of, const waiting_pe& who) {
  send(to, lock_ask_message{of.word(), who});
}

void send_ownership(int to, name of, std::uint64_t made, std::span<const waiting_pe> waiting) {
  if (waiting.empty()) return send(to, lone_ownership_message{of.word(), made});
  this_pe().messages->send_with<traffic::owed>(to, ownership_message{of.word(), made},
                                               std::as_bytes(waiting), {});
}

std::size_t most_in_ownership() {
  return this_pe().messages->payload_capacity<ownership_message>() / sizeof(waiting_pe);
}

void send_lease(int to, name of, std::uint64_t made, std::uint32_t mode) {
  send(to, lease_message{of.word(), made, mode});
}

void send_return(int owner, name of, std::uint32_t more) {
  send(owner, return_message{of.word(), more});
}

}  // namespace atl::events
