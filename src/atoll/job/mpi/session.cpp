#include "atoll/job/mpi/session.hpp"

#include "atoll/base/modules.hpp"
#include "atoll/error.hpp"
#include "atoll/job/bootstrap.hpp"
#include "atoll/job/mpi/node_memory.hpp"
#include "atoll/job/mpi/plugin_loader.hpp"
#include "atoll/job/output.hpp"
#include "atoll/job/rank_keeper.hpp"
#include "atoll/job/wire.hpp"
#include "atoll/launch.hpp"
#include "atoll/log.hpp"
#include "atoll/random.hpp"
#include "atoll/transport/internode/memory_records.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sched.h>
#include <string>
#include <string_view>
#include <sys/time.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace atl::job {
namespace {

/// The description of a rank. All ranks first exchange their descriptions, to check that they run
/// the same program and to find the ranks of each host.
struct rank_info {
  /// Hash of the program's file; 0 if the file can be executed but not read.
  std::uint64_t program;
  std::uint64_t build;    ///< hash of the build id in the program
  std::uint64_t machine;  ///< identifies the machine on which the rank runs
  std::uint64_t host;     ///< hash that is equal for ranks that may share memory
  std::array<char, 64> host_name;
  std::array<char, 160> program_name;
};

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t result = hash(text.size());
  for (; !text.empty(); text.remove_prefix(std::min<std::size_t>(8, text.size()))) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), std::min<std::size_t>(8, text.size()));
    result = hash(result ^ word);
  }
  return result;
}

std::string content_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::uint64_t hash_of_program() {
  const std::string content = content_of("/proc/self/exe");
  return content.empty() ? 0 : hash_of(content);
}

std::string link_target(const char* path) {
  std::error_code none;
  return std::filesystem::read_symlink(path, none).string();
}

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

template <std::size_t N>
void copy_to(std::array<char, N>& to, const std::string& text) {
  text.copy(to.data(), N - 1);
}

/// Returns the description of this rank. The hash `host` includes the PID namespace, because the
/// hang watch reads the state of the processes of other ranks from /proc.
rank_info own_card() {
  rank_info card{};
  const std::string boot = content_of("/proc/sys/kernel/random/boot_id");
  card.program = hash_of_program();
  card.build = hash_of_program_build();
  card.machine = hash_of(boot.empty() ? host_name() : boot);
  card.host =
      hash_of(host_name() + boot + link_target("/proc/self/ns/pid") + std::to_string(getuid()));
  copy_to(card.host_name, host_name());
  copy_to(card.program_name, link_target("/proc/self/exe"));
  return card;
}

/// Returns whether two ranks run the same program. If both ranks could read the file of the
/// program, compares hashes of the files. If a rank could not read the file, compares the build
/// ids.
bool is_same_program(const rank_info& a, const rank_info& b) {
  if (a.program != 0 && b.program != 0) return a.program == b.program;
  return a.build == b.build;
}

/// Returns a hash of the value of each setting, in the order of the table of settings.
std::vector<std::uint64_t> hashes_of(const settings& settings) {
  std::vector<std::uint64_t> hashes;
  for (const auto& row : settings_table()) hashes.push_back(hash_of(settings.value(row.name)));
  return hashes;
}

// MPI tag of the messages that announce jobs. The tag differs from all tags within a job, because
// receives of an ended job may still be posted.
constexpr int job_tag = transport::internode::got_data_tag + 1;
constexpr std::size_t longest_announcement = 16384;
constexpr long shortest_nap = 20'000;
constexpr long longest_pause = 2'000'000;
// Time limits in microseconds. When Open MPI's mpirun ends ranks, it pauses for a second between
// two signals. During the pause, mpirun does not answer a rank that calls MPI_Abort, but will end
// this rank anyway.
constexpr long longest_time_to_print = 1'000'000;
constexpr long longest_time_to_abort = 300'000;

void nap(long nanoseconds) {
  const timespec time{0, nanoseconds};
  nanosleep(&time, nullptr);
}

launch checked_launch() {
  const auto found = present_launch();
  if (!found) fail(errc::internal, "no launcher has started this process");
  if (launcher_has_hung_up())
    fail(errc::input,
         "{} no longer talks to rank {}: it has ended, or an earlier program of a script was this "
         "rank; a rank is one program of MPI, so start each by a launcher of its own",
         found->launcher, found->rank);
  return *found;
}

