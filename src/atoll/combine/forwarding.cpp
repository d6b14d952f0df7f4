#include "atoll/combine/forwarding.hpp"

#include "atoll/base/describe.hpp"

#include <string_view>

namespace atl::combine {
namespace {

std::pair<errc, std::string> code_and_text(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const error& known) {
    return {known.code(), known.what()};
  } catch (...) {
    return {errc::remote, fmt::format("PE {}: {}", my_pe(), describe(failure))};
  }
}

void copy_to(std::uint64_t address, std::span<const std::byte> bytes) {
  if (!bytes.empty())
    std::memcpy(reinterpret_cast<std::byte*>(address), bytes.data(), bytes.size());
}

}  // namespace

void forwarded_failure::operator()(std::span<const std::byte> payload) const {
  auto text = payload;
  if (answer_bytes != 0) {
    text = payload.subspan(requests + answer_bytes);
    if (to.failed_word != 0) {
      copy_to(to.failed_word, payload.first(requests));
      copy_to(to.answers_word, payload.subspan(requests, answer_bytes));
    }
  } else if (to.failed_word != 0) {
    std::memset(reinterpret_cast<std::byte*>(to.failed_word), 1, requests);
  }
  to.at().one_failed(std::make_exception_ptr(
      error(code, std::string(reinterpret_cast<const char*>(text.data()), text.size()))));
}

void return_failure(int asker, return_address to, std::span<const std::byte> failed,
                    std::span<const std::byte> answers, const std::exception_ptr& failure) {
  const auto [code, text] = code_and_text(failure);
  message::engine& messages = *this_pe().messages;
  const auto room = messages.payload_capacity<forwarded_failure>() - failed.size() - answers.size();
  const auto said = std::as_bytes(std::span(text)).first(std::min(text.size(), room));
  std::vector<std::byte> payload(failed.begin(), failed.end());
  payload.insert(payload.end(), answers.begin(), answers.end());
  payload.insert(payload.end(), said.begin(), said.end());
  const forwarded_failure sent{to, code, static_cast<std::uint32_t>(failed.size()),
                               static_cast<std::uint32_t>(answers.size())};
  messages.send_with<message::traffic::owed>(asker, sent, payload, site::current());
}

void refuse_all(int asker, return_address to, std::uint32_t requests,
                const std::exception_ptr& failure) {
  const auto [code, text] = code_and_text(failure);
  message::engine& messages = *this_pe().messages;
  const auto room = std::min(text.size(), messages.payload_capacity<forwarded_failure>());
  messages.send_with<message::traffic::owed>(asker, forwarded_failure{to, code, requests, 0},
                                             std::as_bytes(std::span(text)).first(room),
                                             site::current());
}

}  // namespace atl::combine
