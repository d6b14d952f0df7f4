#pragma once
// The dispatcher is the part of the engine (engine.hpp) that receives messages. The dispatcher
// executes the messages of an arrived buffer run by run, where a run is a sequence of messages for
// the same function.

#include "atoll/base/pe.hpp"
#include "atoll/message/activity.hpp"
#include "atoll/message/aggregator.hpp"
#include "atoll/message/handler.hpp"
#include "atoll/message/remote_activities.hpp"
#include "atoll/message/routes.hpp"
#include "atoll/transport/transport.hpp"

#include <cstddef>
#include <cstdint>

namespace atl::message {

class dispatcher {
 public:
  /// Makes a dispatcher that executes messages for the engine `messages`. Parcels (groups of
  /// messages) for other PEs are forwarded through the aggregator `forwarding`.
  dispatcher(engine& messages, pe& self, handler_table& handlers, const route_table& routes,
             activity_context& context, remote_activities& remotes, acknowledger& acknowledgements,
             aggregator& forwarding)
      : messages_(messages),
        self_(self.rank),
        counters_(*self.counters),
        handlers_(handlers),
        routes_(routes),
        context_(context),
        remotes_(remotes),
        acknowledgements_(acknowledgements),
        forwarding_(forwarding) {}

  /// Executes all messages of the buffer, except messages in parcels for other PEs. Parcels for
  /// other PEs are forwarded.
  void deliver(const transport::delivery& buffer);

  /// Returns the PE that sent the message being executed. For a relayed message (runs.hpp), returns
  /// the PE that relayed the message last. Only handlers may call this function.
  int source() const { return source_; }

  /// Adds an executed run of messages to the counters: the number of its messages, their bytes, and
  /// the cache lines that they touched.
  void count_executed(traffic kind, std::uint64_t messages, std::uint64_t bytes,
                      std::uint64_t lines);

  void count_relayed(std::uint64_t messages, std::uint64_t bytes);

  /// Returns the number of executed application messages that came from other PEs.
  std::uint64_t executed_of_others() const { return executed_of_others_; }
  /// Returns the number of executed application messages that this PE had sent to itself.
  std::uint64_t executed_of_own() const { return executed_of_own_; }

 private:
  void deliver_messages(const std::byte* at, const std::byte* end);
  void deliver_parcel(const std::byte* parcel, const std::byte* end);
  void count_distant(std::uint64_t messages, std::uint64_t bytes);
  void close_section();
  void refuse(handler_name unknown);

  engine& messages_;
  int self_;
  int source_ = 0;
  std::uint64_t executed_of_others_ = 0;
  std::uint64_t executed_of_own_ = 0;
  observe::counters& counters_;
  handler_table& handlers_;
  const route_table& routes_;
  activity_context& context_;
  remote_activities& remotes_;
  acknowledger& acknowledgements_;
  aggregator& forwarding_;
};

}  // namespace atl::message
