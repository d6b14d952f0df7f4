#include "python/server/remote/stream_channel.hpp"

#include "atoll/error.hpp"
#include "atoll/machine.hpp"
#include "atoll/settings.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace atl::serve {
namespace {

constexpr std::uint64_t k_piece = std::uint64_t{1} << 18;
constexpr std::uint64_t k_longest_array = std::uint64_t{1} << 48;

class stream_channel : public channel {
 public:
  stream_channel(std::unique_ptr<stream> over, std::uint64_t memory_limit)
      : stream_(std::move(over)), memory_limit_(memory_limit) {}

  bool receive_exactly(void* into, std::size_t bytes) override {
    return stream_->receive_exactly(into, bytes);
  }

  std::optional<received_files> receive_files(std::uint32_t count) override {
    received_files all;
    for (std::uint32_t i = 0; i < count; ++i)
      if (!receive_file(all)) return std::nullopt;
    if (all.refusal) all.files.clear();
    return all;
  }

  void send(std::string_view bytes, const std::vector<descriptor>& files) override {
    bool goes_on = stream_->send(bytes);
    for (std::size_t i = 0; goes_on && i < files.size(); ++i) goes_on = send_file(files[i]);
  }

  int unread() const override { return stream_->unacknowledged(); }
  void stop_receiving() override { stream_->stop(); }
  bool is_remote() const override { return true; }

 private:
  bool receive_file(received_files& all);
  bool send_file(const descriptor& file);
  void refuse_too_large(std::uint64_t bytes) const;

  const std::unique_ptr<stream> stream_;
  const std::uint64_t memory_limit_;
};

void stream_channel::refuse_too_large(std::uint64_t bytes) const {
  if (memory_limit_ != 0 && bytes > memory_limit_)
    fail(errc::out_of_memory, "an array has {}, and memory-limit is {}", size_text(bytes),
         size_text(memory_limit_));
  const std::uint64_t free = read_memory_status().free();
  if (bytes > free)
    fail(errc::out_of_memory, "an array has {}, and {} are free on the machine of PE 0",
         size_text(bytes), size_text(free));
}

/// Receives an array in pieces. An array that does not fit into memory is read to its end, so that
/// the next message can be understood. Returns false if the client has gone.
bool stream_channel::receive_file(received_files& all) {
  std::uint64_t left = 0;
  if (!stream_->receive_exactly(&left, sizeof left)) return false;
  if (left > k_longest_array)
    fail(errc::input,
         "a message of the client announces an array of {} bytes, and at most {} are "
         "allowed",
         left, k_longest_array);
  memory_file_writer file;
  std::string piece(std::min(left, k_piece), '\0');
  const auto unless_refused = [&](const auto& act) {
    try {
      if (!all.refusal) act();
    } catch (const error&) {
      all.refusal = std::current_exception();
    }
  };
  unless_refused([&] { refuse_too_large(left); });
  while (left > 0) {
    const std::uint64_t some = std::min(left, k_piece);
    if (!stream_->receive_exactly(piece.data(), some)) return false;
    unless_refused([&] { file.append({piece.data(), some}); });
    left -= some;
  }
  unless_refused([&] { all.files.push_back(file.finished()); });
  return true;
}

bool stream_channel::send_file(const descriptor& file) {
  const std::uint64_t bytes = bytes_of_own(file);
  bool goes_on = stream_->send({reinterpret_cast<const char*>(&bytes), sizeof bytes});
  std::string piece;
  for (std::uint64_t begin = 0; goes_on && begin < bytes; begin += k_piece) {
    piece.resize(std::min(k_piece, bytes - begin));
    read_own(file, begin, std::as_writable_bytes(std::span(piece)));
    goes_on = stream_->send(piece);
  }
  return goes_on;
}

}  // namespace

std::unique_ptr<channel> make_stream_channel(std::unique_ptr<stream> over,
                                             std::uint64_t memory_limit) {
  return std::make_unique<stream_channel>(std::move(over), memory_limit);
}

}  // namespace atl::serve
