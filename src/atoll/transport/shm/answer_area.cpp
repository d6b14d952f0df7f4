#include "atoll/transport/shm/answer_area.hpp"

#include "atoll/transport/site_word.hpp"

#include <algorithm>

namespace atl::transport::shm {
namespace {

/// Findings about tasks are as many as there are places; the others are few and all needed.
bool comes_first(const observe::finding& a, const observe::finding& b) {
  const bool of_tasks_a = a.what < observe::fact::held;
  const bool of_tasks_b = b.what < observe::fact::held;
  return of_tasks_a != of_tasks_b ? of_tasks_b : a.count > b.count;
}

}  // namespace

void answer_area::write(std::vector<observe::finding> findings) {
  std::ranges::stable_sort(findings, comes_first);
  size_ = std::min(findings.size(), capacity);
  left_out_ = findings.size() - size_;
  module_table modules;
  const auto word_of = [&modules](site where) { return site_word(modules, where); };
  for (std::size_t i = 0; i < size_; ++i) {
    const observe::finding& one = findings[i];
    records_[i] = {one.what, word_of(one.where), word_of(one.spawned), one.count, one.number};
  }
}

observe::pe_answer answer_area::read(int pe) const {
  observe::pe_answer answer{pe, {}, left_out_};
  for (std::size_t i = 0; i < std::min<std::size_t>(size_, capacity); ++i) {
    const record& one = records_[i];
    answer.findings.push_back(
        {one.what, site_of_word(one.where), site_of_word(one.spawned), one.count, one.number});
  }
  return answer;
}

}  // namespace atl::transport::shm
