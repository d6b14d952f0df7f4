#pragma once
// Runs a random program of region instances, and compares the outcomes of its steps with the model.

#include "region/model/describe.hpp"
#include "region/model/elements.hpp"
#include "region/model/generator.hpp"
#include "support/run_on.hpp"

#include <atomic>

namespace atl::test {

/// A random program that runs. All PEs share a process and access this object directly.
template <std::size_t N>
struct running_regions {
  explicit running_regions(const region_generator& generated)
      : model(generated),
        program(generated.program()),
        arrays(program.arrays.size()),
        steps(program.steps.size()),
        gates(program.gates.size()) {}

  const region_generator& model;
  const region_program& program;
  std::vector<any_instance<N>> arrays;
  std::vector<event> steps;
  std::vector<user_event> gates;
  std::atomic<bool> is_wrong = false;

  void expect(bool holds, const std::string& what) {
    if (holds) return;
    if (!is_wrong.exchange(true)) fmt::print(stderr, "{}", text_of(program));
    fmt::print(stderr, "not as the model says: {}\n", what);
  }
};

inline std::string text_of(const event_fault& fault) {
  try {
    std::rethrow_exception(fault.failure);
  } catch (const std::exception& failure) {
    return failure.what();
  }
}

/// Returns the number of the step or gate that caused the error. A gate is an event for which steps
/// wait. Returns 0 if no step or gate caused the error.
inline std::size_t number_of(const std::string& error) {
  if (error.find("no such region instance") != std::string::npos) return k_not_there;
  const std::size_t place = error.find("fault ");
  return place == std::string::npos ? 0 : std::stoul(error.substr(place + 6));
}

/// Checks that `fault` is one of `errors`. If `errors` is empty, there must be no fault.
template <std::size_t N>
void expect_fault(running_regions<N>& in, const std::optional<event_fault>& fault,
                  const error_set& errors, const std::string& what) {
  const std::string text = fault ? text_of(*fault) : "no error";
  in.expect(fault ? errors.contains(number_of(text)) : errors.empty(),
            fmt::format("{}: {}, not of {}", what, text, errors));
}

template <std::size_t N>
task<> await_step(running_regions<N>* in, std::size_t number) {
  const auto fault = co_await in->steps[number].settled();
  expect_fault(*in, fault, in->program.steps[number].errors, fmt::format("step {}", number));
}

template <std::size_t N>
event precondition_of(const running_regions<N>& in, const step_plan& step) {
  std::vector<event> before;
  for (const std::size_t each : step.after) before.push_back(in.steps[each]);
  const event all = step.goes_on ? ignore_faults(before) : merge_events(before);
  return step.gate ? merge_events({all, in.gates[*step.gate]}) : all;
}

template <class Value, class Partial, std::size_t N>
event reduce_planned(const running_regions<N>& in, std::size_t number, event when) {
  const step_plan& step = in.program.steps[number];
  const modelled_reduction<Value, Partial> reduction{step.reduction, step.refused.value_or(-1),
                                                     k_first_of_steps + number};
  return reduce_when(when, part_of<Value, N>(in.arrays[step.to.array], step.to),
                     part_of<Partial, N>(in.arrays[step.from.array], step.from), reduction);
}

template <class T, std::size_t N>
event move_planned(const running_regions<N>& in, std::size_t number, event when) {
  const step_plan& step = in.program.steps[number];
  const auto to = part_of<T, N>(in.arrays[step.to.array], step.to);
  if (step.kind == step_kind::filled) return fill_when(when, to, element_of<T>(step.value));
  if (step.kind == step_kind::reduced) return reduce_planned<T, T>(in, number, when);
  return copy_when(when, to, part_of<T, N>(in.arrays[step.from.array], step.from));
}

template <std::size_t N>
event make_planned(running_regions<N>& in, const step_plan& step, event when) {
  any_instance<N>& array = in.arrays[step.to.array];
  array = instance_of<N>(in.program.arrays[step.to.array], when);
  return std::visit([](const auto& made) { return made.ready(); }, array);
}

template <std::size_t N>
event destroy_planned(const running_regions<N>& in, std::size_t array, event when) {
  return std::visit([when](const auto& made) { return made.destroy(when); }, in.arrays[array]);
}

template <std::size_t N>
event ask_for_step(running_regions<N>& in, std::size_t number) {
  const step_plan& step = in.program.steps[number];
  const event when = precondition_of(in, step);
  if (step.kind == step_kind::made) return make_planned(in, step, when);
  if (step.kind == step_kind::destroyed) return destroy_planned(in, step.to.array, when);
  if (step.kind == step_kind::reduced && step.to.field != step.from.field)
    return reduce_planned<wide_element, narrow_element>(in, number, when);
  return with_element(step.to.field,
                      [&]<class T>(T*) { return move_planned<T>(in, number, when); });
}

template <std::size_t N>
void end_gate(const running_regions<N>& in, std::size_t gate) {
  if (!in.program.gates[gate].fails) return in.gates[gate].trigger();
  in.gates[gate].poison(error(errc::input, "fault " + std::to_string(gate)));
}

template <std::size_t N>
task<> make_gates(running_regions<N>* in) {
  for (std::size_t i = 0; i < in->gates.size(); ++i) {
    const auto make = [in, i] { in->gates[i] = make_user_event(); };
    co_await call(in->program.gates[i].made_by, make);
  }
}

/// Ends the gates that are due when the program reaches the step `step`. A gate is an event for
/// which steps wait.
template <std::size_t N>
void end_gates(running_regions<N>* in, std::size_t step) {
  for (std::size_t i = 0; i < in->gates.size(); ++i) {
    const gate_plan& gate = in->program.gates[i];
    if (std::min(gate.step, in->steps.size()) == step)
      async_call(gate.ended_by, [in, i] { end_gate(*in, i); });
  }
}

template <std::size_t N>
task<> run_planned(running_regions<N>* in) {
  random_stream random(in->program.seed);
  co_await make_gates(in);
  for (std::size_t number = 0; number < in->program.steps.size(); ++number) {
    const step_plan& step = in->program.steps[number];
    end_gates(in, number);
    const auto ask = [in, number] { in->steps[number] = ask_for_step(*in, number); };
    co_await call(step.asked_by, ask);
    for (const int pe : step.awaited_by)
      async_call(pe, [in, number]() -> task<> { return await_step(in, number); });
    if (random.below(8) == 0) co_await sleep_for(random.below(20'000));
  }
  end_gates(in, in->steps.size());
}

}  // namespace atl::test
