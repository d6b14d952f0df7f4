#pragma once
// Prints a random program whose results differ from the model.

#include "region/model/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>

namespace atl::test {

inline std::string text_of(const box& points) {
  return fmt::format("{} to below {}", points.low, points.high);
}

inline std::string text_of(const array_plan& array) {
  constexpr std::array places = {"on a PE", "in node memory", "spread", "in blocks"};
  const auto fields = array.only ? fmt::format("field {}", static_cast<int>(*array.only))
                                 : std::string("all fields");
  return fmt::format("{}, {}{}, {}, PE {}, block {}", text_of(array.bounds), fields,
                     array.is_beside ? " side by side" : "",
                     places[static_cast<std::size_t>(array.place)], array.pe, array.block);
}

inline std::string text_of(const part_plan& part) {
  return fmt::format("field {} of {}, {}, axes {}", static_cast<int>(part.field), part.array,
                     text_of(part.points), part.axes);
}

inline std::string text_of(const step_plan& step) {
  constexpr std::array kinds = {"make", "fill", "copy", "reduce", "destroy"};
  std::string text = kinds[static_cast<std::size_t>(step.kind)];
  if (!step.moves()) return fmt::format("{} {}", text, step.to.array);
  if (step.kind == step_kind::reduced)
    text += fmt::format(" ({})", static_cast<int>(step.reduction));
  text += " " + text_of(step.to);
  if (step.reads()) text += " from " + text_of(step.from);
  return text;
}

/// Returns a line for each array and each step.
inline std::string text_of(const region_program& program) {
  constexpr std::array ends = {"", ", fails", ", is cancelled"};
  std::string text = fmt::format("seed {}, {} PEs, {} dimensions\n", program.seed, program.pes,
                                 program.dimensions);
  for (std::size_t i = 0; i < program.arrays.size(); ++i)
    text += fmt::format("  array {}: {}\n", i, text_of(program.arrays[i]));
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const step_plan& step = program.steps[i];
    text += fmt::format("  step {} by PE {}: {}, after {}{}{}{}\n", i, step.asked_by, text_of(step),
                        step.after, step.goes_on ? " whatever they do" : "",
                        step.gate ? fmt::format(", gate {}", *step.gate) : "",
                        ends[static_cast<std::size_t>(step.end)]);
  }
  return text;
}

}  // namespace atl::test
