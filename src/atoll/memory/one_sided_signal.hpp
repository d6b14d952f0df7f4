#pragma once
// Put with signal: data, and a word beside it that is changed once the data is seen. Who may call,
// errors, and what holds up the PE: as in one_sided_put.hpp.

#include "atoll/memory/one_sided_atomics.hpp"
#include "atoll/memory/one_sided_put.hpp"

namespace atl {
namespace one_sided {

/// What becomes of the signal.
enum class signal_operation : std::uint8_t { set, add };

}  // namespace one_sided

namespace memory {

inline transport::signal_update signal_of(std::uint64_t offset, one_sided::signal_operation how,
                                          std::uint64_t value) {
  using transport::atomic_kind;
  const bool adds = how == one_sided::signal_operation::add;
  return {offset, operation(adds ? atomic_kind::add : atomic_kind::store, value)};
}

/// Throws atl::error (input): the signal is of another PE than the data.
[[noreturn]] void refuse_signal(const char* call, int data_pe, int signal_pe, site where);

/// The data, and behind it the signal; `from` lasts until `quiet`, or is copied where it must be.
template <class T>
void put_and_signal(const char* call, global_address<T> to, std::span<const T> from, bool lasts,
                    global_address<std::uint64_t> signal, std::uint64_t value,
                    one_sided::signal_operation how, site where) {
  const auto target = find_target(call, to, from.size(), where);
  const auto word = find_word(call, signal, where);
  if (signal.pe() != to.pe()) refuse_signal(call, to.pe(), signal.pe(), where);
  const auto update = signal_of(word.place.offset, how, value);
  const auto bytes = std::as_bytes(from);
  if (target.reached == nullptr)
    return far_memory().put(target.place, bytes, lasts, open_puts(), &update);
  copy_bytes(target.reached, bytes.data(), bytes.size());
  transport::apply_atomic(update.what, word.reached);
  this_pe().transport->stored_to(target.place.pe);
}

}  // namespace memory

namespace one_sided {

/// As `put_nbi`; when it is seen there, `signal` of the same PE becomes, or grows by, `value`.
template <class T>
void put_signal_nbi(global_address<T> to, std::span<const std::type_identity_t<T>> from,
                    global_address<std::uint64_t> signal, std::uint64_t value, signal_operation how,
                    site where = site::current()) {
  memory::put_and_signal<T>("put_signal_nbi", to, from, true, signal, value, how, where);
}

/// As `put_signal_nbi`, of values that may be changed when it returns. Copies them where it must.
template <class T>
void put_signal(global_address<T> to, std::span<const std::type_identity_t<T>> from,
                global_address<std::uint64_t> signal, std::uint64_t value, signal_operation how,
                site where = site::current()) {
  memory::put_and_signal<T>("put_signal", to, from, false, signal, value, how, where);
}

}  // namespace one_sided
}  // namespace atl
