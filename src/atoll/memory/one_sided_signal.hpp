#pragma once
// Put with signal: data, and a word beside it that is changed once the data is seen.

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

/// The data, and behind it the signal, by stores.
inline void put_and_signal(const one_sided_target& to, std::span<const std::byte> bytes,
                           std::byte* signal, const transport::signal_update& update) {
  copy_bytes(to.reached, bytes.data(), bytes.size());
  transport::apply_atomic(update.what, signal);
  this_pe().transport->stored_to(to.place.pe);
}

}  // namespace memory

namespace one_sided {

/// As `put_nbi`; when it is seen there, `signal` of the same PE becomes, or grows by, `value`.
template <class T>
void put_signal_nbi(global_address<T> to, std::span<const std::type_identity_t<T>> from,
                    global_address<std::uint64_t> signal, std::uint64_t value, signal_operation how,
                    site where = site::current()) {
  const auto target = memory::find_target("put_signal_nbi", to, from.size(), where);
  const auto word = memory::find_target("put_signal_nbi", to.pe(), signal.offset(), 8, where);
  const auto update = memory::signal_of(word.place.offset, how, value);
  if (target.reached != nullptr) [[likely]]
    memory::put_and_signal(target, std::as_bytes(from), word.reached, update);
  else
    memory::far_memory().put(target.place, std::as_bytes(from), true, memory::open_puts(), &update);
}

/// As `put_signal_nbi`, of values that may be changed when it returns. Copies them where it must.
template <class T>
void put_signal(global_address<T> to, std::span<const std::type_identity_t<T>> from,
                global_address<std::uint64_t> signal, std::uint64_t value, signal_operation how,
                site where = site::current()) {
  const auto target = memory::find_target("put_signal", to, from.size(), where);
  const auto word = memory::find_target("put_signal", to.pe(), signal.offset(), 8, where);
  const auto update = memory::signal_of(word.place.offset, how, value);
  if (target.reached != nullptr) [[likely]]
    memory::put_and_signal(target, std::as_bytes(from), word.reached, update);
  else
    memory::far_memory().put(target.place, std::as_bytes(from), false, memory::open_puts(),
                             &update);
}

}  // namespace one_sided
}  // namespace atl
