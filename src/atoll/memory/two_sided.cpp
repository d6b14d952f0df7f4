#include "atoll/two_sided.hpp"

#include "atoll/memory/checks.hpp"
#include "atoll/task.hpp"

namespace atl::memory {

two_sided::request begin_send(const message_call& by, int pe, int tag,
                              message_data<const std::byte> data) {
  check_pe(by.name, pe, by.where);
  open_message* const open = this_pe().two_sided->begin_send(
      {.by = by, .pe = pe, .tag = tag, .element_bytes = data.element_bytes, .values = data.bytes});
  if (open == nullptr) return two_sided::request(data.bytes.size() / data.element_bytes);
  return two_sided::request(*open);
}

two_sided::request begin_receive(const message_call& by, int pe, int tag,
                                 message_data<std::byte> room) {
  check_pe(by.name, pe, by.where);
  return two_sided::request(this_pe().two_sided->begin_receive(
      {.by = by, .pe = pe, .tag = tag, .element_bytes = room.element_bytes, .room = room.bytes}));
}

task<> send_message(int pe, int tag, message_data<const std::byte> data, site where) {
  two_sided::request begun = begin_send({"send", false, where}, pe, tag, data);
  co_await begun;
  co_await room(where);
}

task<std::size_t> receive_message(int pe, int tag, message_data<std::byte> room, site where) {
  two_sided::request begun = begin_receive({"receive", false, where}, pe, tag, room);
  co_return co_await begun;
}

task<std::size_t> send_and_receive(int to, int to_tag, message_data<const std::byte> data, int from,
                                   int from_tag, message_data<std::byte> room, site where) {
  const message_call by{"send_receive", false, where};
  two_sided::request receive = begin_receive(by, from, from_tag, room);
  two_sided::request send = begin_send(by, to, to_tag, data);
  co_await send;
  co_return co_await receive;
}

}  // namespace atl::memory
