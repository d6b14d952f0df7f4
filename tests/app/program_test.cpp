// The program `atoll` as a user starts it. It stands beside this test.

#include "tests/app/shell.hpp"

namespace atl::app {
namespace {

TEST(the_program, says_its_version) { expect("$p --version", 0, "atoll " ATOLL_VERSION "\n"); }

TEST(the_program, without_a_command_shows_its_help) { expect("$p", 2, "doctor"); }

TEST(the_program, lists_its_settings) {
  expect("$p options", 0, "buffers-per-pair");
  expect("$p options --pes 3", 0, "3               flag");
  expect("ATOLL_PES=3 $p options", 0, "3               environment");
  expect("ATOLL_PES=3 $p options --atoll-pes=5", 0, "5               flag");
  expect("$p options --markdown", 0, "# Settings");
}

TEST(the_program, refuses_bad_input_with_status_2) {
  expect("$p optoins", 2, "atoll: error: unknown command optoins, did you mean options?\n");
  expect("$p options --pess 3", 2, "atoll: error: unknown flag --pess, did you mean --pes?\n");
  expect("$p options --pes 0", 2, "atoll: error: --pes: 0 is out of range (1 to 1024)\n");
  expect("$p options --atoll-pess 3", 2, "did you mean --atoll-pes?\n");
  expect("ATOLL_PESS=3 $p options", 2, "did you mean ATOLL_PES?\n");
  expect("ATOLL_PES=x $p options", 2, "atoll: error: ATOLL_PES: \"x\" is not a whole number\n");
}

TEST(the_program, doctor_finds_that_atoll_works_where_its_tests_run) {
  expect("$p doctor", 0, "Atoll works here.");
}

#ifndef ATOLL_SANITIZED  // a sanitized program needs terabytes of address space itself
TEST(the_program, doctor_names_what_stands_in_the_way) {
  expect("ulimit -v 4000000; $p doctor", 2, "Atoll does not work here: 1 problem.");
}
#endif

}  // namespace
}  // namespace atl::app
