// Runs the serial program without Atoll.

#include "starting/updates.hpp"

int main(int argc, char** argv) { bench::update_and_print(bench::updates_of(argc, argv)); }
