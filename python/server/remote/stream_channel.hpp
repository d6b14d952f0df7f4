#pragma once
// The channel to a remote client. After the text of a message, each array follows: its length in
// bytes as a number of 64 bits, least significant byte first, and its bytes.

#include "python/server/channel.hpp"
#include "python/server/remote/stream.hpp"

namespace atl::serve {

/// Makes a channel over a connection. The server has checked the token of the client before. An
/// array that is larger than the free memory of this machine, or than `memory_limit` (0: no limit),
/// is discarded while it arrives, and the call is refused.
std::unique_ptr<channel> make_stream_channel(std::unique_ptr<stream> over,
                                             std::uint64_t memory_limit);

}  // namespace atl::serve
