#include "atoll/transport/shm/answer_area.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace atl::transport::shm {
namespace {

/// Findings about tasks are as many as there are places; the others are few and all needed.
bool comes_first(const observe::finding& a, const observe::finding& b) {
  const bool of_tasks_a = a.what < observe::fact::held;
  const bool of_tasks_b = b.what < observe::fact::held;
  return of_tasks_a != of_tasks_b ? of_tasks_b : a.count > b.count;
}

/// Where texts are kept, each once.
class text_pool {
 public:
  explicit text_pool(std::span<char> memory) : memory_(memory) { memory_[0] = '\0'; }

  /// Where it begins; none where there is no room.
  std::optional<std::uint16_t> add(const std::string& text) {
    if (text.empty()) return std::uint16_t{0};
    const auto known = begins_.find(text);
    if (known != begins_.end()) return known->second;
    if (text.size() >= memory_.size() - used_) return std::nullopt;
    const auto begin = static_cast<std::uint16_t>(used_);
    std::memcpy(&memory_[used_], text.c_str(), text.size() + 1);
    used_ += text.size() + 1;
    begins_.emplace(text, begin);
    return begin;
  }

 private:
  std::span<char> memory_;
  std::size_t used_ = 1;
  std::map<std::string, std::uint16_t> begins_;
};

}  // namespace

void answer_area::write(std::vector<observe::finding> findings) {
  std::ranges::stable_sort(findings, comes_first);
  text_pool texts(text_);
  size_ = left_out_ = 0;
  for (const observe::finding& one : findings) {
    const auto place = texts.add(one.place_text());
    const auto origin = texts.add(one.origin_text());
    if (size_ == capacity || !place || !origin)
      ++left_out_;
    else
      records_[size_++] = {one.what, *place, *origin, one.count, one.number};
  }
}

observe::pe_answer answer_area::read(int pe) const {
  observe::pe_answer answer{pe, {}, left_out_};
  const auto text = [this](std::uint16_t begin) {
    const std::size_t most = text_bytes - std::min<std::size_t>(begin, text_bytes);
    return std::string(text_.data() + text_bytes - most,
                       strnlen(text_.data() + text_bytes - most, most));
  };
  for (std::size_t i = 0; i < std::min<std::size_t>(size_, capacity); ++i) {
    const record& one = records_[i];
    answer.findings.push_back(
        {one.what, {}, {}, one.count, one.number, text(one.place), text(one.origin)});
  }
  return answer;
}

}  // namespace atl::transport::shm
