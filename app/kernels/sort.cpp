// Implements `atoll sort` and `atoll bench sort`.

#include "app/kernels/sort.hpp"

#include "app/command.hpp"
#include "app/driver/memory.hpp"
#include "app/flags.hpp"
#include "atoll/collectives.hpp"
#include "atoll/log.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace atl::app {
namespace {

namespace integer_sort = bench::integer_sort;

/// Returns a function that makes random keys of `bits` bits. Key i consists of the highest bits of
/// the i-th number in the random stream of `seed`.
auto random_keys(std::uint64_t bits, std::uint64_t seed) {
  return [name = random_key(seed), shift = 64 - bits](std::uint64_t first) {
    return [name, shift, i = first]() mutable { return random_at(name, i++) >> shift; };
  };
}

/// All sorted keys; `write` stores them in the file of --output.
struct sorted_keys {
  global_keys keys;

  task<> write(std::string path) const {
    progress_line line;
    const auto progress = [&](std::string_view what, double done) {
      if (done < 1)
        line.show(fmt::format("{} {}: {:.0f} %", what, path, 100 * done));
      else
        line.clear();
    };
    co_await keys.write(path, progress);
  }
};

// The functions below show the result as text and as JSON.

void add_sort_parameters(report& result, const sort_flags& flags) {
  if (flags.of_file()) {
    result.parameter("file", flags.file);
  } else if (flags.random()) {
    result.parameter("keys", flags.keys);
    result.parameter("bits", flags.bits);
  } else {
    result.parameter("class", std::string(1, flags.nas->name));
  }
}

void describe_keys(report& result, const sort_flags& flags, const sort_findings& found) {
  const auto& last = found.trials.back();
  const double mean = static_cast<double>(found.keys) / static_cast<double>(result.pes());
  const double most = mean > 0 ? static_cast<double>(last.most_of_pe) / mean : 1;
  if (flags.of_file())
    result.add({result.is_answer() ? "read_seconds" : "seconds_to_read", "s", found.read_seconds});
  result.section("keys", found.keys);
  result.section("bits", std::uint64_t{found.bits});
  result.section("most_of_a_pe", most);
  result.section("bytes_peak", found.bytes_peak);
  if (result.is_answer()) {
    result.line(fmt::format("{}: {} in order, of {} bits", flags.file, plural(found.keys, "key"),
                            found.bits));
  } else {
    result.line(fmt::format("{} keys of {} bits; the PE with most has {:.3f} of an equal share",
                            grouped_digits(found.keys), found.bits, most));
  }
  if (last.rankings != 0) {
    const std::uint64_t tests = last.rankings * nas_class::tested_keys;
    result.section("tests_passed", last.tests_passed);
    result.line(fmt::format("{} of {} tested ranks are those that NAS has published",
                            last.tests_passed, tests));
  }
  if (!found.wrong.empty()) result.line("wrong order: " + found.wrong);
}

// ---- The command.

std::vector<compared_program> sort_programs(const sort_flags& flags, const report& result) {
  const auto with = [&](const std::string& program, const char* count, std::uint64_t cores) {
    std::vector<std::string> command = {program, "--class", std::string(1, flags.nas->name), count,
                                        std::to_string(cores)};
    if (flags.common.verify) command.emplace_back("--verify");
    return command;
  };
  std::vector<compared_program> programs;
  programs.emplace_back("limit", with("atoll-limit-sort", "--threads", result.busy_cores()));
  for (const std::string library : {"openmpi", "mpich"})
    programs.emplace_back("peer:" + library,
                          with("atoll-peer-sort-" + library, "--processes", result.pes()));
  return programs;
}

constexpr char k_usual_class = 'A';

}  // namespace

bool sort_findings::passed() const {
  const auto is_right = [](const auto& one) { return one.passed(); };
  return std::ranges::all_of(trials, is_right) && (!otherwise || is_right(*otherwise));
}

sort_command::sort_command(sort_flags& flags, const settings& options)
    : kernel_command("sort", flags.common, options),
      flags_(flags),
      output_(flags.output, &check_keys_output) {
  complete(flags);
}

void sort_command::check_memory(std::uint64_t keys, unsigned bits, std::uint64_t held) const {
  const bool stages = options().node_size != 0 && (flags_.common.compare || stages_keys());
  const double needed = bytes_to_sort({.keys = keys,
                                       .bits = bits,
                                       .pes = pes(),
                                       .of_file = flags_.of_file(),
                                       .ranks = flags_.nas != nullptr,
                                       .over_nodes = stages});
  const job_memory free = memory_for_job(options());
  if (needed - static_cast<double>(held) <= static_cast<double>(free.bytes)) return;
  fail(errc::out_of_memory, "sorting {} keys of {} bits on {} PE{} needs {}, and {}",
       grouped_digits(keys), bits, pes(), pes() == 1 ? "" : "s", human_bytes(needed),
       free.sentence);
}

