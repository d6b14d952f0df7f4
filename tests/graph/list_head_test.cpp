// Tests the first lines of a list of edges: titles, sizes, columns and weights. Each text is read
// in 1 to 7 parts, plain and compressed.

#include "graph/headed_files.hpp"

namespace {

using namespace atl;

class list_head : public headed_files {
 protected:
  list_head() : headed_files("a.txt") {}

  whole_graph graph_in(const std::string& name, std::string_view text) {
    for (const std::uint64_t parts : {2, 3, 7}) {
      const auto path = folder_.file(name, text);
      EXPECT_EQ(read_whole(path, parts, options_).edges, read_whole(path, 1, options_).edges)
          << text;
    }
    return read_whole(folder_.path(name), 1, options_);
  }

  /// Returns the number of vertices in the line of sizes, or 0 if there is no such line.
  std::uint64_t vertices_in(const std::string& name, std::string_view text) {
    const auto found = graph_in(name, text);
    EXPECT_EQ(found.error.value_or(""), "") << text;
    return found.declared ? found.declared->vertices : 0;
  }

  /// Returns the error for a text, without the path at its beginning.
  std::string error_of(const std::string& name, std::string_view text) {
    return graph_in(name, text).error.value_or("").substr(folder_.path(name).size());
  }

  std::vector<std::string> remarks_on(const std::string& name, std::string_view text) {
    return read_edges(folder_.file(name, text), 0, 1, options_).remarks;
  }
};

TEST_F(list_head, a_line_of_sizes_is_no_edge) {
  const text_edges path = {{"0", "1", ""}, {"1", "2", ""}, {"2", "3", ""}};
  for (const auto* name : {"a.txt", "a.el"}) {
    EXPECT_EQ(graph_in(name, "# one\n4 3\n0 1\n1 2\n2 3\n").edges, path);
    EXPECT_EQ(vertices_in(name, "4 3\n0 1\n1 2\n2 3\n"), 4U);
    EXPECT_EQ(vertices_in(name, "6 6 4\n0 5\n5 4\n1 2\n3 3\n"), 6U);
    EXPECT_EQ(vertices_in(name, "2 6 4\n0 5\n1 4\n1 2\n0 3\n"), 6U);
  }
  EXPECT_EQ(vertices_in("a.tsv", "9\t2\n0\t1\n1\t2\n"), 9U);
  EXPECT_EQ(vertices_in("b.tsv", "from\tto\n9\t2\n0\t1\n1\t2\n"), 9U);
  EXPECT_EQ(vertices_in("a.csv", "from,to\n9,2\n0,1\n1,2\n"), 9U);
  EXPECT_EQ(vertices_in("a.wel", "9 2\n0 1 5\n1 2 7\n"), 9U);
}

TEST_F(list_head, ids_may_count_from_1_below_a_line_of_sizes) {
  EXPECT_EQ(vertices_in("a.txt", "3 3 3\n1 2\n2 3\n3 1\n"), 4U);
  EXPECT_EQ(vertices_in("a.txt", "3 4\n1 2\n2 3\n3 1\n1 2\n"), 4U);
}

TEST_F(list_head, a_line_that_may_be_an_edge_stays_one) {
  for (const auto* text : {"4 3\n0 1\n1 2\n", "4 2\n0 1\n1 4\n", "1 0\n", "1 2\n2 3\n",
                           "5 1\n7 8\n", "2 3 2\n0 1 9\n1 2 9\n", "1 1\n0 x\n"})
    EXPECT_FALSE(graph_in("a.txt", text).declared) << text;
  const auto triangle = remarks_on("a.txt", "3 2\n2 1\n1 3\n");
  ASSERT_EQ(triangle.size(), 2U);
  EXPECT_NE(triangle[0].find("a.txt:1:1: this line is taken for an edge, and may give the sizes of "
                             "the rest"),
            std::string::npos);
  EXPECT_EQ(graph_in("a.txt", "3 2\n2 1\n1 3\n").edges.size(), 3U);
}

TEST_F(list_head, a_line_of_sizes_is_said_and_may_be_kept) {
  const auto remarks = remarks_on("a.txt", "4 3\n0 1\n1 2\n2 3\n");
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_NE(remarks[0].find("a.txt:1:1: this line gives the sizes of the rest, 4 vertices and 3 "
                            "edges"),
            std::string::npos);
  options_.skip_lines = 0;
  EXPECT_EQ(graph_in("a.txt", "4 3\n0 1\n1 2\n2 3\n").edges.size(), 4U);
}

TEST_F(list_head, sizes_that_are_wrong_are_errors_where_the_line_is_no_edge) {
  EXPECT_EQ(read_whole(folder_.file("a.el", "6 6 5\n0 5\n5 4\n"), 1).error.value_or(""),
            folder_.path("a.el") + ":1:5: expected the end of the line, found '5'");
}

TEST_F(list_head, titles_stand_above_integers) {
  const text_edges triangle = {{"0", "1", ""}, {"1", "2", ""}, {"2", "0", ""}};
  const auto found = graph_in("a.tsv", "source\ttarget\n0\t1\n1\t2\n2\t0\n");
  EXPECT_EQ(found.edges, triangle);
  EXPECT_FALSE(found.uses_names);
  EXPECT_EQ(graph_in("a.csv", "source,target\n0,1\n1,2\n2,0\n").edges, triangle);
}

TEST_F(list_head, words_above_names_are_names) {
  EXPECT_EQ(graph_in("a.tsv", "who\twhom\n0\t1\nx\t2\n").edges.size(), 3U);
  EXPECT_EQ(graph_in("a.tsv", "who\twhom\nx\ty\n").edges.size(), 2U);
  EXPECT_EQ(graph_in("a.tsv", "who\twhom\n").edges.size(), 1U);
}

TEST_F(list_head, words_among_names_are_no_error_for_lack_of_a_weight) {
  const auto found = graph_in("a.tsv", "who\twhom\tweight\n0\t1\t5\n1\tx\t7\n");
  EXPECT_EQ(found.error.value_or(""), "");
  EXPECT_EQ(found.edges, (text_edges{{"0", "1", ""}, {"1", "x", ""}, {"who", "whom", ""}}));
}

TEST_F(list_head, titles_that_call_the_ends_so_are_none_above_names) {
  const text_edges two = {{"x", "y", ""}, {"y", "z", ""}};
  for (const auto* titles : {"source\ttarget\n", "From\tTo\n", "src_id\tdst_id\n",
                             "\"FromNodeId\"\t\"ToNodeId\"\n", "target\tsource\n"}) {
    EXPECT_EQ(graph_in("a.tsv", std::string(titles) + "x\ty\ny\tz\n").edges, two) << titles;
    EXPECT_EQ(graph_in("b.tsv", std::string(titles) + "0\t1\nx\t2\n").edges.size(), 2U) << titles;
    EXPECT_TRUE(graph_in("c.tsv", titles).edges.empty()) << titles;
  }
  EXPECT_EQ(graph_in("a.tsv", "source\ttarget\tweight\nx\ty\t5\n").edges,
            (text_edges{{"x", "y", "5"}}));
  const std::string text = "source\ttarget\nx\ty\n";
  EXPECT_EQ(remarks_on("a.tsv", text),
            (std::vector<std::string>{folder_.path("a.tsv") +
                                      ":1:1: this line is taken for titles, and for no edge; "
                                      "--skip-lines 0 takes it for one"}));
  options_.skip_lines = 0;
  EXPECT_EQ(graph_in("a.tsv", text).edges.size(), 2U);
}

TEST_F(list_head, titles_say_which_column_has_the_weights) {
  const text_edges weighted = {{"0", "1", "5"}, {"1", "2", "7"}};
  EXPECT_EQ(graph_in("a.csv", "Source,Target,time,Weight\n0,1,99,5\n1,2,98,7\n").edges, weighted);
  EXPECT_EQ(graph_in("a.csv", "a,b,\"Type, or so\",\"weight\"\n0,1,x,5\n1,2,y,7\n").edges,
            weighted);
  EXPECT_EQ(graph_in("a.tsv", "a\tb\ttime\tweight\n0\t1\t99\t5\n1\t2\t98\t7\n").edges, weighted);
  // The third column has times. The reader must not take the times as weights, because the fourth
  // column has the title "weight".
  EXPECT_EQ(graph_in("a.csv", "a,b,time,weight\n0,1,99,\n1,2,98,7\n").edges,
            (text_edges{{"0", "1", ""}, {"1", "2", ""}}));
  const auto list = read_edges(folder_.file("b.csv", "a,b,t,weight\n0,1,9,5\n1,2,9,x\n"));
  EXPECT_EQ(std::string(list.weights_fault->what()),
            folder_.path("b.csv") +
                ":3:7: the column number 4 holds weights in the first line with "
                "an edge, and none here: 'x'");
  options_.weight_column = 3;
  EXPECT_EQ(graph_in("a.csv", "a,b,time,weight\n0,1,99,5\n").edges, (text_edges{{"0", "1", "99"}}));
}

TEST_F(list_head, ends_that_titles_place_elsewhere_are_an_error) {
  for (const auto* text : {"id,source,target\n0,1,2\n", "weight,from,to\n5,0,1\n"})
    EXPECT_EQ(
        error_of("a.csv", text),
        ":1:1: the titles say that the ends of an edge stand in columns 2 and 3, and they are "
        "read from columns 1 and 2; --skip-lines with the number of this line passes over it");
  EXPECT_NE(error_of("a.tsv", "id\tsource\ttarget\n0\t1\t2\n"), "");
  const auto remarks = remarks_on("b.csv", "target,source\n0,1\n");
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks[0], folder_.path("b.csv") +
                            ":1:1: edges lead from column 1 to column 2, though the titles call "
                            "column 2 their source");
  options_.skip_lines = 1;
  EXPECT_EQ(graph_in("a.csv", "id,source,target\n0,1,2\n").edges, (text_edges{{"0", "1", "2"}}));
}

