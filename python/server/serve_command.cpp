// Implements `atoll serve`, the server of the Python package.

#include "app/command.hpp"
#include "app/flags.hpp"
#include "atoll/error.hpp"
#include "atoll/launch.hpp"
#include "atoll/run.hpp"
#include "python/server/session.hpp"

#include <csignal>
#include <memory>
#include <unistd.h>

namespace atl::app {
namespace {

constexpr const char* k_serve_text =
    "\nThe Python package starts this command; nobody needs to type it. The server answers calls\n"
    "over a connected Unix socket, keeps graphs in memory between calls, and ends when the client\n"
    "closes the socket.\n\n"
    "  import atoll\n"
    "  atoll.read(\"web.csv\").pagerank()";

int serve_client(int socket, const settings& options) {
  const auto client = std::make_shared<serve::connection>(socket);
  // A session of its own: Ctrl-C in the client's terminal is for the client. The call fails only if
  // the process leads a group already, and then has left the client's group as well.
  static_cast<void>(setsid());
  if (options.transport == transport_kind::sim)
    fail(errc::input, "--transport sim: a client waits in real time, so PEs cannot be simulated");
  if (options.transport == transport_kind::mpi)
    fail(errc::input,
         "--transport mpi: the PEs of a server share one machine, and need no MPI; each rank of a "
         "Python program that mpirun -n N starts has a server of its own");
  // A client may be one of several ranks. Each rank then has a server of its own on its machine.
  job::forget_launch();
  const auto main = [client]() -> task<> {
    serve::session answers(client);
    co_await answers.run();
  };
  return run_job(options, main);
}

}  // namespace

void add_serve(CLI::App& root, command_context& context) {
  const auto socket = std::make_shared<std::uint64_t>(0);
  const auto action = [socket, &context] {
    return serve_client(static_cast<int>(*socket), context.settings);
  };
  auto& command =
      add_command(root, context, "serve", "Answer the calls of the Python package", action);
  constexpr std::uint64_t largest = 1 << 20;
  add_count_flag(command, "--descriptor", *socket, 0, largest,
                 "Number of the descriptor of the connected socket")
      .required();
  add_settings_flags(command, context);
  add_explanation(command, k_serve_text);
}

}  // namespace atl::app
