#pragma once
// Serves remote clients one after another, until the job ends.

#include "atoll/task.hpp"

#include <string>

namespace atl::serve {

/// The flags of `atoll serve` for remote clients.
struct remote_flags {
  std::string address;  ///< HOST:PORT
  std::string token;    ///< the token from the variable ATOLL_TOKEN; empty if it is not set
  std::string token_file, certificate_file, key_file;  ///< empty if the flag is not given
  bool without_encryption = false;
};

/// Listens at the address, prints the address of the server, and answers the calls of clients. Does
/// not return. The main task on PE 0 calls this function. Throws atl::error (input) for a wrong
/// flag. A program that was built without OpenSSL does not have this function.
task<> serve_remote_clients(remote_flags flags);

}  // namespace atl::serve
