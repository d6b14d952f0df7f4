#include "transport/litmus/scenarios.hpp"

#include "transport/litmus/model_job.hpp"

namespace atl::litmus {
namespace {

using transport::awaited;
using transport::forever;
using transport::job_ended;

void await_room(transport::endpoint& wire, int to) {
  while (wire.acquire(to) == nullptr) wire.wait(forever, awaited::room);
}

/// PE 0 sends buffers, and PE 1 receives them.
template <int Buffers>
verdict one_sender(const mutation& changed) {
  model_job job(2);
  return explore(job.program_of({[](model_job& all) { send(all.wire(0), 1, Buffers); },
                                 [](model_job& all) { receive(all.wire(1), Buffers); }}),
                 changed);
}

void fill_ring(model_job& all) { send(all.wire(0), 1, 2); }

/// The ring of buffers is full at the beginning. PE 1 returns exactly as much room as PE 0 needs.
template <int More, awaited What>
verdict full_ring(const mutation& changed) {
  model_job job(2);
  return explore(job.program_of({[](model_job& all) { send(all.wire(0), 1, More, What, 2); },
                                 [](model_job& all) { receive(all.wire(1), More); }},
                                fill_ring),
                 changed);
}

/// PE 0 first checks for room without waiting, and then waits for room. PE 0 must notice room that
/// the receiver has returned between the check and the wait.
template <int More>
verdict look_and_wait(const mutation& changed) {
  model_job job(2);
  return explore(job.program_of({[](model_job& all) {
                                   for (int left = More; left > 0; --left) {
                                     if (all.wire(0).acquire(1) == nullptr)
                                       all.wire(0).wait(0, awaited::room);
                                     send(all.wire(0), 1, 1, awaited::room, 4 - left);
                                   }
                                 },
                                 [](model_job& all) { receive(all.wire(1), More); }},
                                fill_ring),
                 changed);
}

/// Two senders wait for room at one receiver.
verdict two_starved_senders(const mutation& changed) {
  model_job job(3);
  return explore(job.program_of({[](model_job& all) { receive(all.wire(0), 2); },
                                 [](model_job& all) { await_room(all.wire(1), 0); },
                                 [](model_job& all) { await_room(all.wire(2), 0); }},
                                [](model_job& all) {
                                  send(all.wire(1), 0, 2);
                                  send(all.wire(2), 0, 2);
                                }),
                 changed);
}

/// A PE waits for room in the same way as the transport between nodes does. The PE goes to sleep
/// without polling for a while, and checks for returned room after its sleep.
verdict sleep_and_take_note(const mutation& changed) {
  model_job job(2);
  return explore(job.program_of({[](model_job& all) {
                                   while (all.wire(0).acquire(1) == nullptr) {
                                     if (!all.shm_wire(0).something_arrived(awaited::room))
                                       all.shm_wire(0).sleep(forever, awaited::room);
                                     all.wire(0).wait(0, awaited::room);
                                   }
                                   send(all.wire(0), 1, 1, awaited::room, 2);
                                 },
                                 [](model_job& all) { receive(all.wire(1), 1); }},
                                fill_ring),
                 changed);
}

verdict two_senders(const mutation& changed) {
  model_job job(3);
  return explore(job.program_of({[](model_job& all) { receive(all.wire(0), 2); },
                                 [](model_job& all) { send(all.wire(1), 0, 1); },
                                 [](model_job& all) { send(all.wire(2), 0, 1); }}),
                 changed);
}

/// Each PE sends one buffer and receives one buffer.
verdict both_ways(const mutation& changed) {
  model_job job(2);
  return explore(job.program_of({[](model_job& all) {
                                   send(all.wire(0), 1, 1);
                                   receive(all.wire(0), 1);
                                 },
                                 [](model_job& all) {
                                   send(all.wire(1), 0, 1);
                                   receive(all.wire(1), 1);
                                 }}),
                 changed);
}

/// Waits until the job ends.
void await_end(transport::endpoint& wire) {
  try {
    for (;;) wire.wait(forever);
  } catch (const job_ended&) {
  }
}

/// If a PE waits again after the end of the job, the wait must report the end again.
verdict end_of_job(const mutation& changed) {
  model_job job(1);
  return explore(job.program_of({[](model_job& all) {
                                   await_end(all.wire(0));
                                   await_end(all.wire(0));
                                 },
                                 [](model_job& all) { all.region().end(1); }}),
                 changed);
}

verdict end_from_two_sides(const mutation& changed) {
  model_job job(1);
  return explore(job.program_of({[](model_job& all) { await_end(all.wire(0)); },
                                 [](model_job& all) { all.region().end(1); },
                                 [](model_job& all) { all.region().end(2); }}),
                 changed);
}

/// Waits until this PE has answered `questions` questions of the hang detector.
void answer(model_job& all, std::uint32_t questions) {
  auto& answered = all.region().block(0).life.answered;
  all.wire(0).sections().add(
      [&](std::vector<observe::finding>&) { write_bytes(&all.region().answer(0)); });
  while (answered.load(std::memory_order_relaxed) != questions) all.wire(0).wait(forever);
}

verdict one_question(const mutation& changed) {
  model_job job(1);
  return explore(job.program_of({[](model_job& all) { answer(all, 1); },
                                 [](model_job& all) {
                                   const std::uint32_t question = all.region().ask();
                                   auto& answered = all.region().block(0).life.answered;
                                   if (answered.load(std::memory_order_acquire) == question)
                                     read_bytes(&all.region().answer(0));
                                 }}),
                 changed);
}

verdict two_questions(const mutation& changed) {
  model_job job(1);
  return explore(job.program_of({[](model_job& all) { answer(all, 2); },
                                 [](model_job& all) {
                                   all.region().ask();
                                   all.region().ask();
                                 }}),
                 changed);
}

verdict question_and_end(const mutation& changed) {
  model_job job(1);
  return explore(job.program_of({[](model_job& all) { await_end(all.wire(0)); },
                                 [](model_job& all) { all.region().ask(); },
                                 [](model_job& all) { all.region().end(1); }}),
                 changed);
}

/// The guard of a job (job/guard.cpp) waits in this way for events that concern the whole job.
verdict events(const mutation& changed) {
  static transport::shm::atomic<std::uint32_t> ends;
  model_job job(1);
  const auto note = [](model_job& all) {
    ends.fetch_add(1);
    all.region().note_event();
  };
  return explore(job.program_of({note, note,
                                 [](model_job& all) {
                                   auto& events = all.region().header().events;
                                   for (std::uint32_t seen = events.load(); ends.load() != 2;
                                        seen = events.load())
                                     transport::shm::futex_wait(events, seen, forever);
                                 }}),
                 changed);
}

}  // namespace

const std::vector<scenario>& scenarios() {
  static const std::vector<scenario> all = {
      {"one buffer", one_sender<1>},
      {"two buffers", one_sender<2>},
      {"a full ring", full_ring<1, awaited::room>},
      {"a full ring, and messages may come", full_ring<1, awaited::anything>},
      {"a look for room before the wait", look_and_wait<1>},
      {"sleep and take note", sleep_and_take_note},
      {"both ways", both_ways},
      {"the end of the job", end_of_job},
      {"a question", one_question},
      {"two questions", two_questions},
      {"a question and the end", question_and_end},
      {"events", events},
      {"two looks for room", look_and_wait<2>},
      {"a full ring twice", full_ring<2, awaited::room>},
      {"the end from two sides", end_from_two_sides},
      {"two senders", two_senders},
      {"two starved senders", two_starved_senders},
  };
  return all;
}

const std::vector<scenario>& large_scenarios() {
  static const std::vector<scenario> all = {
      {"three buffers", one_sender<3>},
      {"a full ring twice, and messages may come", full_ring<2, awaited::anything>},
  };
  return all;
}

}  // namespace atl::litmus
