#include "atoll/job/early_end.hpp"

#include "atoll/job/on_exit.hpp"
#include "atoll/job/output.hpp"
#include "atoll/launch.hpp"

#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace atl::job {
namespace {

constexpr int longest_wait_for_answer = 1000;  // milliseconds

/// -1 where there is none.
int number_in(const char* variable) noexcept {
  const char* const text = std::getenv(variable);
  const std::string_view digits = text != nullptr ? text : "";
  int number = -1;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

/// By which a rank talks to MPICH's mpiexec, in the protocol PMI: lines of words.
class line_to_mpiexec {
 public:
  /// When the program is loaded: later the number may stand for another file.
  line_to_mpiexec() noexcept : file_(number_in("PMI_FD")), socket_(present_socket()) {
    if (socket_ == 0 || number_in("PMI_SIZE") < 2) return;
    process_ = getpid();
    call_at_exit(on_exit);
  }

  /// MPI closes it when it ends.
  bool is_open() const noexcept { return process_ != 0 && present_socket() == socket_; }

  int file() const noexcept { return file_; }

  bool belongs_to_this_process() const noexcept { return process_ == getpid(); }

  bool has_hung_up() const noexcept {
    pollfd asked{file_, 0, 0};
    return is_open() && poll(&asked, 1, 0) == 1 && (asked.revents & POLLHUP) != 0;
  }

  /// Where mpiexec cannot write an answer, it says more of that than of why the job ends, and ends
  /// with another status. So what the PE had asked for is taken, too, and this process stays until
  /// it is ended.
  void ask_for_end(int status) const noexcept {
    while (takes_answer(0)) {
    }
    send_command("init pmi_version=1 pmi_subversion=1");
    takes_answer(longest_wait_for_answer);  // two commands at once are an error
    char text[40];
    *fmt::format_to_n(text, sizeof text - 1, "abort exitcode={}", status).out = '\0';
    send_command(text);
    while (takes_answer(longest_wait_for_answer)) {
    }
  }

 private:
  static void on_exit(int status, void*);

  /// False: none has come, or none will ever.
  bool takes_answer(int milliseconds) const noexcept {
    pollfd answered{file_, POLLIN, 0};
    char text[256];
    return poll(&answered, 1, milliseconds) == 1 &&
           recv(file_, text, sizeof text, MSG_DONTWAIT) > 0;
  }

  void send_command(const char* words) const noexcept {
    char text[60];
    const auto* const end = fmt::format_to_n(text, sizeof text, "cmd={}\n", words).out;
    send(file_, text, static_cast<std::size_t>(end - text), MSG_NOSIGNAL);
  }

  /// 0: the file is no socket.
  ino_t present_socket() const noexcept {
    struct stat seen{};
    return fstat(file_, &seen) == 0 && S_ISSOCK(seen.st_mode) ? seen.st_ino : 0;
  }

  int file_;
  ino_t socket_;
  pid_t process_ = 0;  ///< 0: nobody is to be told
};

const line_to_mpiexec line;

void line_to_mpiexec::on_exit(int status, void*) {
  if (status != 0 && line.belongs_to_this_process()) end_waiting_ranks(status & 0xff);
}

}  // namespace

void end_waiting_ranks(int status) noexcept {
  if (!line.is_open()) return;
  flush_output();
  let_output_be_forwarded();
  line.ask_for_end(status);
}

int file_to_mpiexec() noexcept { return line.is_open() ? line.file() : -1; }

bool launcher_has_hung_up() noexcept { return line.has_hung_up(); }

}  // namespace atl::job
