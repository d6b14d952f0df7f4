// Tests in which folders the program looks for the plug-in of an MPI library. Each test puts a file
// that is no library into a folder, and expects an error with the path of the file. The tests do
// not need MPI.

#include "tests/app/shell.hpp"

#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

namespace atl::app {
namespace {

namespace fs = std::filesystem;

const std::string plugin = "libatoll_mpi_mpich.so";

/// A copy of the program that is installed under another prefix.
class moved_program : public testing::Test {
 protected:
  moved_program() {
    fs::create_directories(prefix_ / "bin");
    shell("cp $p " + program());
    std::ofstream(graph()) << "0 1\n";
  }
  ~moved_program() override { fs::remove_all(prefix_); }

  std::string program() const { return prefix_ / "bin/solver"; }

  std::string graph() const { return prefix_ / "chain.el"; }

  fs::path put_into(const std::string& folder) const {
    fs::create_directories(prefix_ / folder);
    std::ofstream(prefix_ / folder / plugin) << "no library";
    return prefix_ / folder / plugin;
  }

  /// Starts the program as MPICH's mpiexec does, and expects that the program loads `file`.
  void expect_taken(const fs::path& file, const std::string& more = "") const {
    expect(fmt::format("PMI_RANK=0 PMI_SIZE=2 LD_LIBRARY_PATH={}/extra {} cc {} {}",
                       prefix_.string(), program(), graph(), more),
           2, "the MPI plug-in cannot be loaded: " + file.string() + ":");
  }

  const fs::path prefix_ = fs::canonical(testing::TempDir()) / fmt::format("moved_{}", getpid());
};

TEST_F(moved_program, finds_its_plugin_in_the_nearest_place) {
  expect_taken(put_into("extra"));
  expect_taken(put_into("lib/x86_64-linux-gnu/atoll"));
  expect_taken(put_into("lib/atoll"));
  expect_taken(put_into("bin"));
  expect_taken(put_into("bin/atoll"));
  expect_taken("/none.so", "--mpi-plugin /none.so");
}

}  // namespace
}  // namespace atl::app
