import Configuration

extension LatencyReport {
  var text: OutputText { "\(sentences)\n\(table)" }

  private var sentences: OutputText {
    let period = output.milliseconds(output.period)
    // If the device wakes the render thread late, its buffer is less full than it could be.
    let buffer = max(0, min(output.milliseconds(output.buffered), latency.mean - period))
    let rest = latency.mean - period - buffer
    var lines = [
      "A note sounds \(Self.text(latency.mean)) after its key is pressed, with a standard deviation of "
        + "\(Self.text(latency.standardDeviation)).",
      "\(Self.text(period)) of that are the period in which it is played,",
      "\(Self.text(buffer)) the device's buffer, of up to \(output.buffered) frames.",
    ]
    // A smaller value may be an error of the stamps.
    if rest >= 0.5 { lines.append("\(Self.text(rest)) are the converters and the cable.") }
    lines.append(
      xruns == 0
        ? "A shorter --period reduces the latency."
        : "The sound was interrupted because the machine was too slow: try a longer --period.")
    return lines.map { "\($0)\n" }.joined()
  }

  private var table: OutputText {
    func row(_ name: String, _ milliseconds: Double) -> [String] {
      let periods = milliseconds / output.milliseconds(output.period)
      return [name, Self.text(milliseconds), "\(decimal(periods, digits: 2)) periods"]
    }
    let figures = Columns.text([
      row("mean", latency.mean), row("99 % within", latency.p99), row("minimum", latency.least),
      row("maximum", latency.greatest), row("standard deviation", latency.standardDeviation),
    ])
    let circumstances = Columns.text([
      ["captured", "\(latency.heard) of \(latency.played) notes"],
      ["xruns", xruns == 0 ? "none" : "\(xruns)"],
      ["played on", output.summary], ["captured at", input],
    ])
    return "\(figures)\n\(circumstances)"
  }

  private static func text(_ milliseconds: Double) -> String {
    "\(decimal(milliseconds, digits: milliseconds < 1 ? 2 : 1)) ms"
  }
}
