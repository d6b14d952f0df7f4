#pragma once
// Requests that travel to the master to be served there, and their answers.

#include "atoll/collectives.hpp"
#include "atoll/combine/gate.hpp"

#include <memory>
#include <span>
#include <vector>

namespace atl::combine {

/// Where the answers of forwarded requests go: arrays of the PE that sent them, and the gate that
/// counts them as one.
struct return_address {
  std::uint64_t answers_word;
  std::uint64_t failed_word;  ///< bytes that become 1 where a request fails; 0: nobody asks
  std::uint64_t gate_word;

  gate& at() const { return *reinterpret_cast<gate*>(gate_word); }
};

/// The payload is the answers.
struct forwarded_answers {
  return_address to;

  void operator()(std::span<const std::byte> answers) const noexcept {
    std::memcpy(reinterpret_cast<std::byte*>(to.answers_word), answers.data(), answers.size());
    to.at().one_answered();
  }
};

/// Some of the requests have failed, or all. The payload is all answers, then a byte for each
/// request, 1 where it has failed, then the text of the error; where all have failed, only that
/// text.
struct forwarded_failure {
  return_address to;
  errc code;
  std::uint32_t requests;
  std::uint32_t answer_bytes;  ///< 0: all have failed

  void operator()(std::span<const std::byte> payload) const;
};

inline constexpr std::size_t k_text_of_failure = 256;

/// Sends the failure back; of its text what has a place. `results` are the answers, the bytes that
/// tell which have failed, and `k_text_of_failure` bytes more: who asks waits for this, so it takes
/// no memory. Within a handler or a task of the PE that serves the requests.
void return_failure(int asker, return_address to, std::uint32_t requests,
                    std::span<std::byte> results, const std::exception_ptr& failure);

/// As `return_failure` where none of so many requests is served.
void refuse_all(int asker, return_address to, std::uint32_t requests,
                const std::exception_ptr& failure);

/// The payload is requests; `Server` is an object of every PE that serves them.
template <class Server>
struct forwarded_requests {
  using request = typename Server::request;
  using answer = typename Server::answer;
  static_assert(alignof(answer) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__, "answers lie in plain bytes");

  per_pe<Server> servers;
  return_address to;
  transport::travelling_site where;

  void operator()(std::span<const std::byte> payload) const {
    const int asker = this_pe().messages->source();
    const std::size_t count = payload.size() / sizeof(request);
    try {
      std::vector<request> wanted(count);
      std::memcpy(wanted.data(), payload.data(), payload.size());
      auto serving = answer_all(servers.local(), asker, to, std::move(wanted), where);
      tasks::spawn_owed([begun = std::move(serving)]() mutable { return std::move(begun); }, where);
    } catch (const transport::job_ended&) {
      throw;
    } catch (...) {
      refuse_all(asker, to, static_cast<std::uint32_t>(count), std::current_exception());
    }
  }

 private:
  static task<> answer_all(Server& server, int asker, return_address to,
                           std::vector<request> requests, site where) {
    const std::size_t count = requests.size();
    std::vector<std::byte> results;
    std::exception_ptr failure;
    try {
      results.resize(count * (sizeof(answer) + 1) + k_text_of_failure);
      const std::span answers(reinterpret_cast<answer*>(results.data()), count);
      std::ranges::uninitialized_value_construct(answers);
      const auto failed = std::span(results).subspan(answers.size_bytes(), count);
      failure = co_await server.serve(requests, answers, failed, where);
    } catch (const transport::job_ended&) {
      throw;
    } catch (...) {
      refuse_all(asker, to, static_cast<std::uint32_t>(count), std::current_exception());
      co_return;
    }
    if (failure) {
      return_failure(asker, to, static_cast<std::uint32_t>(count), results, failure);
    } else {
      const std::span<const std::byte> answers(results.data(), count * sizeof(answer));
      this_pe().messages->send_with<message::traffic::owed>(asker, forwarded_answers{to}, answers,
                                                            where);
    }
  }
};

/// How many requests one message takes, and their answers.
template <class Server>
std::size_t most_forwarded() {
  using request = typename Server::request;
  using answer = typename Server::answer;
  message::engine& messages = *this_pe().messages;
  const auto there = messages.payload_capacity<forwarded_requests<Server>>() / sizeof(request);
  const auto back =
      (messages.payload_capacity<forwarded_failure>() - k_text_of_failure) / (sizeof(answer) + 1);
  return std::min(there, back);
}

/// Sends requests, at most `most_forwarded`, to `master`; all of them count as one request at the
/// gate of the address. Throws atl::error (overflow).
template <class Server>
void forward(int master, per_pe<Server> servers, std::span<const typename Server::request> requests,
             return_address to, site where) {
  this_pe().messages->send_with<message::traffic::tracked>(
      master, forwarded_requests<Server>{servers, to, where}, std::as_bytes(requests), where);
}

}  // namespace atl::combine
