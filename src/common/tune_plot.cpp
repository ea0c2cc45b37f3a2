// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "amphi/tune/report.hpp"
#include "common/number_text.hpp"

namespace amphi {
namespace {

using outcome = tune_row::outcome;

constexpr double width = 760, height = 440, left = 70, right = 20, top = 48, bottom = 96;
constexpr const char* colors[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf"};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') {
      out += c;  // XML has no other control characters
    }
  }
  return out;
}

std::string at(double v) { return detail::fixed_text(v, 1); }

// Steps of 1, 2 or 5 times a power of ten that divide 0 … most into four to ten parts.
double step_for(double most) {
  const double power = std::pow(10.0, std::floor(std::log10(most)));
  for (const double step : {power / 10, power / 5, power / 2, power})
    if (most / step <= 8) return step;
  return 2 * power;
}

std::string tick_text(double v, double step) {
  return detail::fixed_text(v, step >= 1 ? 0 : static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
}

bool plotted(const tune_row& r) {
  return r.result != outcome::refused && r.result != outcome::failed && r.milliseconds > 0;
}

class plot {
 public:
  plot(const std::vector<tune_report>& reports, const std::string& title) : reports_(reports), title_(title) {
    for (const tune_report& report : reports_)
      for (const tune_row& r : report.rows) {
        if (std::find(values_.begin(), values_.end(), r.candidate.value) == values_.end())
          values_.push_back(r.candidate.value);
        if (std::find(variables_.begin(), variables_.end(), r.candidate.variable) == variables_.end())
          variables_.push_back(r.candidate.variable);
        if (plotted(r) && r.gigabytes_per_second <= 0) bytes_ = false;
      }
    for (const tune_report& report : reports_)
      for (const tune_row& r : report.rows)
        if (plotted(r))
          most_ = std::max({most_, value(r, r.low), value(r, r.high), value(r, r.milliseconds)});
    step_ = step_for(most_ > 0 ? most_ : 1);
    most_ = std::max(1.0, std::ceil(most_ / step_ - 1e-9)) * step_;
  }

  std::string svg() {
    out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + at(width) + " " + at(height) +
           "\" width=\"" + at(width) + "\" height=\"" + at(height) +
           "\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n<rect width=\"100%\" "
           "height=\"100%\" fill=\"#fff\"/>\n";
    text(width / 2, 26, "middle", title_, " font-size=\"16\"");
    axes();
    for (std::size_t i = 0; i < reports_.size(); ++i) series(reports_[i], colors[i % std::size(colors)]);
    if (reports_.size() > 1) legend();
    return out_ + "</svg>\n";
  }

 private:
  double value(const tune_row& r, double ms) const {
    return bytes_ ? (ms > 0 ? r.gigabytes_per_second * r.milliseconds / ms : 0) : ms;
  }
  double x(const tune_row& r) const {
    const auto found = std::find(values_.begin(), values_.end(), r.candidate.value);
    return x(static_cast<std::size_t>(found - values_.begin()));
  }
  double x(std::size_t i) const {
    return left +
           (width - left - right) * (static_cast<double>(i) + 0.5) / static_cast<double>(values_.size());
  }
  double y(double v) const { return height - bottom - (height - top - bottom) * v / most_; }

  void text(double tx, double ty, const char* anchor, const std::string& words,
            const std::string& more = "") {
    out_ += "<text x=\"" + at(tx) + "\" y=\"" + at(ty) + "\" text-anchor=\"" + anchor + "\"" + more + ">" +
            escaped(words) + "</text>\n";
  }
  void line(double x0, double y0, double x1, double y1, const std::string& color) {
    out_ += "<line x1=\"" + at(x0) + "\" y1=\"" + at(y0) + "\" x2=\"" + at(x1) + "\" y2=\"" + at(y1) +
            "\" stroke=\"" + color + "\"/>\n";
  }

  void axes() {
    for (int i = 0; step_ * i <= most_ * (1 + 1e-9); ++i) {
      const double v = step_ * i;
      line(left, y(v), width - right, y(v), i == 0 ? "#222" : "#ddd");
      text(left - 8, y(v) + 4.5, "end", tick_text(v, step_));
    }
    const bool turned = values_.size() > 16;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const double tx = x(i), ty = height - bottom + 18;
      line(tx, height - bottom, tx, height - bottom + 5, "#222");
      text(tx, ty, turned ? "end" : "middle", values_[i],
           turned ? " transform=\"rotate(-45 " + at(tx) + " " + at(ty) + ")\"" : "");
    }
    std::string variable;
    for (const std::string& v : variables_) variable += (variable.empty() ? "" : ", ") + v;
    text((left + width - right) / 2, height - bottom + 42, "middle", variable);
    text(18, (top + height - bottom) / 2, "middle", bytes_ ? "GB/s" : "ms",
         " transform=\"rotate(-90 18 " + at((top + height - bottom) / 2) + ")\"");
  }

  // A line through the medians, bars for the quartiles, a ring around the winner, crosses where nothing ran.
  void series(const tune_report& report, const std::string& color) {
    std::string points;
    for (const tune_row& r : report.rows)
      if (plotted(r)) points += at(x(r)) + "," + at(y(value(r, r.milliseconds))) + " ";
    if (!points.empty())
      out_ +=
          "<polyline points=\"" + points + "\" fill=\"none\" stroke=\"" + color + "\" stroke-width=\"2\"/>\n";
    for (std::size_t i = 0; i < report.rows.size(); ++i) {
      const tune_row& r = report.rows[i];
      const std::string title = "<title>" +
                                escaped(report.kernel + ", " + r.candidate.variable + " " +
                                        r.candidate.value + ": " + point_text(r)) +
                                "</title>";
      if (!plotted(r)) {
        const double cx = x(r), cy = height - bottom - 8;
        out_ += "<path d=\"M" + at(cx - 5) + " " + at(cy - 5) + " L" + at(cx + 5) + " " + at(cy + 5) + " M" +
                at(cx - 5) + " " + at(cy + 5) + " L" + at(cx + 5) + " " + at(cy - 5) + "\" stroke=\"" +
                color + "\" stroke-width=\"2\">" + title + "</path>\n";
        continue;
      }
      const double cx = x(r), cy = y(value(r, r.milliseconds));
      line(cx, y(value(r, r.low)), cx, y(value(r, r.high)), color);
      if (i == report.winner)
        out_ += "<circle cx=\"" + at(cx) + "\" cy=\"" + at(cy) + "\" r=\"8\" fill=\"none\" stroke=\"" +
                color + "\" stroke-width=\"2\"/>\n";
      const bool wrong = r.result == outcome::different;
      out_ += "<circle cx=\"" + at(cx) + "\" cy=\"" + at(cy) + "\" r=\"4\" fill=\"" +
              (wrong ? "#fff" : color) + "\" stroke=\"" + color + "\">" + title + "</circle>\n";
    }
  }

  std::string point_text(const tune_row& r) const {
    if (!plotted(r)) return r.note;
    return detail::number_text(r.milliseconds) + " ms" +
           (bytes_ ? ", " + detail::fixed_text(r.gigabytes_per_second, 1) + " GB/s" : "") +
           (r.note.empty() ? "" : "; " + r.note);
  }

  void legend() {
    double tx = left;
    const double ty = height - 18;
    for (std::size_t i = 0; i < reports_.size(); ++i) {
      const std::string color = colors[i % std::size(colors)];
      line(tx, ty - 4, tx + 24, ty - 4, color);
      out_ +=
          "<circle cx=\"" + at(tx + 12) + "\" cy=\"" + at(ty - 4) + "\" r=\"4\" fill=\"" + color + "\"/>\n";
      text(tx + 30, ty, "start", reports_[i].kernel);
      tx += 54 + 7.5 * static_cast<double>(reports_[i].kernel.size());
    }
  }

  const std::vector<tune_report>& reports_;
  const std::string& title_;
  std::vector<std::string> values_, variables_;
  bool bytes_ = true;  // every point has GB/s
  double most_ = 0, step_ = 1;
  std::string out_;
};

}  // namespace

std::string tune_plot(const std::vector<tune_report>& reports, const std::string& title) {
  return plot(reports, title).svg();
}

}  // namespace amphi
