// `atoll sort` and `atoll bench sort`

#include "app/command.hpp"
#include "app/driver/forms.hpp"
#include "app/driver/kernel_command.hpp"
#include "app/driver/memory.hpp"
#include "app/input_flags.hpp"
#include "atoll/collectives.hpp"
#include "atoll/graph/io/byte_sink.hpp"
#include "atoll/graph/io/npy.hpp"
#include "atoll/graph/io/read_keys.hpp"
#include "atoll/graph/load_keys.hpp"
#include "atoll/kernels/sort/input.hpp"
#include "atoll/kernels/sort/part.hpp"
#include "atoll/kernels/sort/run.hpp"
#include "atoll/kernels/sort/validation.hpp"
#include "atoll/log.hpp"

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

// ---- What was asked for, and what was found.

struct sort_flags {
  benchmark_flags common;
  std::string file;                ///< with keys; "" for none
  std::string content;             ///< where that stands, where it is a pipe; else ""
  const nas_class* nas = nullptr;  ///< of --class, or of no other input
  std::uint64_t keys = 0;          ///< random ones; 0 for none
  std::uint64_t bits = 0;          ///< of those; 0: as many as usual
  std::uint64_t seed = 1;          ///< of those
  std::string output;              ///< file for the keys in order; "" for none
  std::shared_ptr<sort_form> form;

  bool of_file() const { return !file.empty(); }
  key_file keys_read() const { return {file, content}; }
  bool random() const { return keys != 0; }
};

struct sort_findings {
  std::uint64_t keys = 0;
  unsigned bits = 0;                           ///< of the largest key
  double read_seconds = 0;                     ///< of a file
  std::vector<sort::run_outcome> trials;       ///< timed ones
  std::optional<sort::run_outcome> otherwise;  ///< in another way, beside the last trial
  std::optional<sort::sort_check> check;  ///< with --verify: the first that was wrong, or the last
  std::uint64_t bytes_peak = 0;           ///< of all processes, as the system counts

  /// The tested keys of NAS had the published ranks in all trials.
  bool passed() const {
    const auto is_right = [](const auto& one) { return one.passed(); };
    return std::ranges::all_of(trials, is_right) && (!otherwise || is_right(*otherwise));
  }
  bool right() const { return passed() && (!check || check->right()); }
};

// ---- Memory.

// The keys, those received, and those in order; of a file also as they were read. Beyond reach they
// are staged besides.
double bytes_of_sort(const sort_flags& flags, std::uint64_t keys, unsigned bits, std::uint64_t pes,
                     bool may_have_nodes) {
  constexpr std::uint64_t fixed_of_pe = 16 << 20;
  const std::uint64_t key = bits > 32 ? sizeof(std::uint64_t) : sizeof(std::uint32_t);
  const std::uint64_t received = sort::division::most_of_pe(keys, pes) * pes;
  const bool stages = may_have_nodes && (flags.common.compare || flags.form->stages_keys());
  const double copies =
      static_cast<double>(key) *
      (static_cast<double>(stages ? 3 * keys : 2 * keys) + static_cast<double>(received));
  const double read = flags.of_file() ? static_cast<double>(keys) * sizeof(std::uint64_t) : 0;
  const sort::key_shape shape = sort::shape_for(bits, static_cast<int>(pes));
  const bool ranks = flags.nas != nullptr || sort::counts_by_value(shape, shape.buckets(), keys);
  const double values = ranks ? static_cast<double>(std::uint64_t{1} << bits) * 4 : 0;
  return copies + read + values + static_cast<double>(fixed_of_pe * pes);
}

