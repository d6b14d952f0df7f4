#pragma once
// A simple reader of texts with a header. The reader splits the whole text into lines and fields.
// The formats are defined in naive_formats.hpp.

#include "naive_reader.hpp"

#include <stdexcept>

namespace naive {

/// Returns an integer minus one, as text. The subtraction is needed because files number the
/// vertices from 1 on.
inline std::string one_less(const std::string& digits) {
  return std::to_string(std::stoull(digits) - 1);
}

/// The exception for invalid text. The helpers below throw it, and `headed_reader::read` catches
/// it.
struct wrong_at {
  place where;
};

class headed_reader {
 public:
  explicit headed_reader(std::size_t longest_line) : longest_line_(longest_line) {}
  virtual ~headed_reader() = default;

  graph read(const std::string& text) {
    prepare(text);
    try {
      for (const auto& line : lines_of(text)) {
        ++line_;
        take_line(line);
      }
      finish();
    } catch (const wrong_at& wrong) {
      result_.error = wrong.where;
    }
    if (result_.weights_fault) result_.weights.clear();
    result_.lines = line_;
    return result_;
  }

 protected:
  virtual void prepare(const std::string& text) { (void)text; }
  virtual void take(const std::string& line) = 0;
  virtual void finish() = 0;

  [[noreturn]] void refuse(std::size_t column) const { throw wrong_at{{line_, column}}; }
  [[noreturn]] void refuse_file() const { throw wrong_at{{1, 1}}; }

  /// Splits a line into its fields. The column of a field counts all bytes of the line, even a byte
  /// order mark that was skipped.
  void split(const std::string& line) {
    fields_ = fields_of(line);
    for (auto& one : fields_) one.column += skipped_;
    next_ = 0;
    end_ = {"", skipped_ + line.size() + 1};
  }

  const std::vector<field>& fields() const { return fields_; }
  const field& peek() const { return next_ < fields_.size() ? fields_[next_] : end_; }
  bool at_end() const { return next_ >= fields_.size(); }

  field take_field() {
    const auto result = peek();
    ++next_;
    return result;
  }

  void take_end() const {
    if (!at_end()) refuse(peek().column);
  }

  void take_word(const std::vector<std::string>& words) {
    auto lower = peek().text;
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (std::ranges::find(words, lower) == words.end()) refuse(peek().column);
    word_ = lower;
    ++next_;
  }

  void take_exactly(const std::string& word) { take_one({word}); }

  void take_one(const std::vector<std::string>& words) {
    if (std::ranges::find(words, peek().text) == words.end()) refuse(peek().column);
    word_ = take_field().text;
  }

  std::uint64_t take_count() {
    if (!is_vertex(peek().text)) refuse(peek().column);
    return std::stoull(take_field().text);
  }

  std::string take_id(std::uint64_t most) {
    const auto& one = peek();
    if (!is_vertex(one.text)) refuse(one.column);
    const auto number = std::stoull(one.text);
    if (number == 0 || number > most) refuse(one.column);
    return one_less(take_field().text);
  }

  std::string pass_number() {
    const auto one = take_field();
    if (!is_number(one.text)) refuse(one.column);
    return one.text;
  }

  void take_weight() { result_.add_weight(pass_number()); }

  void add_weight(const std::string& weight) { result_.weights.push_back(weight); }
  void lose_weights() { result_.weights_fault = true; }

  void add(const std::string& from, const std::string& to) { result_.ends.emplace_back(from, to); }

  std::size_t longest_line() const { return longest_line_; }
  std::uint64_t line() const { return line_; }
  std::uint64_t edges() const { return result_.ends.size(); }
  const std::string& word() const { return word_; }

 private:
  void take_line(std::string line) {
    if (line.size() >= longest_line_) refuse(1);
    skipped_ = 0;
    if (line.ends_with('\r')) line.pop_back();
    if (line_ == 1 && line.starts_with("\xef\xbb\xbf")) skipped_ = 3;
    take(line.substr(skipped_));
  }

  std::size_t longest_line_;
  std::uint64_t line_ = 0;
  std::size_t skipped_ = 0;
  std::vector<field> fields_;
  std::size_t next_ = 0;
  field end_;
  std::string word_;
  graph result_;
};

}  // namespace naive