TEST_F(list_head, titles_are_text) {
  EXPECT_EQ(error_of("a.csv", "x\x01y\n0,1\n"),
            ":1:1: expected an integer vertex id, found 'x\\x01y'");
}

TEST_F(list_head, other_packings_and_encodings_are_named) {
  using namespace std::string_literals;
  for (const auto& [begin, name] : {std::pair{"BZh91AY&SY"s, "compressed with bzip2"s},
                                    {"BZh9\x17rE8P\x90"s, "compressed with bzip2"s},
                                    {"\xfd"
                                     "7zXZ\0"s,
                                     "compressed with xz"s},
                                    {"PK\x03\x04"s, "compressed with zip"s},
                                    {"\xff\xfe"
                                     "0\0,\0"s,
                                     "a text in UTF-16"s},
                                    {"\xfe\xff\0"
                                     "0\0,"s,
                                     "a text in UTF-16"s}})
    for (const auto* file : {"a.csv", "a.el", "a.tsv", "a.mtx"})
      EXPECT_TRUE(error_of(file, begin).starts_with(":1:1: the file is " + name)) << file << name;
  EXPECT_EQ(graph_in("b.tsv", "BZhang\tBo\n").edges.size(), 1U);
  EXPECT_EQ(graph_in("b.tsv", "BZh\tB").edges.size(), 1U);
  EXPECT_TRUE(error_of("b.tsv", "BZh").starts_with(":1:"));
}