/// Returns the announcement of a job. After the first line "job", the text has a line for each
/// setting that is not the default. If the runtime has determined the value of a setting, the line
/// begins with a star.
std::string text_of(const settings& settings) {
  std::string text = "job\n";
  for (const auto& row : settings_table())
    if (settings.origin(row.name) != "default")
      text += fmt::format("{}{}={}\n", settings.origin(row.name) == "machine" ? "*" : "", row.name,
                          settings.value(row.name));
  return text;
}

settings settings_in(std::string_view text) {
  settings result;
  for (text.remove_prefix(text.find('\n') + 1); !text.empty();) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() + 1);
    const bool is_found = line.starts_with('*');
    if (is_found) line.remove_prefix(1);
    const std::size_t equals = line.find('=');
    result.set(line.substr(0, equals), line.substr(equals + 1),
               is_found ? "machine" : "--" + std::string(line));
  }
  return result;
}

/// Starts MPI, and restores the action of SIGUSR1. MPICH uses SIGUSR1 for jobs that continue after
/// the death of a rank. A job of Atoll ends when a rank dies, so MPICH does not need SIGUSR1.
int begin_mpi(const atoll_mpi_api& mpi) {
  struct sigaction of_program{};
  sigaction(SIGUSR1, nullptr, &of_program);
  const int failure = mpi.begin();
  sigaction(SIGUSR1, &of_program, nullptr);
  return failure;
}

volatile std::sig_atomic_t status_of_late_end = 0;

/// Ends this process with `status` after `microseconds`, if the process has not ended before.
/// Without the time limit, this rank could block forever, because the launcher may read no output
/// or be unable to end the ranks. When this process has ended, its keeper process ends the other
/// ranks. A later call replaces the time limit.
void limit_time_to_end(int status, long microseconds) noexcept {
  status_of_late_end = status;
  signal(SIGALRM, [](int) { _exit(status_of_late_end); });
  sigset_t alarms;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &alarms, nullptr);
  const itimerval limit{{0, 0}, {microseconds / 1'000'000, microseconds % 1'000'000}};
  setitimer(ITIMER_REAL, &limit, nullptr);
}

}  // namespace

session& session::of_process(const settings& settings) {
  static session only(settings, checked_launch());
  return only;
}

session::session(const settings& settings, const launch& started_by)
    : mpi_(load_plugin(settings, started_by)),
      kept_(keep_rank(started_by.rank, settings.start_timeout)),
      process_(getpid()) {
  kept_.begins_mpi = true;
  const int failure = begin_mpi(mpi_);
  kept_.begins_mpi = false;
  if (failure != 0)
    fail(errc::environment, "{} could not be started as {} asks: its error {}", mpi_.library,
         started_by.launcher, failure);
  kept_.has_begun_mpi = true;
  if (mpi_.size() == 1 && started_by.ranks > 1)
    refuse(fmt::format("{} has started {} ranks, and {} found each of them alone: use the launcher "
                       "that belongs to it, or another --mpi",
                       started_by.launcher, started_by.ranks, mpi_.library));
  try {
    sends_.resize(static_cast<std::size_t>(mpi_.size()));
    const std::vector<std::uint64_t> hosts = compare_programs();
    compare_settings(settings);
    divide_into_nodes(hosts);
    find_memory(settings);
  } catch (...) {
    if (ended_) throw;  // all ranks have refused the job and ended MPI
    abort_by_exception();
  }
}

void session::end() {
  if (ended_ || getpid() != process_) return;
  ended_ = true;
  if (is_first() && has_servants_) send_to_all("end\n");
  mpi_.end();
}

// All ranks call this function for the same reason, but only rank 0 throws. Other ranks end with
// status 0. If another rank ended with a status other than 0, the launcher might end rank 0 before
// rank 0 has printed the reason.
void session::refuse(const std::string& why) {
  ended_ = true;
  const bool speaks = is_first();
  mpi_.end();
  if (!speaks) _exit(0);
  fail(errc::environment, "{}", why);
}

/// Checks that all ranks run the same program. Returns a number for each rank. Ranks of the same
/// host have equal numbers.
std::vector<std::uint64_t> session::compare_programs() {
  const rank_info mine = own_card();
  std::vector<rank_info> all(static_cast<std::size_t>(mpi_.size()));
  mpi_.all_gather(&mine, sizeof mine, all.data());
  std::vector<std::uint64_t> hosts;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (!is_same_program(all[rank], all[0]))
      refuse(fmt::format("rank {} runs another program than rank 0: {} on {} is not {} on {}; copy "
                         "the same file to all hosts and start it everywhere",
                         rank, all[rank].program_name.data(), all[rank].host_name.data(),
                         all[0].program_name.data(), all[0].host_name.data()));
    hosts.push_back(all[rank].host);
    machines_.push_back(all[rank].machine);
  }
  return hosts;
}

