#include "atoll/shmem/lifetime.hpp"

#include "atoll/error.hpp"
#include "atoll/job/pe_end.hpp"
#include "atoll/launch.hpp"
#include "atoll/machine.hpp"
#include "atoll/shmem/include/shmem/setup.h"
#include "atoll/shmem/static_data.hpp"
#include "atoll/shmem/world.hpp"
#include "atoll/shmem_tasks.hpp"
#include "atoll/symmetric_collectives.hpp"
#include "atoll/transport/say.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <locale.h>
#include <string>
#include <string_view>

namespace atl::shmem {
namespace {

/// Returns the value of the environment variable SHMEM_NAME. If SHMEM_NAME is unset or empty,
/// returns the value of the variable under its older name, SMA_NAME. Returns null if both variables
/// are unset or empty.
const char* value_of(const std::string& name) {
  for (const char* prefix : {"SHMEM_", "SMA_"}) {
    const char* const value = std::getenv((prefix + name).c_str());
    if (value != nullptr && *value != '\0') return value;
  }
  return nullptr;
}

[[noreturn]] void refuse_size(const char* text) {
  fail(errc::input,
       "SHMEM_SYMMETRIC_SIZE={}: not a number of bytes, with k, m, g or t behind it for 2 to the "
       "power of 10, 20, 30 or 40",
       text);
}

/// Parses a number with a decimal point, whatever the locale of the program is.
double number_at(const char* text, char** end) {
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  return strtod_l(text, end, plain);
}

std::size_t size_in(const char* text) {
  char* end = nullptr;
  const double number = number_at(text, &end);
  constexpr std::string_view k_units = "kmgt";
  int shift = 0;
  if (end != text && *end != '\0') {
    const auto unit = k_units.find(static_cast<char>(*end | 0x20));
    if (unit == std::string_view::npos || end[1] != '\0') refuse_size(text);
    shift = 10 * static_cast<int>(unit + 1);
  }
  const double bytes = std::ldexp(number, shift);
  if (end == text || !(bytes >= 0) || bytes > 0x1p62) refuse_size(text);
  return static_cast<std::size_t>(bytes);
}

environment_variables read() {
  environment_variables found;
  found.says_version = value_of("VERSION") != nullptr;
  found.says_information = value_of("INFO") != nullptr;
  found.says_more = value_of("DEBUG") != nullptr;
  const char* const size = value_of("SYMMETRIC_SIZE");
  found.symmetric_size = size != nullptr ? size_in(size) : SIZE_MAX;
  return found;
}

}  // namespace

const environment_variables& variables() {
  static const environment_variables only = read();
  return only;
}

void say_version() {
  std::printf("%s, OpenSHMEM %d.%d\n", SHMEM_VENDOR_STRING, SHMEM_MAJOR_VERSION,
              SHMEM_MINOR_VERSION);
}

void say_variables() {
  std::puts(R"(SHMEM_VERSION         when set, the version is printed at the start
SHMEM_INFO            when set, this is
SHMEM_SYMMETRIC_SIZE  the most bytes shmem_malloc gives each PE, as in 64m or 1.5G; without it, as
                      much as there is
SHMEM_DEBUG           when set, the runtime says more on standard error
SMA_...               the same
ATOLL_...             settings of the runtime (`atoll options` lists them))");
}

void say_what_is_asked_for() {
  if (variables().says_version) say_version();
  if (variables().says_information) say_variables();
  std::fflush(stdout);
}

namespace {

/// Returns the settings for the job of an OpenSHMEM program. Reports of stalled PEs are off,
/// because a program may compute for a long time between two calls. PEs are pinned to cores only
/// for single-threaded programs, because additional threads need other cores.
settings settings_of_program(int thread_level) {
  settings options = settings::from_environment();
  options.stall_time = 0;
  options.pin = options.pin && thread_level == SHMEM_THREAD_SINGLE;
  if (variables().says_more) options.log_level = log_level::debug;
  return options;
}

/// An exit hook for programs that end with status 0 without `shmem_finalize`: leaves the job. Exit
/// hooks run in the reverse order of their registration. `finalize_at_exit` is registered after the
/// exit hook of the runtime, so `finalize_at_exit` runs first.
void finalize_at_exit(int status, void*) {
  if (status == 0) end();
}

/// Returns the program object (program.hpp) for a thread level. If several threads of the program
/// may make calls, even if only one at a time, the scheduler runs on a thread of its own.
program& program_for(int thread_level) {
  return thread_level >= SHMEM_THREAD_SERIALIZED ? program_beside_thread() : program_beside_fiber();
}

}  // namespace

int begin(int wanted_thread_level) {
  world& w = the_world;
  if (w.runs_beside != nullptr) return w.thread_level;
  open_standard_descriptors();
  try {
    const settings options = settings_of_program(wanted_thread_level);
    w.thread_level = wanted_thread_level;
    w.runs_beside = &program_for(wanted_thread_level);
    if (w.runs_beside->is_pe()) w.waits_in = "shmem_init";
    w.runs_beside->start(options, join_world);
    w.waits_in = nullptr;
  } catch (...) {
    const std::exception_ptr failure = std::current_exception();
    transport::say("error: shmem_init: {}", describe(failure).c_str());
    leave(exit_status_of(failure));
  }
  job::call_at_exit(finalize_at_exit);
  if (w.pe == 0) say_what_is_asked_for();
  return w.thread_level;
}

void end() {
  world& w = the_world;
  if (w.pes == 0) return;
  static constexpr memory::collective_kind k_finalize{"shmem_finalize"};
  await("shmem_finalize", [] { return memory::barrier_of_all(site::current(), k_finalize); });
  share_with_children(w.transport->segment(w.pe));
  w.pes = 0;
  w.transport = nullptr;
  w.of_scheduler = nullptr;
  w.runs_beside->finish();
}

void end_everywhere(int exit_status) {
  if (the_world.transport == nullptr) leave(exit_status);
  job::flush_output();
  the_world.transport->fail(exit_status);
  leave(exit_status);
}

}  // namespace atl::shmem