void check_memory(const sort_flags& flags, const settings& options, std::uint64_t keys,
                  unsigned bits, std::uint64_t pes, std::uint64_t held = 0) {
  const double needed = bytes_of_sort(flags, keys, bits, pes, options.node_size != 0);
  const job_memory free = memory_for_job(options);
  if (needed - static_cast<double>(held) <= static_cast<double>(free.bytes)) return;
  fail(errc::out_of_memory, "sorting {} keys of {} bits on {} PE{} needs {}, and {}",
       grouped_digits(keys), bits, pes, pes == 1 ? "" : "s", human_bytes(needed), free.sentence);
}

// ---- The file of --output.

/// All keys in order.
class sort_output : public result_output {
 public:
  /// Without --output, does nothing in the end. Throws `error` (input) if the file cannot be
  /// written, or is the one that is read.
  explicit sort_output(const sort_flags& flags);

  bool wanted() const override { return !path_.empty(); }
  const std::string& path() const override { return path_; }
  bool is_array() const { return is_array_; }

  /// On PE 0, the bytes in order; `done` is the share of the keys so far. Throws `error`
  /// (environment).
  void write(std::string_view bytes, double done);

  void commit() override;

 private:
  std::string path_;
  bool is_array_ = false;
  std::optional<output_file> file_;
  std::unique_ptr<graph::byte_sink> sink_;
  progress_line progress_;
};

sort_output::sort_output(const sort_flags& flags) : path_(flags.output) {
  if (path_.empty()) return;
  for_output([&] {
    const auto ending = ending_of_content(path_);
    is_array_ = ending == "npy";
    if (!is_array_ && ending != "txt")
      fail(errc::input,
           "{}: the name does not say how to write: .txt or .npy, alone or with .gz or .zst after "
           "it",
           path_);
    if (is_on_other_rank()) return;
    refuse_to_replace(path_, flags.file, "keys");
    file_.emplace(path_);
    sink_ = graph::open_sink(*file_, compression_of(path_));
  });
}

void sort_output::write(std::string_view bytes, double done) {
  for_output([&] { sink_->write(bytes); });
  if (done < 1)
    progress_.show(fmt::format("writing {}: {:.0f} %", path_, 100 * done));
  else
    progress_.clear();
}

void sort_output::commit() {
  if (!file_) return;
  for_output([&] {
    sink_->finish();
    file_->commit();
  });
}

/// Keys as the file holds them.
template <class Key>
std::string bytes_of_keys(std::span<const Key> keys, bool is_array) {
  if (is_array) return std::string(reinterpret_cast<const char*>(keys.data()), keys.size_bytes());
  std::string text;
  for (const Key each : keys) text += fmt::format("{}\n", each);
  return text;
}

