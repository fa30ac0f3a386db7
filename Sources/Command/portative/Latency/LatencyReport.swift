/// The report of a measurement.
package struct LatencyReport: Equatable, Encodable {
  /// The latencies, in milliseconds.
  package let latency: LatencyFigures
  package let output: Output
  package let input: String
  /// The number of xruns during the measurement.
  package let xruns: Int

  /// The sound device that the notes were played on.
  package struct Output: Equatable, Encodable {
    package let summary: String
    package let sampleRate: Int
    /// The frames of a cycle.
    package let period: Int
    /// The greatest number of frames that are still to be played when a cycle is rendered.
    package internal(set) var buffered: Int

    package func milliseconds(_ frames: Int) -> Double {
      Double(frames) * 1000 / Double(sampleRate)
    }
  }
}
