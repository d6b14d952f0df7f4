// Implements the functions of atoll/sort.hpp that read, sort and verify integer keys.

#include "atoll/graph/load_keys.hpp"
#include "atoll/graph/reading_report.hpp"
#include "atoll/kernels/common/travelling_progress.hpp"
#include "atoll/kernels/sort/run.hpp"
#include "atoll/kernels/sort/validation.hpp"
#include "atoll/sort.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace atl {

namespace kernel = kernels::sort;

// ---- Making and reading keys.

namespace kernels::sort {

std::uint64_t first_of_share(std::uint64_t keys) {
  return division::share_begin(keys, static_cast<std::uint64_t>(my_pe()),
                               static_cast<std::uint64_t>(pes()));
}

namespace {

std::uint64_t keys_of_share(std::uint64_t keys) {
  const auto all = static_cast<std::uint64_t>(pes()), rank = static_cast<std::uint64_t>(my_pe());
  return division::share_begin(keys, rank + 1, all) - division::share_begin(keys, rank, all);
}

void check_bits(std::uint64_t index, std::uint64_t key, unsigned bits) {
  if (bits < 64 && key >> bits != 0)
    fail(errc::input, "key {} is {}, and keys of {} bits are less than {}", index, key, bits,
         std::uint64_t{1} << bits);
}

template <class Key>
task<> take_share(key_part<Key>& mine, const global_keys& keys, const next_keys& made) {
  mine.first = first_of_share(keys.size());
  co_await grow(mine.keys, keys_of_share(keys.size()));
  std::uint64_t index = mine.first;
  std::vector<std::uint64_t> next;
  co_await in_stretches(std::span(mine.keys), [&](std::span<Key> some) {
    next.resize(some.size());
    made(next);
    for (const std::uint64_t key : next) check_bits(index++, key, keys.bits());
    std::ranges::transform(next, some.begin(), [](auto key) { return static_cast<Key>(key); });
  });
}

/// Copies this PE's keys of a file from `read` to `mine`, and frees the memory of `read`. Every PE
/// calls this function.
template <class Key>
task<> all_take_read(key_part<Key>& mine, std::vector<std::uint64_t>& read) {
  const auto sizes = co_await all_gather(std::uint64_t{read.size()});
  for (int pe = 0; pe < my_pe(); ++pe) mine.first += sizes[static_cast<std::size_t>(pe)];
  mine.keys.reserve(read.size());
  co_await in_stretches(std::span(read), [&](std::span<std::uint64_t> some) {
    for (const std::uint64_t key : some) mine.keys.push_back(static_cast<Key>(key));
  });
  std::vector<std::uint64_t>().swap(read);
}

template <class Key>
task<std::string> all_complaint_of(const key_part<Key>& mine, key_account expected) {
  const sort_check found = co_await all_check(mine.in_order(), expected);
  co_return found.complaint();
}

/// Checks that the keys are sorted, and that they are the keys of the input. `expected` is the
/// fingerprint (`key_account`) of this PE's part of the input. Every PE calls this function.
task<std::string> all_difference(const global_keys& keys, const key_account& expected) {
  return keys.on_width([&](auto all) { return all_complaint_of(all.parts.local(), expected); });
}

}  // namespace

task<> take_made(const global_keys& keys, const next_keys& made) {
  return keys.on_width([&](auto all) { return take_share(all.parts.local(), keys, made); });
}

task<std::string> all_complaint(const global_keys& keys, const next_keys& made) {
  key_account expected;
  std::vector<std::uint64_t> next;
  for (std::uint64_t left = keys_of_share(keys.size()); left > 0; left -= next.size()) {
    next.resize(std::min<std::uint64_t>(left, k_stretch));
    made(next);
    for (const std::uint64_t key : next) expected.add(key);
    co_await yield();
  }
  co_return co_await all_difference(keys, expected);
}

void refuse_wrong(const std::string& complaint, site where) {
  if (!complaint.empty()) fail(errc::wrong_result, "{}: {}", to_string(where), complaint);
}

}  // namespace kernels::sort

