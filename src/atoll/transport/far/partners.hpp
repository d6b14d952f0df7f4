#pragma once
// How many PEs a PE hands buffers to in a job of several nodes, as message/routes.hpp leads
// messages, and how large the buffers may be for that.

#include "atoll/settings.hpp"

#include <cstdint>

namespace atl::transport::far {

/// Messages for other nodes take two steps between nodes, which stand in a square: where one step
/// made a PE share what it has among many PEs of other nodes, and its node among many nodes. (Each
/// step carries all bytes again: 128 nodes of 16 PEs, eight a PE, are twice as fast with one.)
bool needs_grid(int nodes, int pes_of_node);

/// So many streams lead from a node of so many PEs to another that each PE has one at least.
int streams_to_a_node(int nodes, int pes_of_node);

/// How many PEs of other nodes a PE of nodes of so many sends buffers to at most. Few messages go
/// straight to others.
int partners_beyond(routing how, int nodes, int pes_of_node);

/// Where the settings leave it open. Each message costs MPI more than a buffer costs shared memory,
/// so buffers are large: with its header one is below what MPI sends over TCP without asking the
/// receiver first (64 KiB). Where PEs are thousands, their buffers have so much memory in all.
std::uint64_t buffer_bytes_between_nodes(int pes, int nodes, int pes_of_node);

}  // namespace atl::transport::far
