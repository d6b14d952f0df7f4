// Tests the program `atoll` as a user starts it, from the folder of this test.

#include "tests/app/shell.hpp"

namespace atl::app {
namespace {

TEST(the_program, says_its_version) { expect("$p --version", 0, "atoll " ATOLL_VERSION "\n"); }

TEST(the_program, without_a_command_shows_its_help) { expect("$p", 2, "doctor"); }

TEST(the_program, lists_its_settings) {
  expect("$p options", 0, "buffer-size");
  expect("$p options --measurement", 0, "buffers-per-pair");
  expect("$p options --pes 3", 0, "3               flag");
  expect("ATOLL_PES=3 $p options", 0, "3               environment");
  expect("ATOLL_PES=3 $p options --atoll-pes=5", 0, "5               flag");
  expect("$p options --markdown", 0, "# Settings");
}

TEST(the_program, refuses_bad_input_with_status_2) {
  expect("$p optoins", 2, "atoll: error: unknown command optoins, did you mean options?\n");
  expect("$p options --pess 3", 2, "atoll: error: unknown flag --pess, did you mean --pes?\n");
  expect("$p options --pes 0", 2, "atoll: error: --pes: 0 is out of range (1 to 16384)\n");
  expect("$p bench gups --pes 1025", 2,
         "atoll: error: pes: 1025 is out of range (1 to 1024 where they share memory, to 16384 "
         "simulated)\n");
  expect("$p options --atoll-pess 3", 2, "did you mean --atoll-pes?\n");
  expect("ATOLL_PESS=3 $p options", 2, "did you mean ATOLL_PES?\n");
  expect("ATOLL_PES=x $p options", 2, "atoll: error: ATOLL_PES: \"x\" is not a whole number\n");
}

TEST(the_program, refuses_files_without_a_name) {
  expect("$p options --trace -", 2, "atoll: error: --trace: a file is needed, and - is none\n");
  expect("$p bench gups --json ''", 2, "atoll: error: --json: the text is empty\n");
  expect("$p bench bfs --scale 0 --pes 1", 2,
         "atoll: error: --scale 0 --edge-factor 16: there is no edge to search\n");
}

TEST(the_program, says_that_its_output_is_lost) {
  const std::string lost = "atoll: error: standard output could not be written";
  for (const std::string command :
       {"--help", "options", "options --markdown", "doctor", "bench gups --log2-table 10 --pes 2",
        "bench gups --log2-table 10 --pes 2 --json -",
        "bench gups --log2-table 10 --pes 2 --tag-output on"}) {
    expect("$p " + command + " > /dev/full", 2, lost);
    // The loop in the shell ends as soon as the pipe has no reader. The program starts after the
    // loop, so the program's output goes to a pipe without a reader.
    expect("trap '' PIPE; { while echo 2>/dev/null; do sleep 0.1; done; $p " + command +
               "; echo \"status $?\" >&2; } | true",
           0, "status 2");
  }
}

TEST(the_program, doctor_finds_that_atoll_works_where_its_tests_run) {
  expect("$p doctor", 0, "Atoll works here.");
}

#ifndef ATOLL_SANITIZED  // A sanitized program needs terabytes of address space.
TEST(the_program, doctor_names_what_stands_in_the_way) {
  expect("ulimit -v 200000; $p doctor", 2, "Atoll does not work here: 1 problem.");
  expect("ulimit -v 4000000; $p doctor", 0, "note     address space");
}

TEST(the_program, makes_do_with_less_address_space_than_it_would_take) {
  // Without a limit, each PE reserves address space of the size of the machine's memory, in
  // addition to the symmetric segments.
  for (const std::string times : {"1.5", "2.5", "3.2", "4.5"})
    expect("ulimit -v $(awk '/MemTotal/ {print int($2 * " + times +
               ")}' /proc/meminfo); $p bench cc --scale 8 --verify --trials 1 --pes 2",
           0, "verified");
}
#endif

}  // namespace
}  // namespace atl::app
