#include "atoll/graph/io/byte_sink.hpp"

namespace atl::graph {
namespace {

class plain_writer final : public byte_sink {
 public:
  explicit plain_writer(byte_target target) : target_(std::move(target)) {}
  void write(std::string_view bytes) override { target_(bytes); }
  void finish() override {}

 private:
  byte_target target_;
};

std::unique_ptr<byte_sink> sink_for(compression packing, byte_target target) {
  switch (packing) {
  case compression::gzip:
    return gzip_sink(std::move(target));
  case compression::zstd:
    return zstd_sink(std::move(target));
  case compression::none:
    break;
  }
  return std::make_unique<plain_writer>(std::move(target));
}

}  // namespace

std::unique_ptr<byte_sink> open_sink(output_file& file, compression packing) {
  return sink_for(packing, [&file](std::string_view bytes) { file.write(bytes); });
}

std::string packed(std::string bytes, compression packing) {
  if (packing == compression::none) return bytes;
  std::string result;
  const auto sink = sink_for(packing, [&result](std::string_view some) { result += some; });
  sink->write(bytes);
  sink->finish();
  return result;
}

}  // namespace atl::graph
