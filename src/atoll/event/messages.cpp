#include "atoll/event/messages.hpp"

#include "atoll/base/mutants.hpp"
#include "atoll/error.hpp"
#include "atoll/event/table.hpp"
#include "atoll/message/engine.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <span>
#include <string_view>

namespace atl::events {

travelling_fault::travelling_fault(const event_fault& fault)
    : where_(fault.where), pe_(fault.pe), code_(carried_code(fault.failure)) {}

event_fault travelling_fault::arrived(std::span<const std::byte> text) const {
  const std::string_view said(reinterpret_cast<const char*>(text.data()), text.size());
  if (pe_ != this_pe().messages->source()) return {carried_failure(code_, said), where_, pe_};
  return {carried_failure(code_, fmt::format("PE {}: {}", pe_, said)), where_, pe_};
}

std::string text_of(const event_fault& fault, std::size_t most) {
  std::string text = describe(fault.failure);
  text.resize(std::min(text.size(), most));
  return text;
}

std::vector<std::byte> packed(const event_fault& fault, std::size_t most) {
  const std::string text = text_of(fault, most - sizeof(travelling_fault));
  const auto front =
      std::bit_cast<std::array<std::byte, sizeof(travelling_fault)>>(travelling_fault(fault));
  std::vector<std::byte> all(front.begin(), front.end());
  std::ranges::copy(std::as_bytes(std::span(text)), std::back_inserter(all));
  return all;
}

event_fault unpacked(std::span<const std::byte> bytes) {
  std::array<std::byte, sizeof(travelling_fault)> front;
  std::memcpy(front.data(), bytes.data(), front.size());
  return std::bit_cast<travelling_fault>(front).arrived(bytes.subspan(front.size()));
}

namespace {

using message::traffic;

// One kind of message both begins and ends subscriptions, because only messages of one kind arrive
// in the order of sending. The PE that owns the awaited event allocates the memory for a
// subscription.
struct subscription {
  std::uint64_t word;

  enum wish : int { subscribes, leaves };
  static subscription of(name awaited, wish what) {
    return {name(what, awaited.slot(), awaited.generation()).word()};
  }
  void operator()() const {
    const name sent = name::from_word(word);
    const name own(my_pe(), sent.slot(), sent.generation());
    const int pe = this_pe().messages->source();
    if (sent.pe() == leaves) return table::here().unsubscribed(own, pe);
    table::here().subscribed(own, pe);
  }
};

struct forgotten_message {
  std::uint64_t awaited;

  void operator()() const { table::here().forgotten(name::from_word(awaited)); }
};

struct has_triggered_message {
  std::uint64_t triggered;

  void operator()() const { table::here().heard(name::from_word(triggered)); }
  [[gnu::always_inline]] void prefetch() const {
    table::here().prefetch(name::from_word(triggered));
  }
};

struct go_on_message {
  void operator()() const { table::here().go_on(); }
};

struct has_failed_message {
  std::uint64_t failed;
  travelling_fault fault;

  void operator()(std::span<const std::byte> text) const {
    table::here().heard_fault(name::from_word(failed), fault.arrived(text));
  }
};

// The next messages trigger a user event of the receiver, or make the event fail. Messages of one
// kind arrive in the order of sending. A message with 0 in place of an event's name has no effect.
// When a message with 0 has been executed, all earlier messages of the same kind have been
// executed, too.
struct trigger_message {
  std::uint64_t user;
  transport::travelling_site where;

  void operator()() const {
    if (user != 0) table::here().trigger(name::from_word(user), where);
  }
};

struct promise_message {
  std::uint64_t user;
  std::uint64_t precondition;
  transport::travelling_site where;

  void operator()() const {
    const event awaited(name::from_word(precondition));
    if (user != 0) table::here().promise(name::from_word(user), std::span(&awaited, 1), where);
  }
};

struct poison_message {
  std::uint64_t failed;
  travelling_fault fault;

  void operator()(std::span<const std::byte> text) const {
    if (failed == 0) return;
    const event_fault come = fault.arrived(text);
    table::here().poison(name::from_word(failed), come, come.where);
  }
};

template <traffic Kind, class Message>
void send_fault(int pe, name failed, const event_fault& fault) {
  message::engine& messages = *this_pe().messages;
  const std::string text = text_of(fault, messages.payload_capacity<Message>());
  const Message told{failed.word(), travelling_fault(fault)};
  messages.send_with<Kind>(pe, told, std::as_bytes(std::span(text)), fault.where);
}

}  // namespace

void send_subscription(name awaited) {
  if (mutants::has(mutants::fault::lost_subscription) && awaited.slot() % 4 == 3) return;
  this_pe().messages->send<traffic::owed>(awaited.pe(),
                                          subscription::of(awaited, subscription::subscribes), {});
}

void send_unsubscription(name awaited) {
  this_pe().messages->send<traffic::owed>(awaited.pe(),
                                          subscription::of(awaited, subscription::leaves), {});
}

void send_forgotten(int pe, name own) {
  this_pe().messages->send<traffic::owed>(pe, forgotten_message{own.word()}, {});
}

void send_ended(int pe, name own, const event_fault* fault) {
  if (fault != nullptr) return send_fault<traffic::owed, has_failed_message>(pe, own, *fault);
  this_pe().messages->send<traffic::owed>(pe, has_triggered_message{own.word()}, {});
}

void send_go_on(int own) { this_pe().messages->send<traffic::owed>(own, go_on_message{}, {}); }

void send_trigger(name user, site where) {
  this_pe().messages->send<traffic::tracked>(user.pe(), trigger_message{user.word(), where}, where);
}

void send_promise(name user, name precondition, site where) {
  this_pe().messages->send<traffic::tracked>(
      user.pe(), promise_message{user.word(), precondition.word(), where}, where);
}

void send_nothing(int to, site where) {
  message::engine& messages = *this_pe().messages;
  messages.send<traffic::tracked>(to, trigger_message{0, where}, where);
  messages.send<traffic::tracked>(to, promise_message{0, 0, where}, where);
  const event_fault none{std::make_exception_ptr(error(errc::input, "")), where, my_pe()};
  messages.send_with<traffic::tracked>(to, poison_message{0, travelling_fault(none)}, {}, where);
}

void send_poison(name user, const event_fault& fault) {
  send_fault<traffic::tracked, poison_message>(user.pe(), user, fault);
}

}  // namespace atl::events
