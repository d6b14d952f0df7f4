// Implements `atoll sort` and `atoll bench sort`.

#include "app/kernels/sort.hpp"

#include "app/command.hpp"
#include "app/driver/memory.hpp"
#include "app/input_flags.hpp"
#include "atoll/collectives.hpp"
#include "atoll/graph/io/byte_streams.hpp"
#include "atoll/graph/io/npy.hpp"
#include "atoll/graph/load_keys.hpp"
#include "atoll/kernels/sort/part.hpp"
#include "atoll/log.hpp"
#include "atoll/output_file.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace atl::app {
namespace {

namespace sort = kernels::sort;

key_file file_of(const sort_flags& flags) { return {flags.file, flags.content}; }

// ---- Memory.

// Returns the memory in bytes of all PEs: the keys, the received keys and the sorted keys, and for
// a file the keys as read. Staging for other nodes needs another copy.
double bytes_of_sort(const sort_flags& flags, std::uint64_t keys, unsigned bits, std::uint64_t pes,
                     bool stages) {
  constexpr std::uint64_t fixed_of_pe = 16 << 20;
  const std::uint64_t key = bits > 32 ? sizeof(std::uint64_t) : sizeof(std::uint32_t);
  const std::uint64_t received = sort::division::most_of_pe(keys, pes) * pes;
  const double copies =
      static_cast<double>(key) *
      (static_cast<double>(stages ? 3 * keys : 2 * keys) + static_cast<double>(received));
  const double read = flags.of_file() ? static_cast<double>(keys) * sizeof(std::uint64_t) : 0;
  const sort::key_shape shape = sort::shape_for(bits, static_cast<int>(pes));
  const bool ranks = flags.nas != nullptr || sort::counts_by_value(shape, shape.buckets(), keys);
  const double values = ranks ? static_cast<double>(std::uint64_t{1} << bits) * 4 : 0;
  return copies + read + values + static_cast<double>(fixed_of_pe * pes);
}

// ---- The file of --output.

void check_name(const std::string& path) {
  const auto ending = ending_of_content(path);
  if (ending == "npy" || ending == "txt") return;
  fail(errc::input,
       "{}: the name does not say how to write: .txt or .npy, alone or with .gz or .zst after it",
       path);
}

/// The output file while it is written, on PE 0.
class keys_writer {
 public:
  explicit keys_writer(const std::string& path)
      : is_array_(ending_of_content(path) == "npy"),
        file_(path),
        sink_(graph::open_sink(file_, compression_of(path))) {}

  bool is_array() const { return is_array_; }

  /// Appends bytes to the file. `done` is the share of the keys that was written. Throws `error`
  /// (environment).
  void write(std::string_view bytes, double done) {
    for_output([&] { sink_->write(bytes); });
    if (done < 1)
      progress_.show(fmt::format("writing {}: {:.0f} %", file_.path(), 100 * done));
    else
      progress_.clear();
  }

  /// Completes the file. Throws `error` (environment).
  void commit() {
    sink_->finish();
    file_.commit();
  }

 private:
  bool is_array_;
  output_file file_;
  std::unique_ptr<graph::byte_sink> sink_;
  progress_line progress_;
};

/// Returns the bytes of keys in the format of the file.
template <class Key>
std::string bytes_of_keys(std::span<const Key> keys, bool is_array) {
  if (is_array) return std::string(reinterpret_cast<const char*>(keys.data()), keys.size_bytes());
  std::string text;
  for (const Key each : keys) text += fmt::format("{}\n", each);
  return text;
}

/// Writes all keys through PE 0. PEs send their bytes in pieces, so memory is bounded. Call from
/// one task, which blocks. Throws `error` (environment) by ending the job.
template <class Key>
task<> write_keys(sort::keys_of_all<Key> all, std::uint64_t keys, keys_writer& output) {
  const auto write = [all, keys, to = &output, is_array = output.is_array()]() -> task<> {
    constexpr std::uint64_t at_once = 1 << 18;
    const sort::key_part<Key>& mine = all.parts.local();
    const std::span<const Key> sorted(mine.sorted.data(), mine.size());
    const auto sizes = co_await all_gather(mine.size());
    std::uint64_t done = 0;
    if (my_pe() == 0 && is_array)
      to->write(graph::npy_head(keys, 1, sizeof(Key) == 4 ? "<u4" : "<u8"), 0);
    for (int pe = 0; pe < pes(); ++pe) {
      const std::uint64_t size = sizes[static_cast<std::size_t>(pe)];
      for (std::uint64_t first = 0; first < size; first += at_once) {
        const std::uint64_t count = std::min(at_once, size - first);
        std::string bytes;
        if (pe == my_pe()) bytes = bytes_of_keys(sorted.subspan(first, count), is_array);
        const auto pieces = co_await all_gather_to(0, std::span<const char>(bytes));
        done += count;
        if (my_pe() != 0) continue;
        const auto& piece = pieces[static_cast<std::size_t>(pe)];
        to->write({piece.data(), piece.size()},
                  static_cast<double>(done) / static_cast<double>(keys));
      }
    }
  };
  co_await together(write);
}

/// All sorted keys, as a result that can be written.
template <class Key>
struct sorted_keys {
  sort::keys_of_all<Key> all;
  std::uint64_t keys = 0;