TEST_F(list_head, a_decimal_comma_separates_nothing) {
  for (const auto& [name, text, column] : {std::tuple{"a.csv", "0;1;0,5\n1;2;7\n", 5},
                                           {"a.txt", "0 1 0,5\n1 2 7\n", 5},
                                           {"a.txt", "0\t1\t0,5\n1\t2\t7\n", 5},
                                           {"a.tsv", "0\t1\t0,5\n1\t2\t7\n", 5},
                                           {"a.wel", "0 1 0,5\n1 2 7\n", 5},
                                           {"a.csv", "0 ; 1 ; 0,5 ; x\n1;2;7;y\n", 9}}) {
    const auto list = read_edges(folder_.file(name, text));
    EXPECT_EQ(list.edges, (std::vector<edge>{{0, 1}, {1, 2}})) << text;
    ASSERT_TRUE(list.weights_fault) << text;
    EXPECT_EQ(std::string(list.weights_fault->what()),
              folder_.path(name) + ":1:" + std::to_string(column) +
                  ": weight '0,5' has a comma where numbers have a point");
    EXPECT_TRUE(list.weights.empty());
    EXPECT_EQ(list.uneven_lines, 0U) << text;
  }
  EXPECT_EQ(graph_in("a.csv", "0,1,5\n1,2,7\n").edges,
            (text_edges{{"0", "1", "5"}, {"1", "2", "7"}}));
}

TEST_F(list_head, names_may_hold_blanks_and_commas) {
  const auto path = folder_.file("a.tsv", "New York\tLos Angeles\nA, B\tC\n");
  const auto found = read_whole(path, 1);
  EXPECT_EQ(found.edges, (text_edges{{"A, B", "C", ""}, {"New York", "Los Angeles", ""}}));
  EXPECT_TRUE(remarks_on("a.tsv", "New York\tLos Angeles\nA, B\tC\n").empty());
  EXPECT_EQ(vertices_in("b.tsv", "0 2\t2\n0\t1\n1\t2\n"), 0U);
}