void sort_command::check_before_start() {
  if (flags_.random()) check_memory(flags_.keys, static_cast<unsigned>(flags_.bits));
  if (flags_.nas != nullptr) check_memory(flags_.nas->keys(), flags_.nas->bits);
}

void sort_command::add_parameters() {
  add_sort_parameters(result(), flags_);
  result().parameter("exchange", exchange());
}

std::vector<compared_program> sort_command::programs() {
  if (flags_.nas != nullptr) return sort_programs(flags_, result());
  if (flags_.common.compare)
    result().line("limit and peers are left out: they take classes of NAS");
  return {};
}

void sort_command::describe() { describe_keys(result(), flags_, findings_); }

task<sort_findings::outcome> sort_command::sort_once(global_keys keys, const nas_class& of) {
  return from_all_pes([keys, of] { return integer_sort::all_run(keys, of); });
}

task<std::optional<sort_findings::outcome>> sort_command::compare(global_keys, const nas_class&,
                                                                  const outcome&, measurements&) {
  co_return std::nullopt;
}

void sort_command::complete(sort_flags& flags) const {
  constexpr std::uint64_t usual_bits = 32;
  if (flags.bits != 0 && !flags.random())
    fail(errc::input, "--bits: {} is for random keys alone, which --keys asks for", flags.bits);
  if (flags.bits == 0) flags.bits = usual_bits;
  flags.seed = options().seed;
  if (flags.of_file()) flags.content = content_of_input(flags.file);
  if (!flags.of_file() && !flags.random() && flags.nas == nullptr)
    flags.nas = nas_class_of(k_usual_class);
}

task<> sort_command::main() {
  const global_keys keys = flags_.of_file() ? co_await read_file() : co_await make_input();
  findings_.keys = keys.size();
  findings_.bits = keys.bits();
  while (trials().begin()) trials().end(co_await trial(keys));
  const auto add_peaks = []() -> task<std::uint64_t> {
    co_return co_await all_reduce(peak_of_own_process(), std::plus<>());
  };
  findings_.bytes_peak = co_await from_all_pes(add_peaks);
  if (flags_.common.verify) co_await verify_order(keys);
  co_await write(sorted_keys{keys});
  co_await keys.destroy();
}

task<global_keys> sort_command::read_file() {
  const auto start = now();
  const auto progress = [this](std::string_view what, double done) {
    if (what == "reading")
      trials().show(fmt::format("reading {}: {:.0f} %", flags_.file, 100 * done));
    else
      trials().show(what);
  };
  const auto look = [this, start](std::uint64_t keys, unsigned bits) {
    findings_.read_seconds = seconds_since(start);
    check_memory(keys, bits, keys * sizeof(std::uint64_t));
  };
  co_return co_await read_keys(flags_.file,
                               {.content = flags_.content, .progress = progress, .look = look});
}

task<global_keys> sort_command::make_input() {
  trials().show("making the keys");
  if (flags_.nas != nullptr) return integer_sort::make_nas_keys(*flags_.nas);
  return make_keys(flags_.keys, static_cast<unsigned>(flags_.bits),
                   random_keys(flags_.bits, flags_.seed));
}

task<measurements> sort_command::trial(global_keys keys) {
  const auto found = co_await sort_once(keys, class_of_keys());
  if (!trials().warming_up()) findings_.trials.push_back(found);
  measurements measured;
  measured.emplace_back("rate", "keys/s", found.rate());
  measured.emplace_back("seconds", "s", found.seconds);
  if (found.rankings != 0) measured.emplace_back("rate_sorted", "keys/s", found.rate_sorted());
  if (flags_.common.compare && !trials().warming_up())
    co_await compare_with_others(keys, found, measured);
  co_return measured;
}

// Runs the other sorts that --compare requests, in the job in which this command has sorted the
// keys.
task<> sort_command::compare_with_others(global_keys keys, const outcome& own,
                                         measurements& measured) {
  // Checks the sorted keys before another sort overwrites them.
  if (flags_.common.verify) co_await verify_order(keys);
  findings_.otherwise = co_await compare(keys, class_of_keys(), own, measured);
}

