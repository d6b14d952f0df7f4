#pragma once
// Channels carry bytes and arrays between a client and PE 0. A local channel is a pair of sockets
// on one machine, and passes descriptors of files in memory. A stream channel is a TCP connection,
// and sends the content of these files.

#include "python/server/memory_file.hpp"

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace atl::serve {

/// The largest number of files that one message may have.
inline constexpr std::uint32_t k_most_files = 8;

/// The files of a message. If the files did not fit into memory, `refusal` has the error and
/// `files` is empty.
struct received_files {
  std::vector<descriptor> files;
  std::exception_ptr refusal;
};

/// One thread may receive while another thread sends.
class channel {
 public:
  virtual ~channel() = default;

  /// Receives exactly `bytes` bytes. Blocks the thread. Returns false if the client closes the
  /// channel before all bytes have arrived. Throws atl::error (environment) if the socket cannot be
  /// read.
  virtual bool receive_exactly(void* into, std::size_t bytes) = 0;

  /// Receives the `count` files of the message whose text was received last. Returns nothing if the
  /// client closes the channel before all files have arrived. Throws atl::error (input) if the
  /// client breaks the protocol.
  virtual std::optional<received_files> receive_files(std::uint32_t count) = 0;

  /// Sends the bytes and the files of a message. Blocks the thread while the socket is full. Does
  /// nothing if the client has closed the channel. Throws atl::error (environment) if the socket
  /// cannot be written, or if a file cannot be read.
  virtual void send(std::string_view bytes, const std::vector<descriptor>& files) = 0;

  /// Returns the number of bytes that were sent and that the client has not received yet.
  virtual int unread() const = 0;

  /// Ends a call of `receive_exactly` in another thread, as if the client had closed the channel. A
  /// stream channel also sends nothing any more.
  virtual void stop_receiving() = 0;

  /// Returns whether the client may be on another machine. If the client is remote, sending takes
  /// long, and the server goes on when the client has left.
  virtual bool is_remote() const = 0;
};

/// Takes over the descriptor of a Unix socket. Throws atl::error (input) if the descriptor is not a
/// connected Unix socket.
std::unique_ptr<channel> make_local_channel(int socket);

}  // namespace atl::serve
