#include "atoll/shmem/world.hpp"

#include "atoll/collectives.hpp"
#include "atoll/shmem/errors.hpp"
#include "atoll/shmem/lifetime.hpp"
#include "atoll/shmem/static_data.hpp"
#include "atoll/shmem/teams.hpp"
#include "atoll/shmem_tasks.hpp"
#include "atoll/symmetric_collectives.hpp"
#include "atoll/task.hpp"

#include <deque>
#include <fmt/format.h>
#include <new>
#include <pthread.h>
#include <string_view>
#include <sys/mman.h>

namespace atl::shmem {

world the_world;

namespace {

/// Returns true if a report's entry is about a task of this library, which performs a call of the
/// program.
bool does_a_call(const observe::finding& one) {
  if (one.what > observe::fact::runs || !one.spawned.known()) return false;
  return std::string_view(one.spawned.file()).find("shmem/program_beside_") !=
         std::string_view::npos;
}

/// Adds the OpenSHMEM call in which the program waits to the report on waiting tasks, and removes
/// the tasks that perform the call. Entries of the report about collectives name source lines of
/// this library. The function replaces each line of this library by the line of the program's
/// OpenSHMEM call. If the line of the OpenSHMEM call is not known, the name of the call is used
/// instead.
void tell_call(std::vector<observe::finding>& into) {
  using observe::fact;
  const world& w = the_world;
  if (w.waits_in == nullptr) return;
  const std::string line = line_of_call(w.runs_beside->caller());
  const std::string call = w.waits_in + (line.empty() ? "" : ", called at " + line);
  std::erase_if(into, does_a_call);
  for (observe::finding& one : into)
    if (one.what == fact::entered)
      one = {fact::entered, {}, {}, one.count, one.number, line.empty() ? w.waits_in : line};
  into.push_back({.what = fact::program, .place = call});
}

void learn_who_this_is() {
  world& w = the_world;
  pe& self = this_pe();
  w.of_scheduler = &self;
  w.transport = self.transport;
  w.pe = self.rank;
  w.pes = self.size;
  w.transport->sections().add(tell_call);
}

void learn_the_heap() {
  world& w = the_world;
  w.heap.begin = reinterpret_cast<std::uintptr_t>(w.transport->segment(w.pe));
  w.heap.bytes = w.transport->segment_bytes();
  for (int pe = 0; pe < w.pes; ++pe) w.heap.beginnings.push_back(w.transport->directly_mapped(pe));
  const auto file = w.transport->common();
  copy_in_children({w.transport->segment(w.pe), w.heap.bytes, PROT_READ | PROT_WRITE,
                    file.descriptor, static_cast<off_t>(file.own_segment)});
}

/// Makes a forked child process forget the job, because the child process is not a PE.
void leave_in_child() noexcept {
  the_world.pes_of_parent = the_world.pes;
  the_world.pes = 0;
  the_world.transport = nullptr;
  current_pe = nullptr;
}

void leave_in_children() {
  static const int refused = pthread_atfork(nullptr, nullptr, leave_in_child);
  if (refused != 0) throw std::bad_alloc();
}

void check_equal_programs(const std::vector<std::uint64_t>& bytes) {
  for (std::size_t pe = 1; pe < bytes.size(); ++pe)
    if (bytes[pe] != bytes[0])
      fail(errc::input,
           "PE {} has {} bytes of global and static data, and PE 0 has {}: all PEs must run the "
           "same program",
           pe, bytes[pe], bytes[0]);
}

/// Returns the number of PEs with numbers below `pe` whose memory is directly accessible. If `pe`
/// is the number of PEs of the job, the result counts all PEs whose memory is directly accessible.
std::size_t place_among_reached(int pe) {
  std::size_t before = 0;
  for (int other = 0; other < pe; ++other)
    before += the_world.transport->directly_mapped(other) != nullptr ? 1 : 0;
  return before;
}

/// Shares the static data of this PE, and maps the static data of the other PEs of the node.
task<> learn_the_data() {
  world& w = the_world;
  check_equal_programs(co_await all_gather(std::uint64_t{static_data::bytes_of_program()}));
  const auto& common = w.transport->common();
  static const auto& own =
      *new static_data(common, place_among_reached(w.pe), place_among_reached(w.pes));
  static auto& others = *new std::deque<foreign_static_data>;
  w.data.begin = reinterpret_cast<std::uintptr_t>(own.bytes().data());
  w.data.bytes = own.bytes().size();
  w.data.remote_offset = transport::exposed_offset;
  // before the barrier, the file may still be too short for the ranges of other PEs
  co_await all_barrier();
  for (int pe = 0; pe < w.pes; ++pe) {
    std::byte* begin = pe == w.pe ? own.bytes().data() : nullptr;
    if (pe != w.pe && w.transport->directly_mapped(pe) != nullptr)
      begin = others.emplace_back(common, place_among_reached(pe), w.data.bytes).begin();
    w.data.beginnings.push_back(begin);
  }
}

/// Allocates the symmetric words by which the members of teams synchronise.
task<> make_meeting_places() {
  std::uint64_t offset = 0;
  if (my_pe() == 0)
    offset =
        co_await memory::allocate_everywhere(k_team_bytes, placement::symmetric, site::current());
  offset = co_await all_broadcast(offset, 0);
  prepare_teams(this_pe().memory->local(offset));
}

void open_to_far_pes() {
  const world& w = the_world;
  auto* const far = w.transport->far_memory();
  if (far == nullptr) return;
  far->expose({reinterpret_cast<std::byte*>(w.data.begin), w.data.bytes});
  far->open();
}

}  // namespace

task<> join_world() {
  learn_who_this_is();
  learn_the_heap();
  co_await learn_the_data();
  leave_in_children();
  open_to_far_pes();
  // After the barrier, PE 0 allocates symmetric memory, which accesses all PEs. All PEs must have
  // exposed their data before PE 0 accesses the memory of all PEs.
  co_await all_barrier();
  co_await make_meeting_places();
  co_await one_sided::barrier();
}

void do_here(const char* call, void (*work)(const void*), const void* of) {
  try {
    work(of);
  } catch (const transport::job_ended&) {
    // The job has ended: the scheduler runs, notices the end, and ends this process.
    await(call, []() -> task<> { co_await yield(); });
    end_by_exception(call);
  } catch (...) {
    end_by_exception(call);
  }
}

std::uint64_t offset_of_heap(int pe, const void* local, std::size_t bytes) {
  const world& w = the_world;
  const auto at = reinterpret_cast<std::uintptr_t>(local);
  if (pe < 0 || pe >= w.pes || !w.heap.holds(at, bytes))
    fail(errc::input, "address_on: there is no memory of shmem_malloc at {} on PE {}",
         fmt::ptr(local), pe);
  return memory::k_symmetric + (at - w.heap.begin);
}

void await(const char* call, const program::work& asked) {
  check_running(call);
  if (the_world.runs_beside->is_pe()) the_world.waits_in = call;
  try {
    the_world.runs_beside->await(asked);
    the_world.waits_in = nullptr;
  } catch (...) {
    end_by_exception(call);
  }
}

}  // namespace atl::shmem