  task<> write(std::string path) const {
    keys_writer output(path);
    co_await write_keys(all, keys, output);
    output.commit();
  }
};

// ---- The keys.

/// The keys that a PE has read from a file.
using read_part = std::vector<std::uint64_t>;

}  // namespace

/// The origin of the keys; sent to all PEs.
struct key_source {
  per_pe<read_part> read;
  bool of_file = false;
  nas_class nas{};
  std::uint64_t keys = 0;
  unsigned bits = 0;
  std::uint64_t seed = 0;

  bool of_nas() const { return nas.bits != 0; }

  /// Creates the keys of this PE. Every PE calls this.
  template <class Key>
  task<> take(sort::key_part<Key>& mine) const {
    mine.shape = sort::shape_for(bits, pes());
    const auto add = [&](std::uint64_t key) { mine.keys.push_back(static_cast<Key>(key)); };
    if (of_nas()) {
      co_await sort::take_nas_keys(mine, nas);
    } else if (of_file) {
      mine.keys.reserve(read->size());
      co_await sort::in_stretches(std::span(read.local()), [&](auto some) {
        for (const std::uint64_t key : some) add(key);
      });
      read_part().swap(read.local());
    } else {
      mine.keys.reserve(keys / static_cast<std::uint64_t>(pes()) + 1);
      co_await sort::for_random_keys(keys, bits, seed, add);
    }
  }

  /// Returns an account of the input of this PE, generated once more. PE 0 reads a whole `file`
  /// again; only there is `file` valid. Every PE calls this.
  task<sort::key_account> account(const key_file* file) const {
    if (of_nas()) co_return co_await sort::account_of_nas_keys(nas);
    sort::key_account account;
    const auto add = [&](std::uint64_t key) { account.add(key); };
    if (!of_file) {
      co_await sort::for_random_keys(keys, bits, seed, add);
    } else if (my_pe() == 0) {
      file_part whole;
      whole.path = file->path;
      whole.options.content = file->content;
      key_reader reader(whole);
      for (read_part some; reader.read_some(some); some.clear()) {
        for (const std::uint64_t key : some) add(key);
        co_await yield();
      }
    }
    co_return account;
  }
};

// ---- The job.

/// Runs the trials on keys of 32 or 64 bits.
template <class Key>
class sort_trials {
 public:
  sort_trials(const key_source& input, sort_command& command)
      : input_(input),
        command_(command),
        flags_(command.flags_),
        trials_(command.trials()),
        findings_(command.findings_) {}

  /// Runs all trials, verifies and writes the result; call once.
  task<> run() {
    all_ = co_await sort::keys_of_all<Key>::make(input_.keys);
    trials_.show("making the keys");
    const auto take = [all = all_, input = input_]() -> task<> {
      co_await input.take(all.parts.local());
    };
    co_await on_all_pes(take);
    while (trials_.begin()) trials_.end(co_await trial());
    const auto add_peaks = []() -> task<std::uint64_t> {
      co_return co_await all_reduce(peak_of_own_process(), std::plus<>());
    };
    findings_.bytes_peak = co_await from_all_pes(add_peaks);
    if (flags_.common.verify) co_await verify();
    co_await command_.write(sorted_keys<Key>{all_, input_.keys});
    co_await all_.destroy();
  }

 private:
  task<measurements> trial() {
    const auto outcome = co_await command_.sort_once(all_, input_.nas);
    if (!trials_.warming_up()) findings_.trials.push_back(outcome);
    measurements measured;
    measured.emplace_back("rate", "keys/s", outcome.rate());
    measured.emplace_back("seconds", "s", outcome.seconds);
    if (input_.of_nas()) measured.emplace_back("rate_sorted", "keys/s", outcome.rate_sorted());
    if (flags_.common.compare && !trials_.warming_up()) co_await compare(measured, outcome);
    co_return measured;
  }

