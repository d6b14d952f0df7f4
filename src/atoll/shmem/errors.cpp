#include "atoll/shmem/errors.hpp"

#include "atoll/error.hpp"
#include "atoll/memory/heap.hpp"
#include "atoll/shmem/world.hpp"
#include "atoll/transport/say.hpp"

#include <array>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace atl::shmem {
namespace {

/// The library or executable that contains an address, as `dladdr1` reports it.
struct loaded_at {
  Dl_info of{};
  link_map* map = nullptr;
  bool is_known;

  explicit loaded_at(const void* address)
      : is_known(dladdr1(address, &of, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) != 0) {}
};

/// Runs a command and returns its output. Returns an empty text if the command does not exist or
/// fails.
std::string printed_by(std::array<const char*, 5> command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t tool = 0;
  const bool runs = posix_spawnp(&tool, command[0], &actions, nullptr,
                                 const_cast<char**>(command.data()), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::array<char, 512> piece{};
  std::string text;
  for (ssize_t got = 0; runs && (got = read(ends[0], piece.data(), piece.size())) > 0;)
    text.append(piece.data(), static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  if (runs && waitpid(tool, &status, 0) == tool && status != 0) text.clear();
  return text;
}

/// Shortens a line of addr2line such as "/home/me/put.c:21 (discriminator 3)" to "put.c:21".
/// Returns an empty text if addr2line does not know the line.
std::string short_line(std::string text) {
  text.erase(std::min(text.find_first_of(" \n"), text.size()));
  text.erase(0, text.rfind('/') + 1);
  return text.find('?') == std::string::npos ? text : std::string();
}

}  // namespace

const void* first_caller_outside() {
  constexpr int k_deepest = 64;
  std::array<void*, k_deepest> frames{};
  const int depth = backtrace(frames.data(), k_deepest);
  const loaded_at here(reinterpret_cast<const void*>(&first_caller_outside));
  const bool is_library = here.is_known && here.map->l_name != nullptr && *here.map->l_name != 0;
  for (int i = 0; is_library && i < depth; ++i) {
    const loaded_at frame(frames[static_cast<std::size_t>(i)]);
    if (frame.is_known && frame.of.dli_fbase != here.of.dli_fbase)
      return frames[static_cast<std::size_t>(i)];
  }
  return nullptr;
}

std::string line_of_call(const void* behind) {
  thread_local const void* last = nullptr;
  thread_local std::string line_of_last;
  if (behind == nullptr) return {};
  if (behind == last) return line_of_last;
  const loaded_at frame(behind);
  if (!frame.is_known) return {};
  const auto offset = reinterpret_cast<std::uintptr_t>(behind) - frame.map->l_addr - 1;
  const bool is_program = *frame.map->l_name == 0;
  const std::string file =
      is_program ? fmt::format("/proc/{}/exe", getpid()) : std::string(frame.map->l_name);
  const std::string address = fmt::format("{:#x}", offset);
  line_of_last =
      short_line(printed_by({"addr2line", "-e", file.c_str(), address.c_str(), nullptr}));
  last = behind;
  return line_of_last;
}

namespace {

[[noreturn]] void end_job(const char* call, const std::string& what, int status) {
  const world& w = the_world;
  const std::string line = line_of_call(first_caller_outside());
  const std::string where = line.empty() ? call : fmt::format("{}, called at {}", call, line);
  transport::say("PE {}: error: {}: {}", w.pe, where.c_str(), what.c_str());
  if (w.transport != nullptr) w.transport->fail(status);
  leave(status);
}

}  // namespace

void refuse(const char* call, const std::string& what) {
  end_job(call, what, k_status_environment);
}

void refuse_pe(const char* call, int pe) {
  if (the_world.pes == 0)
    refuse(call, the_world.pes_of_parent != 0
                     ? "a process that a PE has forked is no PE, and calls no OpenSHMEM"
                     : "there is no job: before shmem_init, or after shmem_finalize");
  refuse(call, fmt::format("PE {} does not exist; there are {} PEs", pe, the_world.pes));
}

void refuse_address(const char* call, const void* local, std::size_t bytes) {
  refuse(call, fmt::format("{} bytes at {} are not symmetric: neither of the symmetric heap nor "
                           "global or static data of the program",
                           bytes, fmt::ptr(local)));
}

void refuse_count(const char* call, std::size_t elements, std::size_t element_bytes) {
  const auto as_signed = static_cast<std::ptrdiff_t>(elements);
  const std::string below_zero =
      as_signed < 0 ? fmt::format(" ({}, if it is signed)", as_signed) : "";
  refuse(call,
         fmt::format("a count of {}{} elements of {} bytes is more than a machine can address",
                     elements, below_zero, element_bytes));
}

void refuse_misaligned(const char* call, const void* local, std::size_t bytes) {
  refuse(call, fmt::format("a word of {} bytes cannot be at {}, which is no multiple of it", bytes,
                           fmt::ptr(local)));
}

void refuse_unallocated(const char* call, const void* local, std::size_t bytes) {
  const world& w = the_world;
  const std::uint64_t offset =
      memory::k_symmetric + (reinterpret_cast<std::uintptr_t>(local) - w.heap.begin);
  if (bytes == 0 || w.of_scheduler->memory->holds(offset, bytes)) return;
  const auto nearest = w.of_scheduler->memory->array_at(offset);
  refuse(call,
         fmt::format("{} bytes at {} of the symmetric heap are not allocated; the block before "
                     "begins at {} and has {} bytes",
                     bytes, fmt::ptr(local),
                     fmt::ptr(reinterpret_cast<const void*>(w.heap.begin +
                                                            (nearest.begin - memory::k_symmetric))),
                     nearest.bytes));
}

void end_by_exception(const char* call) {
  const std::exception_ptr failure = std::current_exception();
  end_job(call, describe(failure), exit_status_of(failure));
}

}  // namespace atl::shmem
