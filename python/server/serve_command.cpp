// Implements `atoll serve`, the server of the Python package.

#include "app/command.hpp"
#include "app/flags.hpp"
#include "atoll/error.hpp"
#include "atoll/launch.hpp"
#include "atoll/run.hpp"
#include "python/server/remote/remote_clients.hpp"
#include "python/server/session.hpp"

#include <cstdlib>
#include <memory>
#include <unistd.h>

namespace atl::app {
namespace {

constexpr const char* k_serve_text =
    "\nThe Python package uses this command. For calls on the same machine, the package starts "
    "the\n"
    "command itself. On a cluster, you start a server, and Python programs connect to it:\n\n"
    "  (umask 077; openssl rand -hex 32 > token)\n"
    "  mpirun -n 64 atoll serve --listen 0.0.0.0:7000 --token-file token \\\n"
    "      --tls-certificate server.pem --tls-key server.key\n\n"
    "These lines make the certificate and its key, where node17 is the machine of rank 0:\n\n"
    "  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 365 \\\n"
    "      -subj /CN=node17 -addext subjectAltName=DNS:node17 -keyout server.key -out "
    "server.pem\n\n"
    "The server prints its address, such as tls://node17:7000. In Python:\n\n"
    "  import atoll\n"
    "  token = open(\"token\").read().strip()\n"
    "  with atoll.connect(\"tls://node17:7000\", token=token, certificate=\"server.pem\"):\n"
    "      atoll.read(\"/shared/web.csv\").pagerank()\n\n"
    "Whoever knows the token can read and write files as the user who has started the server. The\n"
    "token is never sent over the network. One client is served at a time. When a client leaves,\n"
    "its graphs are freed, after its call has ended. Ctrl-C or SIGTERM ends the server.";

int serve_client(int socket, const settings& options) {
  const auto client = std::make_shared<serve::connection>(serve::make_local_channel(socket));
  // The server gets a process session of its own, so that Ctrl-C in the client's terminal does not
  // reach it. `setsid` fails only if the server already leads a process group, and then it is not
  // in the group of the client anyway.
  static_cast<void>(setsid());
  if (options.transport == transport_kind::mpi)
    fail(errc::input,
         "--transport mpi: a server that the Python package starts has all its PEs on one machine, "
         "and needs no MPI; for PEs on several machines, start mpirun -n N atoll serve --listen "
         "HOST:PORT, and call atoll.connect");
  // If the client is one of several ranks, each rank has a server of its own on its machine.
  job::forget_launch();
  const auto main = [client]() -> task<> {
    serve::session answers(client);
    co_await answers.run();
  };
  return run_job(options, main);
}

#ifdef ATOLL_HAS_OPENSSL
int serve_remote(serve::remote_flags flags, const settings& options) {
  if (const char* const token = std::getenv("ATOLL_TOKEN")) flags.token = token;
  // The variable is removed so that other processes cannot read the token, and no warning reports
  // the variable as unknown.
  unsetenv("ATOLL_TOKEN");
  const auto main = [flags] { return serve::serve_remote_clients(flags); };
  return run_job(options, main);
}
#else
int serve_remote(const serve::remote_flags& flags, const settings&) {
  fail(errc::input, "--listen {}: this program was built without OpenSSL (Debian: libssl-dev)",
       flags.address);
}
#endif

int serve(int socket, const serve::remote_flags& flags, const settings& options) {
  if (options.transport == transport_kind::sim)
    fail(errc::input, "--transport sim: a client waits in real time, so PEs cannot be simulated");
  if (!flags.address.empty() && socket >= 0)
    fail(errc::input, "--listen and --descriptor: the server has clients of one kind only");
  if (!flags.address.empty()) return serve_remote(flags, options);
  if (socket < 0)
    fail(errc::input, "the server needs an address for its clients, such as --listen "
                      "127.0.0.1:7000; only the Python package passes --descriptor");
  return serve_client(socket, options);
}

void add_remote_flags(CLI::App& command, serve::remote_flags& flags) {
  add_text_flag(command, "--listen", "HOST:PORT", flags.address,
                "Answer clients that connect here; host 0.0.0.0 stands for all networks of the "
                "machine of PE 0, and port 0 for a free port");
  add_text_flag(command, "--token-file", "FILE", flags.token_file,
                "File whose first line is the token that clients must know; without this flag, "
                "the token is in the variable ATOLL_TOKEN");
  add_text_flag(command, "--tls-certificate", "FILE", flags.certificate_file,
                "Encrypt connections: certificate of the server, in the format PEM");
  add_text_flag(command, "--tls-key", "FILE", flags.key_file, "Private key of the certificate");
  add_switch(command, "--without-encryption", flags.without_encryption,
             "Let other machines connect without TLS");
}

}  // namespace

void add_serve(CLI::App& root, command_context& context) {
  constexpr std::uint64_t largest = 1 << 20, none = largest + 1;
  const auto socket = std::make_shared<std::uint64_t>(none);
  const auto flags = std::make_shared<serve::remote_flags>();
  const auto action = [socket, flags, &context] {
    return serve(*socket == none ? -1 : static_cast<int>(*socket), *flags, context.settings);
  };
  auto& command =
      add_command(root, context, "serve", "Answer the calls of the Python package", action);
  add_count_flag(command, "--descriptor", *socket, 0, largest,
                 "Number of the descriptor of the connected socket; the package passes it")
      .under("");
  add_remote_flags(command, *flags);
  add_settings_flags(command, context);
  add_explanation(command, k_serve_text);
}

}  // namespace atl::app
