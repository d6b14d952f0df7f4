// `atoll sort`

#include "app/command.hpp"
#include "app/flags.hpp"
#include "app/sort_job.hpp"
#include "app/sort_memory.hpp"
#include "app/sort_programs.hpp"
#include "app/sort_text.hpp"
#include "atoll/error.hpp"

#include <memory>

namespace atl::app {
namespace {

constexpr char k_usual_class = 'A';

std::vector<compared_program> programs(report& result, const sort_flags& flags) {
  if (flags.nas != nullptr) return sort_programs(flags, result);
  if (flags.common.compare) result.line("limit and peers are left out: they take classes of NAS");
  return {};
}

void complete(sort_flags& flags, const settings& options) {
  constexpr std::uint64_t usual_bits = 32;
  if (flags.bits != 0 && !flags.random())
    fail(errc::input, "--bits: {} is for random keys alone, which --keys asks for", flags.bits);
  if (flags.bits == 0) flags.bits = usual_bits;
  flags.seed = options.seed;
  if (!flags.of_file() && !flags.random() && flags.nas == nullptr)
    flags.nas = kernels::sort::nas_class_of(k_usual_class);
}

int run(sort_flags flags, settings options) {
  complete(flags, options);
  // PE 0 waits for the limit program within the job, blocked, while the other PEs do nothing.
  if (flags.common.compare) options.hang_timeout = 0;
  report result("sort", options);
  sort_output output(flags);
  if (flags.random())
    check_memory(flags, options, flags.keys, static_cast<unsigned>(flags.bits), result.pes());
  if (flags.nas != nullptr)
    check_memory(flags, options, flags.nas->keys(), flags.nas->bits, result.pes());
  add_sort_parameters(result, flags);
  trial_series trials(result, flags.common, programs(result, flags));
  const auto found = sort_keys(flags, options, trials, output);
  if (flags.common.verify || !found.right()) result.verified(found.right());
  describe(result, flags, found);
  return publish(result, flags.common, output);
}

constexpr const char* k_sort_explanation =
    "\nSorts integers over all PEs. Each PE counts its keys by bucket, their highest bits; from "
    "the\n"
    "counts of all it is known which PE gets which buckets; keys move to their PE, which counts\n"
    "them by value, or sorts them where there are too many values. A bucket of too many keys is\n"
    "cut, if need be within the copies of one key: no PE gets more than 1/32 above its share.\n"
    "  --class S|W|A|B|C       IS of the NAS benchmarks: 2^16 keys below 2^11, 2^20 below 2^16,\n"
    "                          2^23 below 2^19, 2^25 below 2^21, 2^27 below 2^23. The rate is "
    "that\n"
    "                          of ten rankings, each after two keys have changed: keys move, and\n"
    "                          the rank of each becomes known. rate_sorted is that of one sort,\n"
    "                          which also writes whole keys in order. In each ranking five ranks\n"
    "                          are compared with those published, always\n"
    "  --exchange collective   sizes first; then each PE stores its keys into the memory of the\n"
    "                          others itself, in one pass\n"
    "  --exchange delegates    an asynchronous delegate brings each key to the end of its bucket,\n"
    "                          as in the Grappa paper\n"
    "  --verify                looks whether each key is at least as large as the one before, "
    "over\n"
    "                          all PEs, and makes or reads the input once more, by other code: as\n"
    "                          many keys, with the same two sums of hashes\n"
    "  --compare               runs beside it, in turn and on the same keys of a class: the "
    "limit,\n"
    "                          a bucket sort in shared memory; openmpi and mpich, a bucket sort\n"
    "                          around MPI_Alltoallv; and in the same job the exchange by\n"
    "                          delegates (times_delegates), or, for that one, random updates\n"
    "                          (fraction_of_gups)\n"
    "  KEYS                    a text, an integer from 0 to 2^64 - 1 in each line, also as .gz or\n"
    "                          .zst; or an array of NumPy: .npy, one dimension, 32 or 64 bits\n"
    "  --output FILE           all keys in order: .txt, or .npy with as few bits as suffice\n\n"
    "  atoll sort --class B --pes 2 --verify --compare\n"
    "  atoll sort --keys 10000000 --bits 48 --verify\n"
    "  atoll sort ids.txt.gz --output sorted.npy";

void add_input_flags(CLI::App& command, sort_flags& flags) {
  const auto file = add_text_flag(command, "KEYS", "", flags.file,
                                  "A file of keys: text, also as .gz or .zst, or .npy")
                        .under("Keys");
  const auto take_class = [&flags](std::size_t place) {
    flags.nas = &kernels::sort::k_nas_classes[place];
  };
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

}  // namespace

void add_sort(CLI::App& root, command_context& context) {
  const auto flags = std::make_shared<sort_flags>();
  auto& command = add_command(root, context, "sort", "Integer sort over all PEs",
                              [&context, flags] { return run(*flags, context.settings); });
  add_input_flags(command, *flags);
  const auto take_exchange = [flags](bool collective) {
    using kernels::sort::exchange;
    flags->exchange = collective ? exchange::collective : exchange::delegates;
  };
  add_choice_flag(command, "--exchange", "collective", "delegates", take_exchange,
                  "How keys come to their PE")
      .with_default("collective")
      .under("Sorting");
  add_text_flag(command, "-o,--output", "FILE", flags->output,
                "Write the keys in order: .txt or .npy, also as .gz or .zst")
      .under("Output");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, k_sort_explanation);
}

}  // namespace atl::app
