import Foundation
import ProgramTestSupport
import Testing

/// Tests of `portative doctor --latency` with the loopback card instead of a cable.
@Suite(.timeLimit(Rig.timeLimit), .serialized) struct LatencyTests {
  /// The duration of a period in milliseconds.
  private static let period = 1024 / 48.0
  private static let twoFrames = 2 / 48.0

  private func measure(hearingFrom input: String, _ more: String...) throws -> ProgramResult {
    let arguments =
      ["doctor", "--latency", input, "--audio", "hw:Loopback,0,6", "--period", "1024"] + more
    return try Program(arguments).result(within: 120)
  }

  private func figures() throws -> [String: Double] {
    // Repeat if the machine was too slow.
    let result = try wait {
      let result = try measure(hearingFrom: "hw:Loopback,1,6", "--json")
      return result.exitCode == 1 && result.errors.contains("too slow") ? nil : result
    }
    #expect(result.exitCode == 0, "\(result.errors)")
    let report = try #require(result.outputText.objects.first)
    return try #require(report["latency"] as? [String: Double])
  }

  @Test(.enabled(if: Rig.hasLoopback, "needs the card of snd-aloop, in real time: make test-alsa"))
  func `the latency of played notes is measured`() throws {
    let figures = try figures()
    #expect(try #require(figures["heard"]) >= 50)
    let mean = try #require(figures["mean"])
    #expect(mean > Self.period)
    #expect(mean < 1000)
  }

  @Test(.enabled(if: Rig.hasLoopback, "needs the card of snd-aloop, in real time: make test-alsa"))
  func `it fails with a reason if nothing is heard`() throws {
    let result = try measure(hearingFrom: "hw:Loopback,1,7")
    #expect(result.exitCode == 1)
    #expect(result.outputText == "")
    #expect(result.errors.contains("were not captured at 'hw:Loopback,1,7'"), "\(result.errors)")
    let none = try measure(hearingFrom: "hw:Nowhere")
    #expect(none.exitCode == 1)
    #expect(none.errors.contains("there is no such capture device"), "\(none.errors)")
  }

  @Test(.enabled(if: Rig.current == .virtualTime, "asserts timing: make test-alsa"))
  func `latency is constant: from key to sound, for the whole program`() throws {
    // A busy host delays threads even here, so that some notes are off by a millisecond: then measure again.
    var figures = try figures()
    for _ in 0..<3 where figures["standardDeviation"] ?? 0 >= Self.twoFrames {
      figures = try self.figures()
    }
    #expect(figures["heard"] == 100)
    let mean = try #require(figures["mean"])
    #expect(mean > Self.period)
    // Three periods, and never more than the card's buffer.
    #expect(mean < 3 * Self.period)
    // If notes were placed on arrival, their latencies would differ by a whole period.
    let (least, greatest) = (try #require(figures["least"]), try #require(figures["greatest"]))
    #expect(greatest - least < Self.period / 10)
    #expect(try #require(figures["standardDeviation"]) < Self.twoFrames, "\(figures)")
  }
}