// Checks the sorted keys if no earlier check has failed.
task<> sort_command::verify_order(global_keys keys) {
  if (!findings_.wrong.empty()) co_return;
  trials().show("verifying");
  const auto check = [&](site where) {
    if (flags_.of_file()) return verify(keys, flags_.file, {.content = flags_.content}, where);
    if (flags_.nas != nullptr) return integer_sort::verify_nas_keys(keys, *flags_.nas, where);
    return verify(keys, random_keys(flags_.bits, flags_.seed), where);
  };
  co_await keep_fault(check, findings_);
}

namespace {

void add_random_keys_flags(CLI::App& command, sort_flags& flags, flag file) {
  const auto take_class = [&flags](std::size_t place) { flags.nas = &nas_classes()[place]; };
  const auto nas = add_word_flag(command, "--class", {"S", "W", "A", "B", "C"}, take_class,
                                 "The keys of a class of NAS IS, and its ten rankings")
                       .with_default(std::string(1, k_usual_class))
                       .excludes(file)
                       .under("Keys");
  add_count_flag(command, "--keys", flags.keys, 1, std::uint64_t{1} << 40, "N random keys")
      .with_default("none")
      .excludes(file)
      .excludes(nas)
      .under("Keys");
  add_count_flag(command, "--bits", flags.bits, 1, 64, "Random keys are below 2^N")
      .with_default("32")
      .under("Keys");
}

constexpr const char* k_answer_text =
    "\nSorts integers over all PEs. KEYS is a text, an integer from 0 to 2^64 - 1 in each line,\n"
    "also as .gz or .zst; or an array of NumPy: .npy, one dimension, 32 or 64 bits.\n\n"
    "  atoll sort ids.txt.gz --output sorted.npy";

constexpr const char* k_answer_details =
    "\n  --verify       looks whether each key is at least as large as the one before, over all\n"
    "                 PEs, and reads the input once more, by other code: as many keys, with the\n"
    "                 same two sums of hashes\n"
    "  --output FILE  all keys in order: .txt, or .npy with as few bits as suffice";

constexpr const char* k_bench_text =
    "\nClasses S, W, A, B and C are IS of the NAS benchmarks: 2^16 keys below 2^11, 2^20 below\n"
    "2^16, 2^23 below 2^19, 2^25 below 2^21, 2^27 below 2^23. The rate is that of ten rankings;\n"
    "rate_sorted is that of one sort, which also writes whole keys in order.\n\n"
    "  atoll bench sort --class B --pes 2 --verify --compare\n"
    "  atoll bench sort --keys 10000000 --bits 48 --verify";

constexpr const char* k_bench_details =
    "\nEach PE counts its keys by bucket, their highest bits; from the counts of all it is known\n"
    "which PE gets which buckets; keys move to their PE, which counts them by value, or sorts "
    "them\n"
    "where there are too many values. A bucket of too many keys is cut, if need be within the\n"
    "copies of one key: no PE gets more than 1/32 above its share. Before each ranking two keys\n"
    "change; in each ranking five ranks are compared with those published, always.\n"
    "Sizes are exchanged first; then each PE stores its keys into the memory of the others\n"
    "itself, in one pass.\n"
    "  --compare  runs beside it, in turn and on the same keys of a class: the limit, a bucket\n"
    "             sort in shared memory; openmpi and mpich, a bucket sort around MPI_Alltoallv";

constexpr kernel_texts k_texts = {.name = "sort",
                                  .answers = "Sort the integers of a file",
                                  .measures =
                                      "Integer sort of the keys of NAS IS, random ones or a file",
                                  .answer = k_answer_text,
                                  .answer_details = k_answer_details,
                                  .bench = k_bench_text,
                                  .bench_details = k_bench_details};

}  // namespace

void add_sort_flags(CLI::App& command, command_context& context, sort_flags& flags) {
  const auto file = add_text_flag(command, "KEYS", "", flags.file,
                                  "A file of keys: text, also as .gz or .zst, or .npy")
                        .under("Keys");
  if (flags.common.measures) {
    add_random_keys_flags(command, flags, file);
  } else {
    file.required();
  }
  add_text_flag(command, "-o,--output", "FILE", flags.output,
                "Write the keys in order: .txt or .npy, also as .gz or .zst")
      .under("Output");
  add_benchmark_flags(command, flags.common);
  add_settings_flags(command, context);
}

void add_sort(CLI::App& parent, command_context& context, bool measures) {
  add_kernel_command<sort_command, sort_flags>(parent, context, measures, k_texts, add_sort_flags);
}

}  // namespace atl::app