  /// Runs the sorts of --compare in the same job.
  task<> compare(measurements& measured, const sort::run_outcome& own) {
    if (flags_.common.verify) co_await verify();  // before another sort overwrites these keys
    findings_.otherwise = co_await command_.compare(all_, input_.nas, own, measured);
  }

  /// Checks the sorted keys, unless an earlier check has failed.
  task<> verify() {
    if (findings_.check && !findings_.check->right()) co_return;
    trials_.show("verifying");
    const key_file read = file_of(flags_);
    const auto check = [all = all_, input = input_, file = &read]() -> task<sort::sort_check> {
      const sort::key_part<Key>& mine = all.parts.local();
      const std::span<const Key> sorted(mine.sorted.data(), mine.size());
      co_return co_await sort::all_check(sorted, co_await input.account(file));
    };
    findings_.check = co_await from_all_pes(check);
  }

  const key_source& input_;
  sort_command& command_;
  const sort_flags& flags_;
  trial_series& trials_;
  sort_findings& findings_;
  sort::keys_of_all<Key> all_;
};

// ---- Text and JSON.

namespace {

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
  if (found.check && !found.check->right()) result.line("wrong order: " + found.check->complaint());
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
      output_(flags.output, &check_name) {
  complete(flags);
}

void sort_command::check_memory(std::uint64_t keys, unsigned bits, std::uint64_t held) const {
  const bool stages = options().node_size != 0 && (flags_.common.compare || stages_keys());
  const double needed = bytes_of_sort(flags_, keys, bits, pes(), stages);
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

namespace {

template <class Key>
task<sort::run_outcome> sort_by_stores(sort::keys_of_all<Key> all, nas_class of) {
  return from_all_pes([all, of] { return sort::all_run(all, of); });
}

}  // namespace

task<sort::run_outcome> sort_command::sort_once(keys32 all, const nas_class& of) {
  return sort_by_stores(all, of);
}

task<sort::run_outcome> sort_command::sort_once(keys64 all, const nas_class& of) {
  return sort_by_stores(all, of);
}

task<std::optional<sort::run_outcome>> sort_command::compare(keys32, const nas_class&,
                                                             const outcome&, measurements&) {
  co_return std::nullopt;
}

task<std::optional<sort::run_outcome>> sort_command::compare(keys64, const nas_class&,
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
  const key_source input = co_await find_source();
  findings_.keys = input.keys;
  findings_.bits = input.bits;
  const auto held = input.of_file ? input.keys * sizeof(std::uint64_t) : 0;
  check_memory(input.keys, input.bits, held);
  if (input.bits <= 32) {
    sort_trials<std::uint32_t> all(input, *this);
    co_await all.run();
  } else {
    sort_trials<std::uint64_t> all(input, *this);
    co_await all.run();
  }
}

task<key_source> sort_command::find_source() {
  key_source input;
  input.read = co_await per_pe<read_part>::make();
  input.of_file = flags_.of_file();
  input.seed = flags_.seed;
  if (input.of_file) {
    const auto start = now();
    const auto progress = [this](double done) {
      trials().show(fmt::format("reading {}: {:.0f} %", flags_.file, 100 * done));
    };
    const keys_in_file found = co_await load_keys(file_of(flags_), input.read, progress);
    findings_.read_seconds = seconds_since(start);
    input.keys = found.keys;
    input.bits = std::max(1u, static_cast<unsigned>(std::bit_width(found.largest)));
  } else if (flags_.random()) {
    input.keys = flags_.keys;
    input.bits = static_cast<unsigned>(flags_.bits);
  } else {
    input.nas = *flags_.nas;
    input.keys = input.nas.keys();
    input.bits = input.nas.bits;
  }
  co_return input;
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

void add_command_of(CLI::App& parent, command_context& context, bool measures) {
  const auto flags = std::make_shared<sort_flags>();
  flags->common.measures = measures;
  const auto action = [&context, flags] { return sort_command(*flags, context.settings).run(); };
  auto& command = add_command(parent, context, "sort",
                              measures ? "Integer sort of the keys of NAS IS, random ones or a file"
                                       : "Sort the integers of a file",
                              action);
  add_sort_flags(command, context, *flags);
  add_explanation(command, context, measures ? k_bench_text : k_answer_text,
                  measures ? k_bench_details : k_answer_details);
}

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

void add_sort(CLI::App& root, command_context& context) { add_command_of(root, context, false); }
void add_bench_sort(CLI::App& bench, command_context& context) {
  add_command_of(bench, context, true);
}

}  // namespace atl::app
