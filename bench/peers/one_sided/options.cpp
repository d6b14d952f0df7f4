#include "peers/one_sided/options.hpp"

#include <algorithm>
#include <array>

namespace bench::one_sided {
namespace {

constexpr std::array<std::string_view, 7> k_of_few = {"put",    "get",  "put-nbi", "get-nbi",
                                                      "atomic", "ring", "busy-get"};
constexpr std::array<std::string_view, 5> k_of_all = {"barrier", "broadcast", "allreduce",
                                                      "reduce-to-one", "all-to-all"};

template <class Names>
bool is_among(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string list_of_operations() {
  std::string list;
  for (const auto name : k_of_few) list.append(name).append("|");
  for (const auto name : k_of_all) list.append(name).append("|");
  list.pop_back();
  return list;
}

}  // namespace

void add_flags(flags& flags, options& o) {
  flags.add("operation", o.operation, list_of_operations());
  flags.add("size", o.size, 1, 4 << 20, "bytes that one operation moves");
  flags.add("processes", o.processes, 1, 1024,
            "processes, where no launcher has started this program");
  flags.add("seconds", o.seconds, 0.0, 3600.0, "time measured, after a warm-up");
  flags.add("contended", o.contended, "atomic: all processes add to one word of process 0");
  flags.add("rounds", o.rounds, 1, 1000000, "ring: rounds of the token; busy-get: gets");
  flags.add("compute-seconds", o.compute_seconds, 0.0, 10.0,
            "busy-get: process 1 computes so long without calling the library");
  flags.add("over-hosts", o.over_hosts, "let Open MPI choose transports beside shared memory");
}

void check(const options& o) {
  require(is_among(k_of_few, o.operation) || is_among(k_of_all, o.operation), "operation",
          o.operation, "is none of " + list_of_operations());
  const bool sums = o.operation == "allreduce" || o.operation == "reduce-to-one";
  require(!sums || o.size < 8 || o.size % 8 == 0, "size", std::to_string(o.size),
          "is neither whole numbers of double precision nor less than one of them");
  require(!o.contended || o.operation == "atomic", "contended", o.operation,
          "is an operation without contention: only atomic has it");
}

void require(bool holds, std::string_view flag, std::string_view value, std::string_view reason) {
  if (holds) return;
  throw bad_input("--" + std::string(flag) + ": '" + std::string(value) + "' " +
                  std::string(reason));
}

bool is_collective(std::string_view operation) { return is_among(k_of_all, operation); }

void check_processes(const options& o, std::uint64_t processes) {
  require(is_collective(o.operation) || processes >= 2, "processes", std::to_string(processes),
          "is too few for " + o.operation + ", which is between two");
}

}  // namespace bench::one_sided
