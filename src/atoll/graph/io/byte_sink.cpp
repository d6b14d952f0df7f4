#include "atoll/graph/io/byte_sink.hpp"

namespace atl::graph {
namespace {

class plain_writer final : public byte_sink {
 public:
  explicit plain_writer(output_file& file) : file_(file) {}
  void write(std::string_view bytes) override { file_.write(bytes); }
  void finish() override {}

 private:
  output_file& file_;
};

}  // namespace

std::unique_ptr<byte_sink> open_sink(output_file& file, compression packing) {
  switch (packing) {
  case compression::gzip:
    return gzip_sink(file);
  case compression::zstd:
    return zstd_sink(file);
  case compression::none:
    break;
  }
  return std::make_unique<plain_writer>(file);
}

}  // namespace atl::graph