void session::divide_into_nodes(const std::vector<std::uint64_t>& hosts) {
  sharing found = find_sharing(mpi_, hosts);
  sharing_ = std::move(found.group_of);
  if (found.apart == 0 || !is_first()) return;
  log::warning(
      "rank {} cannot be handed the memory of others of its host, and counts as of another "
      "node: {} ({}; memory goes over Unix sockets, which ranks must see in one network "
      "namespace)",
      found.first_apart, std::strerror(found.reason),
      found.apart == 1 ? "it alone" : fmt::format("{} ranks in all", found.apart));
}

// Determines the memory limit before the first job, after all ranks have started MPI. After the
// start, the memory that MPI itself uses no longer counts as free.
void session::find_memory(const settings& settings) {
  const auto here = std::ranges::count(machines_, machines_[static_cast<std::size_t>(mpi_.rank())]);
  const std::uint64_t mine = share_of_group(static_cast<int>(here), settings, read_memory_status());
  std::vector<std::uint64_t> all(machines_.size());
  mpi_.all_gather(&mine, sizeof mine, all.data());
  share_of_group_ = *std::ranges::min_element(all);
}

settings session::within_control_groups(const settings& asked) const {
  return with_share(asked, mpi_.size(), share_of_group_);
}

transport::internode::node_map session::nodes(std::uint64_t node_size) const {
  return transport::internode::nodes_of(sharing_, machines_, mpi_.rank(), node_size);
}

void session::compare_settings(const settings& settings) {
  const auto mine = hashes_of(settings);
  const auto table = settings_table();
  std::vector<std::uint64_t> all(mine.size() * machines_.size());
  mpi_.all_gather(mine.data(), static_cast<int>(mine.size() * sizeof mine[0]), all.data());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& row = table[i % mine.size()];
    if (all[i] != all[i % mine.size()])
      refuse(
          fmt::format("rank {} has another --{} than rank 0 (there: {}); give all ranks the same "
                      "flags, and {} to all of them (mpirun -x, mpiexec -genv)",
                      i / mine.size(), row.name, settings.value(row.name), row.variable()));
  }
}

// `send_to_all` allocates no memory, so that rank 0 can end the other ranks even if memory is
// exhausted.
void session::send_to_all(std::string_view text) {
  for (int rank = 1; rank < mpi_.size(); ++rank)
    mpi_.start_send(text.data(), static_cast<int>(text.size()), rank, job_tag,
                    &sends_[static_cast<std::size_t>(rank)]);
  for (std::size_t rank = 1; rank < sends_.size(); ++rank)
    while (mpi_.test(&sends_[rank], nullptr, nullptr) == 0) sched_yield();
}

void session::announce_job(const settings& settings) {
  const std::string text = text_of(settings);
  if (text.size() > longest_announcement) fail(errc::input, "the settings are too long for MPI");
  send_to_all(text);
}

std::optional<settings> session::next_job() {
  std::string text(longest_announcement, '\0');
  atoll_mpi_request receive{};
  mpi_.start_receive(text.data(), static_cast<int>(text.size()), -1, job_tag, &receive);
  int bytes = 0;
  for (long time = shortest_nap; mpi_.test(&receive, nullptr, &bytes) == 0;
       time = std::min(2 * time, longest_pause))
    nap(time);
  text.resize(static_cast<std::size_t>(bytes));
  if (!text.starts_with("job\n")) return std::nullopt;
  return settings_in(text);
}

void session::abort(int status) {
  ended_ = true;
  kept_.has_spoken = true;
  limit_time_to_end(status, longest_time_to_print);
  flush_output();
  let_output_be_forwarded();
  limit_time_to_end(status, longest_time_to_abort);
  mpi_.abort(status);
  _exit(status);
}

void session::abort_by_exception() {
  const std::exception_ptr failure = std::current_exception();
  say("PE {}: error: {}", mpi_.rank(), describe(failure).c_str());
  abort(exit_status_of(failure));
}

}  // namespace atl::job