TEST_F(list_head, few_words_among_integers_are_said) {
  std::string text;
  for (int i = 0; i < 20; ++i) text += std::to_string(i) + "\t0\n";
  const auto remarks = remarks_on("a.tsv", text + "total\t5000\n");
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks[0], "1 of 42 ends of edges is no integer, such as 'total': all of them are "
                        "taken for names");
  EXPECT_EQ(remarks_on("a.tsv", "0\t1\n1\t2\n2\t0\ntotal\t5000\n").size(), 1U);
  EXPECT_TRUE(remarks_on("b.tsv", "a\tb\nc\t1\n").empty());
  EXPECT_TRUE(remarks_on("c.tsv", "a\t1\nb\t2\n").empty());
}

TEST_F(list_head, the_third_column_is_the_weight_where_all_lines_have_a_number_there) {
  const text_edges weighted = {{"0", "1", "5"}, {"1", "2", "7"}, {"2", "0", "1"}};
  EXPECT_EQ(graph_in("a.txt", "0 1 5\n1 2 7.0 x\n2 0 +1\n").edges, weighted);
  EXPECT_EQ(graph_in("a.csv", "from,to,w\n0,1,5\n1, 2; 7\n2,0,1\n").edges, weighted);
  EXPECT_EQ(graph_in("a.tsv", "from\tto\tw\n0\t1\t5\n1\t2\t 7\t9\n2\t0\t1\n").edges, weighted);
  EXPECT_EQ(graph_in("b.tsv", "a\tb\t5\nb\tc\t7\n").edges,
            (text_edges{{"a", "b", "5"}, {"b", "c", "7"}}));
  for (const auto* text : {"0 1 5\n1 2\n2 0 1\n", "0 1 5\n1 2 x\n2 0 1\n", "0 1\n1 2 7\n2 0 1\n"})
    EXPECT_EQ(graph_in("a.txt", text).edges,
              (text_edges{{"0", "1", ""}, {"1", "2", ""}, {"2", "0", ""}}))
        << text;
  const auto list = read_edges(folder_.file("a.txt", "0 1 5\n1 2\n2 0 1\n"));
  EXPECT_EQ(std::string(list.weights_fault->what()),
            folder_.path("a.txt") + ":2:4: the third column holds weights in the first line with "
                                    "an edge, and none here: the end of the line");
}

TEST_F(list_head, the_column_of_weights_may_be_said) {
  options_.weight_column = 4;
  EXPECT_EQ(graph_in("a.csv", "0,1,x,5\n1,2,\"a, b\",7\n").edges,
            (text_edges{{"0", "1", "5"}, {"1", "2", "7"}}));
  EXPECT_EQ(graph_in("a.tsv", "a\tb\tx\t5\nb\tc\ty\t7\n").edges,
            (text_edges{{"a", "b", "5"}, {"b", "c", "7"}}));
  EXPECT_EQ(error_in("0 1 5 6\n1 2 7\n"), ":2:6: expected a weight, found the end of the line");
  EXPECT_EQ(error_in("0 1 5 6\n1 2 7 x\n"), ":2:7: expected a weight, found 'x'");
  options_.weight_column = 0;
  EXPECT_EQ(graph_in("a.txt", "0 1 5\n1 2 7\n").edges,
            (text_edges{{"0", "1", ""}, {"1", "2", ""}}));
}

TEST_F(list_head, columns_that_differ_and_that_are_left_out_are_counted) {
  const auto list =
      read_edges(folder_.file("a.txt", "0 1\n1 2 x y\n2 0\n2 1 # why\n3 1,\n4 1 z\n"));
  EXPECT_EQ(list.uneven_lines, 2U);
  EXPECT_EQ(columns_left_out(list), 2U);
  ASSERT_EQ(list.remarks.size(), 1U);
  EXPECT_EQ(list.remarks[0], folder_.path("a.txt") +
                                 ":2:1: the line has 4 columns, and the first line with an edge 2; "
                                 "2 of 6 lines differ from that one");
  const auto weighted = read_edges(folder_.file("b.txt", "0 1 5 9\n1 2 7 9\n"));
  EXPECT_EQ(columns_left_out(weighted), 1U);
  EXPECT_TRUE(weighted.remarks.empty());
}

TEST_F(list_head, a_smallest_id_of_1_is_said) {
  EXPECT_EQ(remarks_on("a.txt", "1 2\n2 3\n3 1\n"),
            (std::vector<std::string>{"vertex 0 has no edge, as the smallest id in " +
                                      folder_.path("a.txt") +
                                      " is 1; with --compact only ids that occur are vertices"}));
  EXPECT_TRUE(remarks_on("a.txt", "0 1\n").empty());
  EXPECT_TRUE(remarks_on("a.txt", "2 3\n").empty());
  EXPECT_TRUE(remarks_on("a.gr", "p sp 3 1\na 2 3 1\n").empty());
}

