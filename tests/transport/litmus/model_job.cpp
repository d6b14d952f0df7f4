#include "transport/litmus/model_job.hpp"

#include "transport/litmus/sites.hpp"

#include <array>
#include <cstring>
#include <fmt/format.h>

namespace atl::litmus {
namespace {

constexpr std::uint64_t slots = 2;

settings settings_of() {
  settings all;
  all.buffer_size = 64;
  all.buffers_per_pair = slots;
  return all;
}

}  // namespace

model_job::model_job(int pes) : region_(pes, settings_of()) {
  forget_names();
  name_all();
}

void model_job::name_all() {
  const auto name = [](const auto& words, const std::string& owner, const char* kind) {
    name_words(&words, sizeof words, owner, kind);
  };
  name(region_.header().ended, "job", "ended");
  name(region_.header().questions, "job", "questions");
  name(region_.header().events, "job", "events");
  for (int pe = 0; pe < region_.pes(); ++pe) {
    transport::shm::pe_block& block = region_.block(pe);
    const std::string owner = fmt::format("PE {}", pe);
    name(block.bell, owner, "sleeping");
    name(block.room, owner, "room");
    name(block.attention, owner, "attention");
    name(block.ready, owner, "ready");
    name(block.starved, owner, "starved");
    name(block.life.answered, owner, "answered");
    for (int to = 0; to < region_.pes(); ++to) {
      auto ring = region_.ring(pe, to);
      for (std::uint64_t slot = 0; slot < slots; ++slot, ring.advance(region_.slot_stride()))
        name(ring.current().bytes, fmt::format("slot {} from PE {} to PE {}", slot, pe, to),
             "bytes");
    }
  }
}

void model_job::begin() {
  new (&region_.header()) transport::shm::job_header;
  wires_.clear();
  for (int pe = 0; pe < region_.pes(); ++pe) {
    new (&region_.block(pe)) transport::shm::pe_block;
    for (int to = 0; to < region_.pes(); ++to) {
      auto ring = region_.ring(pe, to);
      for (std::uint64_t slot = 0; slot < slots; ++slot, ring.advance(region_.slot_stride()))
        ring.current().bytes.store(0);
    }
  }
  for (int pe = 0; pe < region_.pes(); ++pe)
    wires_.push_back(std::make_unique<transport::shm::endpoint>(
        region_, pe, transport::shm::patience{.spin = 0, .yields = 0}));
}

program model_job::program_of(std::vector<body> bodies, body prepare) {
  program made;
  made.set_up = [this, prepare = std::move(prepare)] {
    begin();
    prepare(*this);
  };
  for (auto& one : bodies) made.threads.emplace_back([this, one = std::move(one)] { one(*this); });
  return made;
}

void send(transport::endpoint& wire, int to, int buffers, transport::awaited what,
          int first_number) {
  for (int number = first_number; number < first_number + buffers; ++number) {
    std::byte* buffer = wire.acquire(to);
    for (; buffer == nullptr; buffer = wire.acquire(to)) wire.wait(transport::forever, what);
    std::memcpy(buffer, &number, sizeof number);
    wire.submit(to, sizeof number);
  }
}

void receive(transport::endpoint& wire, int buffers) {
  std::array<int, max_threads> received{};
  for (; buffers > 0; --buffers) {
    transport::delivery arrived = wire.poll();
    for (; arrived.data == nullptr; arrived = wire.poll()) wire.wait(transport::forever);
    read_bytes(arrived.data);
    int number = 0;
    std::memcpy(&number, arrived.data, sizeof number);
    require(number == received[static_cast<std::size_t>(arrived.source)]++, "out of order");
    wire.release();
  }
}

}  // namespace atl::litmus
