#include "atoll/message/dispatcher.hpp"

#include "atoll/error.hpp"
#include "atoll/message/engine_inline.hpp"
#include "atoll/message/parcels.hpp"
#include "atoll/message/send_buffer.hpp"

#include <cstring>
#include <dlfcn.h>
#include <utility>

namespace atl::message {

void handler_table::refuse_to_send(run_function function) {
  Dl_info found{};
  if (dladdr(reinterpret_cast<const void*>(function), &found) == 0)
    fail(errc::environment, "a message handler lies in no loaded library");
  fail(errc::environment,
       "the message handlers in {} have no names for other PEs: it is larger than 256 MiB, or "
       "another loaded library looks the same; link it otherwise, or give the file another name",
       found.dli_fname);
}

void handler_table::fail_unknown_to(int pe, handler_name name) {
  Dl_info found{};
  const std::uintptr_t address = modules_.address_of(name);
  const bool is_known = dladdr(reinterpret_cast<const void*>(address), &found) != 0;
  fail(errc::environment,
       "PE {} has not loaded {}, or another build of it, and got a message for a handler in it; "
       "load the same libraries on all PEs before messages for them are sent",
       pe, is_known ? found.dli_fname : "a shared library");
}

void dispatcher::deliver(const transport::delivery& buffer) {
  source_ = buffer.source;
  activity** const outer = context_.slot();
  context_.enter(remotes_.slot());
  deliver_messages(buffer.data, buffer.data + buffer.bytes);
  context_.enter(outer);
}

void dispatcher::deliver_messages(const std::byte* at, const std::byte* end) {
  while (at < end) {
    const std::uint64_t word = load_word(at);
    const std::byte* const stop = at + k_unit * (1 + (word & 0xffff));
    const handler_name name = word >> k_name_shift;
    const bool is_scope_marker = (word & 0xffff) == 0 && name != k_padding;
    if (is_scope_marker) {
      close_section();
      remotes_.open_section(source_, name);
    } else if (is_parcel(name)) {
      close_section();
      deliver_parcel(at, stop);
    } else if (name != k_padding) {
      const run_function run = handlers_.function_of(name);
      if (run == nullptr) [[unlikely]]
        return refuse(name);
      remotes_.count_executed(run(messages_, at + k_unit, stop));
    }
    at = stop;
  }
  close_section();
}

// Tells the sender that this PE does not know the function `unknown`. The sender, not this PE, ends
// the job, because only the sender can name the library of the function.
void dispatcher::refuse(handler_name unknown) {
  const auto tell = [unknown] {
    message::engine& messages = *this_pe().messages;
    messages.fail_unknown(messages.source(), unknown);
  };
  messages_.at_once(source_, [&] { messages_.send<traffic::owed>(source_, tell, {}); });
}

void dispatcher::close_section() {
  if (remote_activity* const done = remotes_.close_section()) acknowledgements_.send(*done);
}

void dispatcher::deliver_parcel(const std::byte* parcel, const std::byte* end) {
  const auto [source, destination] = address_of_parcel(load_word(parcel) >> k_name_shift);
  if (destination != self_) {
    return forwarding_.forward(destination, parcel, static_cast<std::size_t>(end - parcel));
  }
  const int carrier = std::exchange(source_, source);
  deliver_messages(parcel + k_parcel_overhead, end);
  source_ = carrier;
}

void dispatcher::count_executed(traffic kind, std::uint64_t messages, std::uint64_t bytes,
                                std::uint64_t lines) {
  counters_.lines_touched += lines;
  if (kind == traffic::control) {
    counters_.control_messages_executed += messages;
  } else if (source_ == self_) {
    executed_of_own_ += messages;
    counters_.local_messages_executed += messages;
  } else {
    executed_of_others_ += messages;
    counters_.messages_executed += messages;
    counters_.message_bytes_executed += bytes;
    count_distant(messages, bytes);
  }
}

void dispatcher::count_relayed(std::uint64_t messages, std::uint64_t bytes) {
  counters_.messages_relayed += messages;
  count_distant(messages, bytes);
}

void dispatcher::count_distant(std::uint64_t messages, std::uint64_t bytes) {
  if (!routes_.is_distant(source_)) return;
  counters_.distant_messages_executed += messages;
  counters_.distant_message_bytes_executed += bytes;
}

}  // namespace atl::message