namespace {

constexpr memory::call_of_one k_read_keys{"read_keys", "all_read_keys"}, k_sort{"sort", "all_sort"},
    k_all_sort{"all_sort", nullptr}, k_verify{"verify", "all_verify"};

/// Returns a `global_keys` with the keys that PEs have read from a file.
task<global_keys> take_keys(per_pe<std::vector<std::uint64_t>> read, keys_in_file found,
                            const key_file_options& options, site where) {
  const auto bits = std::max(1U, static_cast<unsigned>(std::bit_width(found.largest)));
  options.look(found.keys, bits);
  options.progress("making the keys", 0);
  const global_keys made = co_await global_keys::make(found.keys, bits, where);
  const auto take = [made, read]() -> task<> {
    return made.on_width(
        [&](auto all) { return kernel::all_take_read(all.parts.local(), read.local()); });
  };
  co_await together(take, where);
  co_return made;
}

}  // namespace

task<global_keys> global_keys::make(std::uint64_t size, unsigned bits, site where) {
  if (bits < 1 || bits > 64)
    fail(errc::input, "{}: keys have 1 to 64 bits, and not {}", to_string(where), bits);
  global_keys made;
  made.size_ = size;
  made.bits_ = bits;
  if (bits <= 32) {
    made.narrow_ = co_await kernel::keys_of_all<std::uint32_t>::make(size, bits);
    made.life_ = memory::lifetime(made.narrow_.received.offset());
  } else {
    made.wide_ = co_await kernel::keys_of_all<std::uint64_t>::make(size, bits);
    made.life_ = memory::lifetime(made.wide_.received.offset());
  }
  co_return made;
}

task<global_keys> read_keys(std::string path, key_file_options options, site where) {
  const memory::named_call call(k_read_keys, where);
  const auto read = co_await per_pe<std::vector<std::uint64_t>>::make(where);
  const key_file file{path, std::string(options.content)};
  const auto progress = [&](double done) { options.progress("reading", done); };
  std::exception_ptr failure;
  global_keys made;
  try {
    const keys_in_file found = co_await load_keys(file, read, progress);
    made = co_await take_keys(read, found, options, where);
  } catch (...) {
    failure = std::current_exception();
  }
  co_await read.destroy(where);
  if (failure != nullptr) std::rethrow_exception(failure);
  co_return made;
}

task<global_keys> all_read_keys(std::string path, key_file_options options, site where) {
  const auto by_one = [path = std::move(path), options, where] {
    return read_keys(path, options, where);
  };
  return all_by_first(by_one, where);
}

// ---- Access to the keys of a PE.

std::span<const std::uint32_t>
global_keys::in_order(const kernel::keys_of_all<std::uint32_t>& keys) {
  return keys.parts->in_order();
}

std::span<const std::uint64_t>
global_keys::in_order(const kernel::keys_of_all<std::uint64_t>& keys) {
  return keys.parts->in_order();
}

std::uint64_t global_keys::local_size(site where) const {
  check(where);
  return on_width([&](const auto& keys) {
    if (!keys.parts->is_sorted)
      fail(errc::input, "{}: the keys have not been sorted", to_string(where));
    return keys.parts->size();
  });
}

std::uint64_t global_keys::first_rank(site where) const {
  check_order(where);
  return on_width([](const auto& keys) { return keys.parts->rank_of_first(); });
}

bool global_keys::local_replace(std::uint64_t index, std::uint64_t key, site where) const {
  check(where);
  if (bits_ < 64 && key >> bits_ != 0)
    fail(errc::input, "{}: {} has more than the {} bits of the keys", to_string(where), key, bits_);
  return on_width([&](const auto& all) {
    auto& mine = all.parts.local();
    if (index < mine.first || index - mine.first >= mine.keys.size()) return false;
    auto& place = mine.keys[index - mine.first];
    place = static_cast<std::decay_t<decltype(place)>>(key);
    return true;
  });
}

task<global_array<std::uint64_t>> global_keys::to_array(site where) const {
  const global_keys self = *this;
  self.check_order(where);
  const auto array = co_await make_array<std::uint64_t>(self.size_, {}, where);
  const auto copy = [self, array]() -> task<> {
    std::vector<std::uint64_t> mine;
    const auto add = [&](std::uint64_t, std::uint64_t key) { mine.push_back(key); };
    self.for_each_local(add);
    co_await put(array, self.first_rank(site::current()), std::span<const std::uint64_t>(mine));
  };
  co_await on_all_pes(copy, where);
  co_return array;
}

task<global_array<std::uint64_t>> global_keys::all_to_array(site where) const {
  return all_by_first([self = *this, where] { return self.to_array(where); }, where);
}

