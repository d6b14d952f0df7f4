#include "atoll/array.hpp"

#include "atoll/base/mutants.hpp"

namespace atl::memory {
namespace {

/// A message that stores its payload in the global memory of its receiver.
struct stored_piece {
  std::uint64_t offset;

  void operator()(std::span<const std::byte> bytes) const noexcept {
    std::memcpy(this_pe().memory->local(offset), bytes.data(), bytes.size());
  }
};

/// A message that stores its payload at an address of the PE that asked for the data. After storing
/// the data, the message acknowledges one operation of the scope that asked for the data.
struct fetched_piece {
  std::uint64_t address;
  std::uint64_t activity_word;

  void operator()(std::span<const std::byte> bytes) const noexcept {
    std::memcpy(reinterpret_cast<std::byte*>(address), bytes.data(), bytes.size());
    message::acknowledged(activity_word, 1);
  }
};

/// A request for one piece of data. The receiver answers by a `fetched_piece`.
struct wanted_piece {
  std::uint64_t offset;
  std::uint64_t bytes;
  fetched_piece destination;

  void operator()() const {
    auto& messages = *this_pe().messages;
    messages.send_with<traffic::untracked>(
        messages.source(), destination, {this_pe().memory->local(offset), bytes}, site::current());
  }
};

}  // namespace

task<> send_bytes(int pe, std::uint64_t offset, std::span<const std::byte> bytes, site where) {
  auto& messages = *this_pe().messages;
  if (pe == my_pe()) {
    if (!bytes.empty()) std::memcpy(this_pe().memory->local(offset), bytes.data(), bytes.size());
    co_return;
  }
  const std::size_t piece = messages.payload_capacity<stored_piece>();
  for (std::size_t done = 0; done < bytes.size(); done += piece) {
    auto part = bytes.subspan(done, std::min(piece, bytes.size() - done));
    if (mutants::has(mutants::fault::short_put) && done != 0 && part.size() == 8) part = {};
    messages.send_with<traffic::tracked>(pe, stored_piece{offset + done}, part, where);
    co_await room(where);
  }
}

task<> fetch_bytes(int pe, std::uint64_t offset, std::span<std::byte> bytes, site where) {
  auto& messages = *this_pe().messages;
  if (pe == my_pe()) {
    if (!bytes.empty()) std::memcpy(bytes.data(), this_pe().memory->local(offset), bytes.size());
    co_return;
  }
  const std::size_t piece = messages.payload_capacity<fetched_piece>();
  message::activity& scope = messages.enclosing();
  for (std::size_t done = 0; done < bytes.size(); done += piece) {
    const auto part = bytes.subspan(done, std::min(piece, bytes.size() - done));
    const fetched_piece destination{reinterpret_cast<std::uintptr_t>(part.data()),
                                    reinterpret_cast<std::uintptr_t>(&scope)};
    messages.send<traffic::untracked>(pe, wanted_piece{offset + done, part.size(), destination},
                                      where);
    scope.begin();
    co_await room(where);
  }
}

}  // namespace atl::memory
