#pragma once
// Checks the state after a random program. Instances must have the contents that the model
// predicts. After all instances are destroyed, none of their memory may be left.

#include "region/model/running.hpp"

namespace atl::test {

/// Copies a field to this PE and checks all elements of the copy.
template <class T, std::size_t N>
task<> check_field(running_regions<N>* in, std::size_t array, element_kind field) {
  const array_state& expected = in->model.state(array);
  const auto bounds = rectangle_of_box<N>(in->program.arrays[array].bounds);
  const auto what = fmt::format("field {} of array {}", static_cast<int>(field), array);
  const auto here = make_instance<T>(bounds);
  const auto there =
      std::visit([&](const auto& made) { return part_with<T>(made, bounds); }, in->arrays[array]);
  const event copied = copy_when(here.ready(), here.part(), there);
  const auto fault = co_await copied.settled();
  expect_fault(*in, fault, bounds.empty() ? error_set{} : expected.faults(), what);
  if (!fault && !bounds.empty()) {
    const auto elements = here.access();
    auto value = expected.of(field).begin();
    regions::for_each_point(bounds, [&](const point<N>& p) {
      const std::int64_t found = value_of(elements[p]);
      if (found != *value)
        in->expect(false, fmt::format("{} at {}: {}, not {}", what, p, found, *value));
      ++value;
    });
  }
  const event destroyed = here.destroy();
  co_await destroyed;
}

template <std::size_t N>
task<> check_array(running_regions<N>* in, std::size_t array) {
  const array_plan& plan = in->program.arrays[array];
  if (plan.has(element_kind::narrow))
    co_await check_field<narrow_element>(in, array, element_kind::narrow);
  if (plan.has(element_kind::pair))
    co_await check_field<pair_element>(in, array, element_kind::pair);
  if (plan.has(element_kind::wide))
    co_await check_field<wide_element>(in, array, element_kind::wide);
  const event destroyed = destroy_planned(*in, array, event::none);
  const bool is_there = in->model.state(array).is_there;
  const auto fault = co_await destroyed.settled();
  expect_fault(*in, fault, is_there ? error_set{} : error_set{k_not_there},
               fmt::format("destruction of array {}", array));
}

template <std::size_t N>
task<> run_and_check(running_regions<N>* in) {
  std::vector<std::uint64_t> held(static_cast<std::size_t>(pes()));
  const auto note = [by_pe = held.data()] { by_pe[my_pe()] = this_pe().account->held(); };
  co_await on_all_pes(note);
  const auto run = [in] { return run_planned(in); };
  co_await finish(run);
  for (std::size_t number = 0; number < in->steps.size(); ++number) co_await await_step(in, number);
  for (std::size_t array = 0; array < in->arrays.size(); ++array) co_await check_array(in, array);
  const auto check_nothing_is_left = [in, before = held.data()] {
    in->expect(regions::instance_table::here().size() == 0, "instances are left");
    in->expect(this_pe().account->held() == before[my_pe()], "memory is left");
  };
  co_await on_all_pes(check_nothing_is_left);
}

enum class wires : std::uint8_t { simulated, threads };

/// Returns the settings of a job whose schedule depends on `seed`, on one node or on several nodes.
inline settings region_settings(std::uint64_t seed, int pes, wires by) {
  settings options =
      by == wires::simulated ? simulated_job_of(pes, seed) : job_of(pes, pe_kind::thread);
  options.aggregation = hash(seed + 1) % 4 != 0;
  if (hash(seed + 2) % 2 == 0) options.buffer_size = 1024 << hash(seed + 3) % 3;
  options.hang_timeout = 3'600'000'000'000;
  if (by == wires::threads) return options;
  if (hash(seed + 4) % 3 == 0) options.sim_node_size = 1 + hash(seed + 5) % 4;
  if (hash(seed + 6) % 6 == 0) options.sim_model = sim_model::modern;
  return options;
}

template <std::size_t N>
bool region_program_is_right(const region_generator& generated, wires by) {
  running_regions<N> running(generated);
  const region_program& program = generated.program();
  const int status = run_job(region_settings(program.seed, program.pes, by),
                             [&]() -> task<> { return run_and_check(&running); });
  if (status != 0) running.expect(false, fmt::format("the job ended with status {}", status));
  return !running.is_wrong;
}

/// Runs the program of the seed. Returns true if all results agree with the model.
inline bool random_region_program_is_right(std::uint64_t seed, wires by = wires::simulated) {
  const region_generator generated(seed, 1 + static_cast<int>(hash(seed) % 8));
  switch (generated.program().dimensions) {
  case 1:
    return region_program_is_right<1>(generated, by);
  case 2:
    return region_program_is_right<2>(generated, by);
  default:
    return region_program_is_right<3>(generated, by);
  }
}

}  // namespace atl::test
