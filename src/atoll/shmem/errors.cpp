#include "atoll/shmem/errors.hpp"

#include "atoll/error.hpp"
#include "atoll/memory/heap.hpp"
#include "atoll/shmem/callers.hpp"
#include "atoll/shmem/world.hpp"
#include "atoll/transport/say.hpp"

#include <fmt/format.h>

namespace atl::shmem {
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
