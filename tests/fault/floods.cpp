// Programs that start work without end, and programs with tasks that fail without end. The first
// argument of the command selects one of the programs. Each program must end with an error.

#include "atoll/atoll.hpp"
#include "atoll/error.hpp"

#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace atl;

int any_pe(std::uint64_t x) {
  return static_cast<int>(hash(x) % static_cast<std::uint64_t>(pes()));
}

// ---- handlers and tasks that each start two further handlers or tasks

void send_two(std::uint64_t x) {
  async_call(any_pe(x), [x] {
    send_two(2 * x);
    send_two(2 * x + 1);
  });
}

task<> spawn_two(std::uint64_t x) {
  for (const std::uint64_t next : {2 * x, 2 * x + 1})
    async_call(any_pe(next), [next] { spawn([next] { return spawn_two(next); }); });
  co_return;
}

task<> defer_two(std::uint64_t x) {
  for (const std::uint64_t next : {2 * x, 2 * x + 1}) {
    const auto two_more = [next] { return defer_two(next); };
    static_cast<void>(spawn_when(any_pe(next), event(), two_more));
  }
  co_return;
}

task<> messages() {
  send_two(1);
  co_return;
}

// ---- Programs whose work is never consumed.

task<> defer_for_ever() {
  const auto never = make_user_event();
  const auto nothing = []() -> task<> { co_return; };
  while (true) static_cast<void>(spawn_when(my_pe(), never, nothing));
  co_return;
}

task<> make_events() {
  while (true) make_user_event();
  co_return;
}

std::uint64_t value = 7;  // No PE receives this message.

/// Requests that no PE completes. The requests are still open when their PE ends.
std::vector<two_sided::request>& open_requests() {
  thread_local auto* const open = new std::vector<two_sided::request>;
  return *open;
}

task<> send_to_nobody() {
  for (int tag = 0;; ++tag) {
    open_requests().push_back(
        two_sided::send_nbi((my_pe() + 1) % pes(), tag, std::span(&value, 1)));
    co_await room();
  }
}

task<> send_to_nobody_without_room() {
  for (int tag = 0;; ++tag) {
    open_requests().push_back(
        two_sided::send_nbi((my_pe() + 1) % pes(), tag, std::span(&value, 1)));
  }
  co_return;
}

// ---- handlers that fail

void fail_again(std::uint64_t x) {
  async_call(any_pe(x), [x] {
    fail_again(x + 1);
    throw std::runtime_error("the handler is unhappy");
  });
}

task<> fail_for_ever() {
  for (std::uint64_t x = 0; x < 1000; ++x)
    fail_again(1000 * static_cast<std::uint64_t>(my_pe()) + x);
  co_return;
}

/// Each PE starts one failing handler on each PE.
task<> fail_once() {
  for (int pe = 0; pe < pes(); ++pe)
    async_call(pe, [] { throw std::runtime_error("the handler is unhappy"); });
  co_return;
}

/// Starts 200,000 handlers that all fail. The failures must not fill the memory, so that the
/// enclosing scope can end and report one of them.
task<> fail_often() {
  for (int i = 0; i < 200'000; ++i) {
    async_call((my_pe() + 1) % pes(), [] { throw std::runtime_error("the handler is unhappy"); });
    co_await room();
  }
}

// The function is a template parameter, because the address of a function differs from rank to
// rank.
template <task<> (*Flood)()>
task<> everywhere() {
  return on_all_pes([] { return Flood(); });
}

task<> catch_failures() {
  try {
    co_await finish(everywhere<fail_often>);
  } catch (const std::exception& failure) {
    std::printf("caught: %s\n", failure.what());
  }
}

const std::map<std::string, main_function> k_floods{
    {"messages", messages},
    {"tasks", [] { return spawn_two(1); }},
    {"events", [] { return defer_two(1); }},
    {"deferred", everywhere<defer_for_ever>},
    {"user-events", everywhere<make_events>},
    {"unreceived", everywhere<send_to_nobody>},
    {"unreceived-without-room", everywhere<send_to_nobody_without_room>},
    {"fails-for-ever", everywhere<fail_for_ever>},
    {"fails-once", everywhere<fail_once>},
    {"fails-and-is-caught", catch_failures},
};

}  // namespace

int main(int argc, char** argv) {
  const auto found = argc > 1 ? k_floods.find(argv[1]) : k_floods.end();
  if (found == k_floods.end()) {
    std::fprintf(stderr, "usage: fault_floods FLOOD\n");
    return 2;
  }
  return run(argc, argv, found->second);
}
