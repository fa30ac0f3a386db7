import Testing

@testable import BatchRenderer
@testable import portative

@Suite(.timeLimit(.minutes(5))) struct LatencyReportTests {
  private func report(_ milliseconds: Double, xruns: Int = 0) throws -> LatencyReport {
    let times = (0..<2).map { Int64($0) * 1_000_000_000 }
    let latency = Int64(milliseconds * 1e6)
    return LatencyReport(
      latency: try #require(
        LatencyFigures(
          played: times, clicks: zip(times, [-100_000, 100_000]).map { $0 + latency + $1 })),
      output: LatencyReport.Output(
        summary: "hw:1: 48000 Hz, 3 × 240 frames, 16 bits", sampleRate: 48_000, period: 240,
        buffered: 480),
      input: "hw:1", xruns: xruns)
  }

  @Test func `the text has sentences and a table`() throws {
    #expect(
      try report(17.25).text == """
        A note sounds 17.3 ms after its key is pressed, with a standard deviation of 0.10 ms.
        5.0 ms of that are the period in which it is played,
        10.0 ms the device's buffer, of up to 480 frames.
        2.3 ms are the converters and the cable.
        A shorter --period reduces the latency.

        mean                17.3 ms  3.45 periods
        99 % within         17.4 ms  3.47 periods
        minimum             17.2 ms  3.43 periods
        maximum             17.4 ms  3.47 periods
        standard deviation  0.10 ms  0.02 periods

        captured     2 of 2 notes
        xruns        none
        played on    hw:1: 48000 Hz, 3 × 240 frames, 16 bits
        captured at  hw:1

        """)
  }

  @Test func `the share of the buffer is at most the rest of the latency`() throws {
    let text = try report(13).text.text
    #expect(text.contains("\n8.0 ms the device's buffer, of up to 480 frames.\n"))
    #expect(!text.contains("the converters"))
    #expect(try report(4).text.text.contains("\n0.00 ms the device's buffer"))
  }

  @Test func `after xruns the text recommends a longer period`() throws {
    let text = try report(17, xruns: 2).text.text
    #expect(text.contains("try a longer --period"))
    #expect(!text.contains("A shorter"))
    #expect(text.contains("xruns        2\n"))
  }

  @Test func `the report is a line of JSON`() throws {
    #expect(
      try RenderReport.encode(report(17), []) == """
        {"input":"hw:1","latency":{"greatest":17.1,"heard":2,"least":16.9,"mean":17,"p99":17.1,\
        "played":2,"standardDeviation":0.1},"output":{"buffered":480,"period":240,"sampleRate":48000,\
        "summary":"hw:1: 48000 Hz, 3 × 240 frames, 16 bits"},"xruns":0}
        """)
  }
}