task<> global_keys::destroy(site where) const {
  const global_keys self = *this;
  self.check(where);
  co_await self.on_width([](const auto& keys) { return keys.destroy(); });
}

task<> global_keys::all_destroy(site where) const {
  return all_by_first([self = *this, where] { return self.destroy(where); }, where);
}

// ---- Sorting and verifying.

task<> sort(global_keys keys, site where) {
  keys.check(where);
  const memory::named_call call(k_sort, where);
  const auto on_each = [keys]() -> task<> {
    return keys.on_width([](auto all) { return kernel::all_sort(all); });
  };
  co_await together(on_each, where);
}

task<> all_sort(global_keys keys, site where) {
  keys.check(where);
  const memory::named_call call(k_all_sort, where);
  co_await keys.on_width([](auto all) { return kernel::all_sort(all); });
}

task<kernel::known_ranks> all_rank(global_keys keys, std::span<const std::uint64_t> indices,
                                   site where) {
  keys.check(where);
  for (const std::uint64_t index : indices)
    if (index >= keys.size()) memory::refuse_elements(index, 1, keys.size(), where);
  co_return co_await keys.on_width([&](auto all) { return kernel::all_rank(all, indices); });
}

namespace {

/// The result of a comparison of keys with a file: a description of a difference, or the error that
/// reading the file caused.
struct comparison {
  std::string complaint;
  std::optional<error> failure;
};

/// Returns the fingerprint (`key_account`) of all keys of a file. The call lets other tasks of this
/// PE run, and does not communicate.
task<kernel::key_account> account_of(const key_file& file) {
  file_part whole;
  whole.path = file.path;
  whole.options.content = file.content;
  key_reader reader(whole);
  kernel::key_account account;
  std::vector<std::uint64_t> some;
  for (; reader.read_some(some); some.clear()) {
    for (const std::uint64_t key : some) account.add(key);
    co_await yield();
  }
  co_return account;
}

/// Compares the keys with the keys of a file. Only PE `from` needs to pass the file. Every PE calls
/// this function.
task<comparison> all_compare(const global_keys& keys, const key_file* file, int from) {
  const key_file shared = co_await all_share_key_file(file, from);
  kernel::key_account expected;
  const auto read = [&]() -> task<> {
    if (my_pe() == 0) expected = co_await account_of(shared);
  };
  comparison result;
  try {
    co_await graph::all_or_none(shared.path, read);
  } catch (const error& failure) {
    result.failure = failure;
    co_return result;
  }
  result.complaint = co_await kernel::all_difference(keys, expected);
  co_return result;
}

}  // namespace

task<> verify(global_keys keys, std::string path, key_file_options options, site where) {
  keys.check_order(where);
  const memory::named_call call(k_verify, where);
  const key_file file{std::move(path), std::string(options.content)};
  const auto compare = [keys, named = tasks::own_pointer(&file), from = my_pe()]() {
    return all_compare(keys, named.get(), from);
  };
  const comparison found = co_await from_all_pes(compare, where);
  if (found.failure) throw error(*found.failure);
  kernel::refuse_wrong(found.complaint, where);
}

task<> all_verify(global_keys keys, std::string path, key_file_options options, site where) {
  const auto by_one = [keys, path = std::move(path), options, where] {
    return verify(keys, path, options, where);
  };
  return all_by_first(by_one, where);
}

double bytes_to_sort(const key_demand& demand) {
  constexpr std::uint64_t fixed_of_pe = 16 << 20;
  const std::uint64_t key = demand.bits > 32 ? sizeof(std::uint64_t) : sizeof(std::uint32_t);
  const std::uint64_t received = kernel::division::most_of_pe(demand.keys, demand.pes) * demand.pes;
  const std::uint64_t copies = demand.over_nodes ? 3 : 2;
  const double keys =
      static_cast<double>(key) * static_cast<double>(copies * demand.keys + received);
  const double read = demand.of_file ? static_cast<double>(demand.keys) * sizeof(std::uint64_t) : 0;
  const auto shape = kernel::shape_for(demand.bits, static_cast<int>(demand.pes));
  const bool ranks = demand.ranks || kernel::counts_by_value(shape, shape.buckets(), demand.keys);
  const double values = ranks ? static_cast<double>(std::uint64_t{1} << demand.bits) * 4 : 0;
  return keys + read + values + static_cast<double>(fixed_of_pe * demand.pes);
}

}  // namespace atl
