// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/tune/report.hpp"

#include <sstream>

#include "amphi/core/error.hpp"
#include "reports.hpp"
#include "support/paths.hpp"

using namespace amphi_test;
using outcome = amphi::tune_row::outcome;

namespace {

amphi::tune_report two_rows() {
  amphi::tune_report r = report_by_hand();
  r.kernel = "saxpy";
  r.rows.resize(2);
  r.messages.clear();
  return r;
}

TEST(tune_report, the_table) {
  EXPECT_EQ(two_rows().text(),
            "saxpy on Some GPU (sm_90), backend cuda, medians of 11\n"
            "candidate        block          grid           ms      GB/s  occupancy  note\n"
            "block  64         32x4           264      0.50000     240.0      100 %\n"
            "block 128         32x4           264      0.25000     480.0       50 %  fastest\n"
            "equal bits from every candidate that ran\n");
  std::ostringstream out;
  out << two_rows();
  EXPECT_EQ(out.str(), two_rows().text());
}

TEST(tune_report, the_table_of_what_did_not_work) {
  const std::string text = report_by_hand().text();
  EXPECT_TRUE(says(text, {"block 2048", "           -         -          -  does not fit: block.x is 2048",
                          "failed: tab", "NOT all candidates gave the same bits"}));
}

TEST(tune_report, csv_by_hand) {
  EXPECT_EQ(two_rows().csv(),
            "kernel,device,backend,variable,value,result,grid,block,ms,ms_low,ms_high,gb_per_s,occupancy,"
            "best,note\n"
            "saxpy,Some GPU (sm_90),cuda,block,64,measured,264,32x4,0.5,0.4375,0.625,240,1,0,\n"
            "saxpy,Some GPU (sm_90),cuda,block,128,measured,264,32x4,0.25,0.25,0.375,480,0.5,1,fastest\n");
  EXPECT_TRUE(says(report_by_hand().csv(), {"\"a \"\"quoted\"\" <kernel> & more, \\ too\",Some GPU"}));
}

TEST(tune_report, json_by_hand) {
  amphi::tune_report r = two_rows();
  r.rows.resize(1);
  r.winner = 0;
  EXPECT_EQ(
      r.json(),
      "{\"kernel\": \"saxpy\",\n \"device\": {\"name\": \"Some GPU\", \"sm\": 90, \"backend\": \"cuda\", "
      "\"multiprocessors\": 132},\n \"runs\": 11, \"identical\": true, \"best\": 0,\n \"messages\": [],\n "
      "\"rows\": [\n  {\"variable\": \"block\", \"value\": \"64\", \"result\": \"measured\", \"grid\": [264, "
      "1, "
      "1], \"block\": [32, 4, 1], \"ms\": 0.5, \"ms_quartiles\": [0.4375, 0.625], \"gb_per_s\": 240, "
      "\"occupancy\": 1, \"note\": \"\"}]}\n");
  r.rows[0].milliseconds = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(says(r.json(), {"\"ms\": null"}));
}

TEST(tune_report, best_and_identical) {
  amphi::tune_report r = report_by_hand();
  EXPECT_EQ(r.best().candidate.value, "128");
  EXPECT_FALSE(r.identical());
  r.rows.erase(r.rows.begin() + 2);
  EXPECT_FALSE(r.identical()) << "one failed";
  r.rows.pop_back();
  EXPECT_TRUE(r.identical()) << "a refused one is no fault";
  r.winner = amphi::tune_report::none;
  EXPECT_FALSE(r.identical()) << "nothing ran";
  r.rows.erase(r.rows.begin(), r.rows.begin() + 2);
  EXPECT_TRUE(says(message_of<amphi::launch_error>([&] { (void)r.best(); }),
                   {"no winner", "Some GPU (sm_90)", "block 2048: does not fit: block.x is 2048"}));
}

TEST(tune_report, a_plot_holds_each_point) {
  const std::string svg = two_rows().svg();
  std::size_t markers = 0;
  for (std::size_t at = 0; (at = svg.find("r=\"4\"", at)) != std::string::npos; ++at) ++markers;
  EXPECT_EQ(markers, 2u);
  EXPECT_TRUE(
      says(svg, {"<svg xmlns", ">64</text>", ">128</text>", ">GB/s</text>", ">500</text>", "</svg>\n"}));
}

}  // namespace
