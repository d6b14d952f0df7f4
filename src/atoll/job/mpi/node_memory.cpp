#include "atoll/job/mpi/node_memory.hpp"

#include "atoll/error.hpp"
#include "atoll/random.hpp"
#include "atoll/transport/internode/remote_wire.hpp"
#include "atoll/transport/shm/descriptor_mail.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace atl::job {
namespace {

using transport::internode::node_map;
using transport::internode::nodes_of;

/// Number of ranks to which descriptors are sent at a time. The kernel counts descriptors in flight
/// as open files of the user. The limit of open files may be as low as a thousand.
constexpr std::size_t ranks_at_a_time = 64;

template <class Value>
std::vector<Value> gathered(const atoll_mpi_api& mpi, const Value& mine) {
  std::vector<Value> all(static_cast<std::size_t>(mpi.size()));
  mpi.all_gather(&mine, sizeof mine, all.data());
  return all;
}

std::size_t largest_node(const node_map& nodes) {
  return static_cast<std::size_t>(1 + *std::ranges::max_element(nodes.place_of));
}

/// Sends descriptors from the first rank of each node to the other ranks of the node.
class hand_over {
 public:
  /// Collects the socket addresses of all ranks. All ranks must construct the object and call
  /// `run`.
  hand_over(const atoll_mpi_api& mpi, const node_map& nodes)
      : mpi_(mpi), nodes_(nodes), addresses_(gathered(mpi, mail_.address())) {}

  /// On the first rank of a node, sends the descriptors `mine` to the other ranks and returns no
  /// descriptors. On other ranks, ignores `mine` and returns the received descriptors.
  shm::received_descriptors run(std::span<const int> mine) {
    shm::received_descriptors received;
    for (std::size_t first = 0; first < largest_node(nodes_); first += ranks_at_a_time) {
      const int failure = leads() ? send_some(first, mine) : 0;
      const int of_leader = gathered(mpi_, failure)[index(nodes_.leader())];
      if (leads() || !is_among(place(), first)) continue;
      received = mail_.receive(addresses_[index(nodes_.leader())]);
      if (received.reason == EAGAIN && of_leader != 0) received.reason = of_leader;
    }
    return received;
  }

  bool leads() const { return nodes_.leader() == mpi_.rank(); }

 private:
  static std::size_t index(int rank) { return static_cast<std::size_t>(rank); }
  static bool is_among(std::size_t place, std::size_t first) {
    return place >= first && place < first + ranks_at_a_time;
  }
  std::size_t place() const { return index(nodes_.place_of[index(mpi_.rank())]); }

  /// Sends the descriptors to at most `ranks_at_a_time` ranks of this node, beginning with the rank
  /// at position `first`. Returns the errno of the last failure, or 0.
  int send_some(std::size_t first, std::span<const int> descriptors) {
    int failure = mail_.reason();
    if (failure != 0) return failure;
    for (std::size_t place = std::max<std::size_t>(first, 1); place < nodes_.mine.size(); ++place) {
      if (!is_among(place, first)) break;
      const int reason = mail_.send(addresses_[index(nodes_.mine[place])], descriptors);
      if (reason != 0) failure = reason;
    }
    return failure;
  }

  const atoll_mpi_api& mpi_;
  const node_map& nodes_;
  shm::descriptor_mail mail_;
  std::vector<shm::mail_address> addresses_;  // socket address of each rank
};

constexpr std::size_t tried_bytes = shm::page_size;

/// Tries to map a page of memory that belongs to the first rank of this rank's group. Returns 0, or
/// the errno of the failure. All ranks must call this function.
int try_to_share(const atoll_mpi_api& mpi, const node_map& nodes) {
  hand_over handing(mpi, nodes);
  if (handing.leads()) {
    const shm::mapping page(tried_bytes, "the ranks of a node to find each other");
    const int mine[] = {page.descriptor()};
    handing.run(mine);
    return 0;
  }
  const shm::received_descriptors received = handing.run({});
  if (received.reason != 0) return received.reason;
  try {
    const shm::mapping page(received.descriptors.front(), tried_bytes, "the ranks of a node");
  } catch (const error&) {
    return errno != 0 ? errno : EACCES;
  }
  return 0;
}

}  // namespace

sharing find_sharing(const atoll_mpi_api& mpi, const std::vector<std::uint64_t>& hosts) {
  sharing found{.group_of = hosts};
  for (bool all_share = false; !all_share;) {
    const node_map nodes = nodes_of(found.group_of, hosts, mpi.rank(), 0);
    const std::vector<int> reasons = gathered(mpi, try_to_share(mpi, nodes));
    all_share = true;
    for (std::size_t rank = 0; rank < reasons.size(); ++rank) {
      if (reasons[rank] == 0) continue;
      all_share = false;
      if (found.apart == 0 || static_cast<int>(rank) < found.first_apart) {
        found.first_apart = static_cast<int>(rank);
        found.reason = reasons[rank];
      }
      if (found.group_of[rank] == hosts[rank]) ++found.apart;
      // Ranks that failed in the same group form a new group, in which they may be able to share
      // memory.
      found.group_of[rank] = hash(found.group_of[rank]);
    }
  }
  return found;
}

std::unique_ptr<shm::region> region_of_node(const atoll_mpi_api& mpi, const node_map& nodes,
                                            settings settings) {
  const int pes = static_cast<int>(nodes.mine.size());
  if (pes > shm::max_pes_of_node)
    fail(errc::input, "{} ranks are to share memory, and {} can; divide them (--node-size)", pes,
         shm::max_pes_of_node);
  if (nodes.mine.size() < nodes.node_of.size() && settings.buffers_per_pair == 0)
    settings.buffers_per_pair = transport::internode::near_buffers_per_pair;
  std::unique_ptr<shm::region> region;
  hand_over handing(mpi, nodes);
  if (handing.leads()) region = std::make_unique<shm::region>(pes, settings);
  const auto shapes = gathered(mpi, handing.leads() ? region->shape() : shm::region_shape{});
  if (handing.leads()) {
    const shm::region_descriptors of = region->descriptors();
    const int mine[] = {of.memory, of.segments};
    handing.run(mine);
    return region;
  }
  const shm::received_descriptors received = handing.run({});
  if (received.reason != 0)
    fail(errc::environment,
         "the memory of rank {} of this host could not be handed over (Unix sockets): {}",
         nodes.leader(), std::strerror(received.reason));
  return std::make_unique<shm::region>(
      pes, settings, shapes[static_cast<std::size_t>(nodes.leader())],
      shm::region_descriptors{received.descriptors[0], received.descriptors[1]});
}

}  // namespace atl::job
