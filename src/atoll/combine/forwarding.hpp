#pragma once
// This file has messages that forward requests on a global structure to the master, and messages
// that return the answers. The master is the PE that holds the state of the structure.

#include "atoll/collectives.hpp"
#include "atoll/combine/gate.hpp"

#include <memory>
#include <span>
#include <vector>

namespace atl::combine {

/// Addresses on the PE that has sent the requests of one message: the array for the answers, and
/// the gate at which a task waits. The gate counts all requests of the message as one request.
struct return_address {
  std::uint64_t answers_word;
  /// Address of an array with one byte per request, in which failed requests are marked by 1. The
  /// address is 0 if the sender need not know which requests have failed.
  std::uint64_t failed_word;
  std::uint64_t gate_word;

  gate& at() const { return *reinterpret_cast<gate*>(gate_word); }
};

/// A message to the PE that sent the requests. The payload consists of the answers.
struct forwarded_answers {
  return_address to;

  void operator()(std::span<const std::byte> answers) const noexcept {
    std::memcpy(reinterpret_cast<std::byte*>(to.answers_word), answers.data(), answers.size());
    to.at().one_answered();
  }
};

/// The message that returns answers if some or all requests have failed. The payload has three
/// parts: all answers; one byte per request, which is 1 for a failed request; and the text of the
/// error. If all requests have failed, the payload is only the text of the error.
struct forwarded_failure {
  return_address to;
  errc code;
  std::uint32_t requests;
  std::uint32_t answer_bytes;  ///< size of all answers; 0 if all requests have failed

  void operator()(std::span<const std::byte> payload) const;
};

inline constexpr std::size_t k_text_of_failure = 256;

/// Sends the results of requests to PE `asker`, after some of the requests have failed. `results`
/// has three parts: the answers; one byte per request, which is 1 for a failed request; and
/// `k_text_of_failure` bytes. The function copies the text of `failure` into the third part of
/// `results`, and truncates a text that is too long. The function allocates no memory for the
/// payload, because the asking task must get the results even if memory is short.
void return_failure(int asker, return_address to, std::uint32_t requests,
                    std::span<std::byte> results, const std::exception_ptr& failure);

/// Tells PE `asker` that all its `requests` requests have failed with `failure`. No request was
/// executed.
void refuse_all(int asker, return_address to, std::uint32_t requests,
                const std::exception_ptr& failure);

/// A message whose payload is requests. The receiver starts a task that executes the requests by
/// `Server::serve` and returns the answers. `Server` is the type of the per-PE object `servers`.
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

/// Returns the largest number of requests per message. The requests must fit into one message, and
/// the answers to the requests must fit into another message.
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

/// Sends requests in one message to PE `master`. At most `most_forwarded` requests are allowed. The
/// gate of the return address counts all requests of the message as one request. Throws atl::error
/// (overflow).
template <class Server>
void forward(int master, per_pe<Server> servers, std::span<const typename Server::request> requests,
             return_address to, site where) {
  this_pe().messages->send_with<message::traffic::tracked>(
      master, forwarded_requests<Server>{servers, to, where}, std::as_bytes(requests), where);
}

}  // namespace atl::combine