TEST_F(list_head, lines_at_the_beginning_are_passed_over) {
  options_.skip_lines = 2;
  for (const auto* name : {"a.txt", "a.el"}) {
    EXPECT_EQ(graph_in(name, "what\never\n0 1\n1 2\n").edges,
              (text_edges{{"0", "1", ""}, {"1", "2", ""}}));
  }
  const auto sized = graph_in("a.mtx", "junk\n\n%%MatrixMarket matrix coordinate pattern general\n"
                                       "2 2 1\n1 2\n");
  EXPECT_EQ(sized.edges, (text_edges{{"0", "1", ""}}));
  EXPECT_EQ(graph_in("a.metis", "junk\njunk\n3 2\n2\n1 3\n2\n").edges.size(), 2U);
  EXPECT_EQ(error_in("a\nb\n0 1\n1 x\n"), ":4:3: expected an integer vertex id, found 'x'");
  EXPECT_EQ(graph_in("b.txt", "1 2\n").edges.size(), 0U);
}

TEST_F(list_head, the_weights_of_all_formats_are_any_numbers) {
  const std::pair<const char*, std::pair<std::string, std::string>> formats[] = {
      {"a.wel", {"0 1 3\n1 0 ", "\n"}},
      {"a.txt", {"0 1 3\n1 0 ", "\n"}},
      {"a.mtx", {"%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 2 3\n2 1 ", "\n"}},
      {"b.mtx", {"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 3\n2 1 ", "\n"}},
      {"a.gr", {"p sp 2 2\na 1 2 3\na 2 1 ", "\n"}},
      {"out.a", {"% asym weighted\n1 2 3\n2 1 ", "\n"}},
      {"a.metis", {"3 2 1\n2 3\n1 3 3 7\n2 7\n% ", "\n"}}};
  for (const auto& [name, around] : formats) {
    const bool is_metis = std::string(name) == "a.metis";
    for (const auto* number :
         {"5", "+5", "5.0", "5e0", "0005", "-5", "0.05e2", "500e-2", "5.0D+00", "5.d0"}) {
      const auto found = graph_in(name, around.first + number + around.second);
      EXPECT_EQ(found.error.value_or(""), "") << name << ' ' << number;
      if (is_metis) continue;
      EXPECT_EQ(std::get<2>(found.edges.back()), number[0] == '-' ? "-5" : "5") << name;
    }
    for (const auto* number :
         {"0.5", "nan", "-inf", "Infinity", "1e99", "9223372036854775808", "18446744073709551615",
          "1e-400", "0,5", "1e19", "-9.223372036854775809e18"}) {
      const auto text = is_metis
                            ? std::string("3 2 1\n2 3\n1 3 3 ") + number + "\n2 " + number + "\n"
                            : around.first + number + around.second;
      const auto found = graph_in(name, text);
      EXPECT_EQ(found.error.value_or(""), "") << name << ' ' << number;
      EXPECT_EQ(found.edges.size(), 2U);
      EXPECT_EQ(std::get<2>(found.edges.front()), "") << name << ' ' << number;
    }
  }
}

TEST_F(list_head, weights_of_64_bits_are_exact_however_they_are_written) {
  const std::pair<const char*, const char*> numbers[] = {
      {"1e18", "1000000000000000000"},
      {"9.2e18", "9200000000000000000"},
      {"9007199254740993.0", "9007199254740993"},
      {"9.223372036854775807e18", "9223372036854775807"},
      {"-9.223372036854775808E+18", "-9223372036854775808"},
      {"00012300.00e-2", "123"},
      {"0e99999999999999999999", "0"},
      {"-0.0", "0"}};
  for (const auto& [written, value] : numbers)
    EXPECT_EQ(graph_in("a.wel", std::string("0 1 ") + written + "\n").edges,
              (text_edges{{"0", "1", value}}))
        << written;
  for (const auto* large :
       {"1e19", "9223372036854775808.0", "-9.223372036854775809e18", "1e99999999999999999999"}) {
    const auto list = read_edges(folder_.file("a.wel", std::string("0 1 ") + large + "\n"));
    EXPECT_TRUE(std::string(list.weights_fault->what()).ends_with("does not fit 64 bits")) << large;
  }
  for (const auto* none :
       {"1e", "1e+", "1d3", ".", "1.5.2", "0x10", "1e5x", "--1", "+-1", "1,2,3", "1,2.3"})
    EXPECT_EQ(error_of("a.wel", std::string("0 1 ") + none + "\n"),
              std::string(":1:5: expected a weight, found '") + none + "'");
}

}  // namespace
