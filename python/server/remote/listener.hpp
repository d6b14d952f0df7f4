#pragma once
// The door of a server on a cluster: remote clients come through it. One client at a time is
// served.

#include "atoll/deferred.hpp"
#include "atoll/task.hpp"
#include "python/server/connection.hpp"
#include "python/server/remote/stream.hpp"

#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace atl::serve {

/// What the user has chosen for a server that listens.
struct listening {
  std::string address;                  ///< HOST:PORT; port 0: the system chooses a free port
  std::string token;                    ///< what clients must know
  std::optional<certificate> identity;  ///< if it is set, connections are encrypted
  bool may_be_unencrypted = false;      ///< whether other machines may connect without encryption
  std::uint64_t memory_limit = 0;       ///< most bytes of an array of a client; 0: no limit
};

/// A thread of this object accepts connections. Other threads check whether up to 64 new clients
/// know the token, so that a silent client does not keep others out. A client that does not prove
/// within 4 seconds that it knows the token is turned away. While a client is served, other clients
/// wait for 2 seconds, and are then told that the server is busy.
class listener {
 public:
  /// Begins to listen. Throws atl::error (input) if the address is wrong, is in use, or allows
  /// unencrypted connections of other machines without the user's consent.
  explicit listener(listening chosen);
  ~listener();
  listener(const listener&) = delete;
  listener& operator=(const listener&) = delete;

  /// Returns the address for the client, such as "tcp://127.0.0.1:7000".
  std::string address() const;

  /// Waits for the next client that knows the token. Suspends the task. A job that waits here does
  /// not count as hanging. One task calls this function, on the PE that has made the object.
  task<std::shared_ptr<connection>> next();

 private:
  /// The data that the thread shares with the task. If the job ends early, the destructor of the
  /// listener does not run, and its thread may still run. The thread shares the ownership of the
  /// data, because it may run longer than the listener lives.
  struct door;

  std::shared_ptr<door> door_;
  std::thread thread_;
};

}  // namespace atl::serve
