#pragma once
// The flag that names a tree, for every command that searches one.

#include "atoll/kernels/uts/tree.hpp"

namespace CLI {
class App;
}

namespace atl::app {

/// Adds --tree. An unknown name is refused with the nearest known one. `tree` lives as long as the
/// command.
void add_tree_flag(CLI::App& command, kernels::uts::tree_parameters& tree);

}  // namespace atl::app