/// The PEs make their bytes a piece at a time, which go to PE 0: memory is bounded. One task calls
/// it. Blocks the task. Throws `error` (environment) by ending the job.
template <class Key>
task<> write_keys(sort::keys_of_all<Key> all, std::uint64_t keys, sort_output& output) {
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

// ---- The keys.

/// What a PE has read of a file.
using read_part = std::vector<std::uint64_t>;

/// Which keys, as it travels.
struct key_source {
  per_pe<read_part> read;
  bool of_file = false;
  nas_class nas{};
  std::uint64_t keys = 0;
  unsigned bits = 0;
  std::uint64_t seed = 0;

  bool of_nas() const { return nas.bits != 0; }

  /// Gives this PE its keys. Every PE calls it.
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

  /// Makes this PE's part of the input once more; a file is read again, as a whole, by PE 0, where
  /// `file` is known. Every PE calls it.
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

/// Sorting keys that are known, in 32 bits or in 64.
template <class Key>
class sort_trials {
 public:
  sort_trials(const key_source& input, const sort_flags& flags, trial_series& trials,
              sort_output& output, sort_findings& findings)
      : input_(input), flags_(flags), trials_(trials), output_(output), findings_(findings) {}

  /// Does everything. Once.
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
    if (output_.wanted() && findings_.right()) co_await write_keys(all_, input_.keys, output_);
    co_await all_.destroy();
  }

 private:
  task<measurements> trial() {
    const auto outcome = co_await flags_.form->run(all_, input_.nas);
    if (!trials_.warming_up()) findings_.trials.push_back(outcome);
    measurements measured;
    measured.emplace_back("rate", "keys/s", outcome.rate());
    measured.emplace_back("seconds", "s", outcome.seconds);
    if (input_.of_nas()) measured.emplace_back("rate_sorted", "keys/s", outcome.rate_sorted());
    if (flags_.common.compare && !trials_.warming_up()) co_await compare(measured, outcome);
    co_return measured;
  }

  /// In the same job.
  task<> compare(measurements& measured, const sort::run_outcome& own) {
    if (flags_.common.verify) co_await verify();  // before others take the place of these keys
    findings_.otherwise = co_await flags_.form->compare(all_, input_.nas, own, measured);
  }

  /// What has been found wrong stays so.
  task<> verify() {
    if (findings_.check && !findings_.check->right()) co_return;
    trials_.show("verifying");
    const key_file read = flags_.keys_read();
    const auto check = [all = all_, input = input_, file = &read]() -> task<sort::sort_check> {
      const sort::key_part<Key>& mine = all.parts.local();
      const std::span<const Key> sorted(mine.sorted.data(), mine.size());
      co_return co_await sort::all_check(sorted, co_await input.account(file));
    };
    findings_.check = co_await from_all_pes(check);
  }

  const key_source& input_;
  const sort_flags& flags_;
  trial_series& trials_;
  sort_output& output_;
  sort_findings& findings_;
  sort::keys_of_all<Key> all_;
};

// ---- What people and programs read.

void add_sort_parameters(report& result, const sort_flags& flags) {
  if (flags.of_file()) {
    result.parameter("file", flags.file);
  } else if (flags.random()) {
    result.parameter("keys", flags.keys);
    result.parameter("bits", flags.bits);
  } else {
    result.parameter("class", std::string(1, flags.nas->name));
  }
  flags.form->add_parameters(result);
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

class sort_command : public kernel_command {
 public:
  sort_command(sort_flags& flags, const settings& options)
      : kernel_command("sort", flags.common, options), flags_(flags), output_(flags) {
    complete(flags);
  }

 private:
  void complete(sort_flags& flags) const;

  void check_before_start() override {
    if (flags_.random())
      check_memory(flags_, options(), flags_.keys, static_cast<unsigned>(flags_.bits), pes());
    if (flags_.nas != nullptr)
      check_memory(flags_, options(), flags_.nas->keys(), flags_.nas->bits, pes());
  }

  void add_parameters() override { add_sort_parameters(result(), flags_); }
  std::vector<used_file> inputs() const override { return {{"keys", flags_.file}}; }

  std::vector<compared_program> programs() override {
    if (flags_.nas != nullptr) return sort_programs(flags_, result());
    if (flags_.common.compare)
      result().line("limit and peers are left out: they take classes of NAS");
    return {};
  }

  result_output& output() override { return output_; }
  std::string_view doing() const override { return "sorting"; }
  bool right() const override { return findings_.right(); }
  void describe() override { describe_keys(result(), flags_, findings_); }
  task<> main() override;
  task<key_source> find_source();

  const sort_flags& flags_;
  sort_output output_;
  sort_findings findings_;
};

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
  check_memory(flags_, options(), input.keys, input.bits, pes(), held);
  if (input.bits <= 32) {
    sort_trials<std::uint32_t> all(input, flags_, trials(), output_, findings_);
    co_await all.run();
  } else {
    sort_trials<std::uint64_t> all(input, flags_, trials(), output_, findings_);
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
    const keys_in_file found = co_await load_keys(flags_.keys_read(), input.read, progress);
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

/// Of the benchmark in this form.
std::string bench_text(const sort_form& form) {
  return fmt::format(
      "\nClasses S, W, A, B and C are IS of the NAS benchmarks: 2^16 keys below 2^11, 2^20 below\n"
      "2^16, 2^23 below 2^19, 2^25 below 2^21, 2^27 below 2^23. The rate is that of ten rankings;\n"
      "rate_sorted is that of one sort, which also writes whole keys in order.\n\n"
      "  {0} sort --class B --pes 2 --verify --compare\n"
      "  {0} sort --keys 10000000 --bits 48 --verify",
      form.program());
}

std::string bench_details(const sort_form& form) {
  return "\nEach PE counts its keys by bucket, their highest bits; from the counts of all it is "
         "known\n"
         "which PE gets which buckets; keys move to their PE, which counts them by value, or sorts "
         "them\n"
         "where there are too many values. A bucket of too many keys is cut, if need be within "
         "the\n"
         "copies of one key: no PE gets more than 1/32 above its share. Before each ranking two "
         "keys\n"
         "change; in each ranking five ranks are compared with those published, always.\n" +
         form.details() +
         "  --compare  runs beside it, in turn and on the same keys of a class: the limit, a "
         "bucket\n"
         "             sort in shared memory; openmpi and mpich, a bucket sort around "
         "MPI_Alltoallv";
}

void add_command_of(CLI::App& parent, command_context& context, bool measures,
                    std::shared_ptr<sort_form> form) {
  const auto flags = std::make_shared<sort_flags>();
  flags->common.measures = measures;
  flags->form = std::move(form);
  const auto action = [&context, flags] { return sort_command(*flags, context.settings).run(); };
  auto& command = add_command(parent, context, "sort",
                              measures ? "Integer sort of the keys of NAS IS, random ones or a file"
                                       : "Sort the integers of a file",
                              action);
  const auto file = add_text_flag(command, "KEYS", "", flags->file,
                                  "A file of keys: text, also as .gz or .zst, or .npy")
                        .under("Keys");
  if (measures) {
    add_random_keys_flags(command, *flags, file);
    flags->form->add_flags(command);
  } else {
    file.required();
  }
  add_text_flag(command, "-o,--output", "FILE", flags->output,
                "Write the keys in order: .txt or .npy, also as .gz or .zst")
      .under("Output");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, context, measures ? bench_text(*flags->form) : k_answer_text,
                  measures ? bench_details(*flags->form) : k_answer_details);
}

// ---- The form.

/// Keys are stored by the PEs that have them.
class sort_by_stores : public sort_form {
 public:
  std::string details() const override {
    return "Sizes are exchanged first; then each PE stores its keys into the memory of the others\n"
           "itself, in one pass.\n";
  }
  void add_parameters(report& result) const override { result.parameter("exchange", "collective"); }
  bool stages_keys() const override { return true; }
  task<outcome> run(keys32 all, const nas_class& of) const override { return sorted(all, of); }
  task<outcome> run(keys64 all, const nas_class& of) const override { return sorted(all, of); }

 private:
  template <class Key>
  static task<outcome> sorted(sort::keys_of_all<Key> all, nas_class of) {
    return from_all_pes([all, of] { return sort::all_run(all, of); });
  }
};

}  // namespace

task<std::optional<sort::run_outcome>> sort_form::compare(keys32, const nas_class&, const outcome&,
                                                          measurements&) const {
  co_return std::nullopt;
}

task<std::optional<sort::run_outcome>> sort_form::compare(keys64, const nas_class&, const outcome&,
                                                          measurements&) const {
  co_return std::nullopt;
}

void add_sort_benchmark(CLI::App& parent, command_context& context,
                        std::shared_ptr<sort_form> form) {
  add_command_of(parent, context, true, std::move(form));
}

void add_sort(CLI::App& root, command_context& context) {
  add_command_of(root, context, false, std::make_shared<sort_by_stores>());
}
void add_bench_sort(CLI::App& bench, command_context& context) {
  add_sort_benchmark(bench, context, std::make_shared<sort_by_stores>());
}

}  // namespace atl::app
