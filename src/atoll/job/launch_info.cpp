#include "atoll/job/launch_info.hpp"

#include "atoll/error.hpp"
#include "atoll/machine.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <locale>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace atl::job {
namespace {

/// Lowest number for inherited descriptors. The number is high, because shell scripts and programs
/// use descriptors with low numbers.
constexpr int first_number = 900;

file_identity identity_of(int descriptor) noexcept {
  struct stat seen{};
  if (fstat(descriptor, &seen) != 0) return {};
  return {seen.st_dev, seen.st_ino};
}

/// Copies `descriptor` to a descriptor with a number of at least `first_number`. If the limit of
/// open files does not permit such a high number, the copy gets a lower number.
int copy_of(int descriptor) {
  int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, first_number);
  if (copy < 0 && errno == EINVAL) copy = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (copy < 0)
    fail(errc::environment, "the memory of the job has no descriptor for its programs: {}",
         refusal_text(errno, refused::file));
  return copy;
}

/// Opens the file of the launcher's descriptor by the descriptor's link in /proc. If the file
/// cannot be opened or is not `file`, returns -1 and sets errno.
int opened_at_launcher(pid_t launcher, int descriptor, const file_identity& file) {
  const auto path = fmt::format("/proc/{}/fd/{}", launcher, descriptor);
  const int opened = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (opened < 0 || identity_of(opened) == file) return opened;
  close(opened);
  errno = ESTALE;
  return -1;
}

int taken(const handed_region& handed, std::size_t which) {
  const int descriptor = handed.descriptors[which];
  const file_identity& file = handed.files[which];
  if (identity_of(descriptor) == file && fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0)
    return descriptor;
  const int opened = opened_at_launcher(handed.launcher, descriptor, file);
  if (opened < 0)
    fail(errc::environment,
         "the memory of the job cannot be reached: this program has not inherited descriptor {} of "
         "its launcher, process {}, and cannot open it there: {}; let whatever starts the program "
         "leave descriptors open",
         descriptor, handed.launcher, refusal_text(errno, refused::file));
  return opened;
}

}  // namespace

std::string text_of(const handed_region& of) {
  return fmt::format("{} {} {} {} {} {} {} {} {} {}", of.launcher, of.shape.slots,
                     of.shape.shares.segment_bytes, of.shape.shares.private_bytes,
                     of.descriptors[0], of.files[0].device, of.files[0].inode, of.descriptors[1],
                     of.files[1].device, of.files[1].inode);
}

std::istream& operator>>(std::istream& words, handed_region& of) {
  words >> of.launcher >> of.shape.slots >> of.shape.shares.segment_bytes >>
      of.shape.shares.private_bytes;
  for (std::size_t i = 0; i < of.files.size(); ++i)
    words >> of.descriptors[i] >> of.files[i].device >> of.files[i].inode;
  return words;
}

inherited_region::inherited_region(const shm::region& region)
    : handed_{.launcher = getpid(), .shape = region.shape()} {
  const shm::region_descriptors of = region.descriptors();
  handed_.descriptors = {copy_of(of.memory), copy_of(of.segments)};
  for (std::size_t i = 0; i < handed_.files.size(); ++i)
    handed_.files[i] = identity_of(handed_.descriptors[i]);
}

inherited_region::~inherited_region() {
  for (const int each : handed_.descriptors) close(each);
}

int inherited_region::leave_to_program() const noexcept {
  for (const int each : handed_.descriptors)
    if (fcntl(each, F_SETFD, 0) != 0) return errno;
  return 0;
}

shm::region_descriptors take_descriptors(const handed_region& handed) {
  const int memory = taken(handed, 0);
  return {memory, taken(handed, 1)};
}

std::string text_of(const launch_info& card) {
  return fmt::format("{} {} {} {} {}", card.pe, card.pes, card.own_cores ? 1 : 0, card.core,
                     text_of(card.region));
}

launch_info card_in(const std::string& text) {
  std::istringstream words(text);
  words.imbue(std::locale::classic());
  launch_info card;
  words >> card.pe >> card.pes >> card.own_cores >> card.core >> card.region;
  const bool is_whole = !words.fail() && (words >> std::ws).eof();
  if (!is_whole || card.pes < 1 || card.pes > shm::max_pes_of_node || card.pe < 0 ||
      card.pe >= card.pes)
    fail(errc::environment, "{}={}: not what a launcher of this version says",
         launch_info::variable, text);
  return card;
}

std::optional<launch_info> take_launch_info() {
  if (!has_launch_info()) return std::nullopt;
  const launch_info card = card_in(std::getenv(launch_info::variable));
  unsetenv(launch_info::variable);
  return card;
}

bool has_launch_info() noexcept {
  const char* const text = std::getenv(launch_info::variable);
  return text != nullptr && *text != '\0';
}

}  // namespace atl::job
