#pragma once
// What a program says of a function that travels, so that the runtime may do more with it.

#include <type_traits>

namespace atl {

namespace memory {

template <class Function>
struct leaf_function : Function {
  static constexpr bool is_leaf = true;

  explicit leaf_function(const Function& function) : Function(function) {}
};

}  // namespace memory

/// `function`, of which this says that it does nothing but touch the object it is called with: it
/// sends and spawns nothing, which is asserted where it runs, and throws nothing, for it is
/// noexcept. Given to async_update, where few go to each of many PEs, those of several PEs travel
/// as one (message/relay.hpp).
template <class Function>
auto leaf(const Function& function) {
  return memory::leaf_function<Function>(function);
}

}  // namespace atl
