#include "python/server/remote/remote_clients.hpp"

#include "atoll/error.hpp"
#include "atoll/log.hpp"
#include "atoll/run.hpp"
#include "python/server/remote/listener.hpp"
#include "python/server/session.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <openssl/crypto.h>
#include <sys/stat.h>
#include <unistd.h>

namespace atl::serve {
namespace {

constexpr std::size_t k_shortest_token = 16;

/// Returns the first line of the file, which only its owner may read.
std::string token_in(const std::string& path) {
  struct stat found{};
  if (stat(path.c_str(), &found) != 0)
    fail(errc::input, "--token-file {}: {}", path, std::strerror(errno));
  if (S_ISREG(found.st_mode) && (found.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    fail(errc::input, "--token-file {}: other users may read the file; run: chmod 600 {}", path,
         path);
  std::ifstream file(path);
  std::string token;
  if (!std::getline(file, token) && token.empty())
    fail(errc::input, "--token-file {}: the file is empty, or cannot be read", path);
  return token;
}

std::string without_blanks(const std::string& text) {
  constexpr const char* blanks = " \t\r\n";
  const auto begin = text.find_first_not_of(blanks);
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string token_of(const remote_flags& flags) {
  if (flags.token_file.empty() && flags.token.empty())
    fail(errc::input,
         "--listen {}: clients need a token; write a long random text to a file that only you can "
         "read (umask 077; openssl rand -hex 32 > token), and add --token-file token, or put the "
         "text into the variable ATOLL_TOKEN",
         flags.address);
  std::string token =
      without_blanks(flags.token_file.empty() ? flags.token : token_in(flags.token_file));
  if (token.size() < k_shortest_token)
    fail(errc::input, "{}: the token has {} characters, and at least {} are needed",
         flags.token_file.empty() ? "ATOLL_TOKEN" : "--token-file " + flags.token_file,
         token.size(), k_shortest_token);
  return token;
}

listening chosen_by(const remote_flags& flags) {
  listening chosen;
  chosen.address = flags.address;
  chosen.token = token_of(flags);
  chosen.may_be_unencrypted = flags.without_encryption;
  chosen.memory_limit = job_settings().memory_limit;
  if (flags.certificate_file.empty() != flags.key_file.empty())
    fail(errc::input,
         "--tls-certificate and --tls-key belong together, and one of them is missing");
  if (!flags.certificate_file.empty())
    chosen.identity.emplace(flags.certificate_file, flags.key_file);
  return chosen;
}

/// Answers the calls of one client until it leaves. Frees its graphs.
task<> serve_client(std::shared_ptr<connection> client) {
  session answers(std::move(client));
  try {
    co_await answers.run();
    log::info("the client has left");
  } catch (const error& failure) {
    log::warning("the connection to the client was closed: {}", failure.what());
  }
  co_await answers.free_graphs();
}

}  // namespace

task<> serve_remote_clients(remote_flags flags) {
  // Threads may still use OpenSSL while the process ends.
  OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr);
  listener door(chosen_by(flags));
  fmt::print("{}\n", door.address());
  if (std::fflush(stdout) != 0)
    fail(errc::environment, "standard output could not be written: {}", std::strerror(errno));
  while (true) {
    auto client = co_await door.next();
    co_await serve_client(std::move(client));
  }
}

}  // namespace atl::serve
