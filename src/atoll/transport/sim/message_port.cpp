#include "atoll/transport/sim/message_port.hpp"

#include "atoll/error.hpp"

#include <algorithm>
#include <cstring>

namespace atl::transport::sim {
namespace {

// If a request is an incomplete receive, its first word is `a_receive`, and its second word is the
// tag.
constexpr std::uint64_t a_receive = 1;

}  // namespace

// A send is complete at once, because the function copies the message, as MPI copies messages that
// are not large.
void message_port::start_send(const void* data, int bytes, int to, int tag,
                              internode::message_request& started) {
  const auto length = static_cast<std::uint32_t>(bytes);
  time_ += world_.time->sending({rank_, time_}, length);
  const shipment sent{world_.mail.post(world_.buffers.copy_of(data, length), tag), rank_, to,
                      length};
  world_.history.add('S', to, time_, length);
  started = {};
  if (const auto arrival = world_.time->arrival(sent, time_)) world_.deliver(sent, *arrival);
}

void message_port::start_receive(void* data, int, int, int tag,
                                 internode::message_request& started) {
  by_tag_[tag].receives.push(data);
  started = {{a_receive, static_cast<std::uint64_t>(tag)}};
}

// If several receives have the same tag, the oldest receive gets the message that has arrived
// first.
bool message_port::test(internode::message_request& request, int* from, int* bytes) {
  if (request.words[0] != a_receive) return true;
  if (!has_arrived(request)) {
    time_ += world_.time->looking_far({rank_, time_});
    return false;
  }
  mailbox& of = by_tag_[static_cast<int>(request.words[1])];
  const arrival first = of.arrivals.top();
  of.arrivals.pop();
  const mail::message message = world_.mail.take(first.number);
  std::memcpy(of.receives.front(), message.content.get(), first.bytes);
  of.receives.pop();
  time_ += world_.time->receiving({rank_, time_}, first.bytes);
  world_.history.add('R', rank_, time_, static_cast<std::uint64_t>(first.from));
  *from = first.from;
  *bytes = static_cast<int>(first.bytes);
  request = {};
  return true;
}

bool message_port::has_arrived(const internode::message_request& request) {
  const auto& arrivals = by_tag_[static_cast<int>(request.words[1])].arrivals;
  return !arrivals.empty() && arrivals.top().time <= seen_;
}

// If the function finds no message, it costs as much as the test of a single receive.
int message_port::test_any(std::span<internode::message_request* const> requests, int* from,
                           int* bytes) {
  const auto found =
      std::ranges::find_if(requests, [this](const auto* each) { return has_arrived(*each); });
  internode::message_request& tested = found == requests.end() ? *requests.front() : **found;
  return test(tested, from, bytes) ? static_cast<int>(found - requests.begin()) : -1;
}

// A simulated job never calls this function, because the job ends without waiting for messages in
// flight.
void message_port::all_to_all(const void*, int, void*) {
  ATOLL_ASSERT(false, "a simulated job does not wait for its messages at the end");
}

nanoseconds message_port::comes(const shipment& message, nanoseconds time) {
  nanoseconds& last = last_arrival_[message.from];
  last = std::max(last, time);
  by_tag_[world_.mail.tag_of(message.number)].arrivals.push(
      {last, message.number, message.from, message.bytes});
  world_.history.add('A', rank_, last, static_cast<std::uint64_t>(message.from));
  return last;
}

nanoseconds message_port::first_arrival(int tag) const {
  const auto found = by_tag_.find(tag);
  return found == by_tag_.end() || found->second.arrivals.empty()
             ? forever
             : found->second.arrivals.top().time;
}

}  // namespace atl::transport::sim
