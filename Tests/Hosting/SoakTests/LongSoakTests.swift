import Foundation
import Testing

/// The length of a soak, from `make soak`.
private enum LongSoak {
  /// Virtual hours; `nil`: there is no long soak.
  static let hours = variable("HOURS").flatMap { Double($0) }
  /// The longest real time.
  static let minutes = variable("MINUTES").flatMap { Double($0) } ?? .infinity
  static let seed = variable("SEED").flatMap { UInt64($0) } ?? 1
  static let figures = variable("FIGURES")

  private static func variable(_ name: String) -> String? {
    ProcessInfo.processInfo.environment["PORTATIVE_SOAK_\(name)"]
  }
}

@Suite(.enabled(if: LongSoak.hours != nil, "only in `make soak`"), .timeLimit(.minutes(1440)))
struct LongSoakTests {
  @Test func `memory, descriptors and threads do not grow`() throws {
    let hours = try #require(LongSoak.hours)
    let begin = ContinuousClock.now
    var scenario = try SoakScenario(seed: LongSoak.seed)
    defer { scenario.stage.stop() }
    var figures: [SoakFigures] = []
    while scenario.stage.sound.hours < hours,
      (ContinuousClock.now - begin) / .seconds(60) < LongSoak.minutes
    {
      try scenario.perform(steps: 60)
      figures.append(try scenario.figures())
      if let path = LongSoak.figures { try figures.write(to: path) }
    }
    let memory = SoakGrowth(of: \.kilobytes, in: figures).value
    let descriptors = SoakGrowth(of: \.descriptors, in: figures).value
    let threads = SoakGrowth(of: \.threads, in: figures).value
    if let last = figures.last {
      print(
        """
        \(last.hours) h in \(last.step) steps; devices played for \(last.played) h, the machine slept for \(last.asleep) h
        \(last.notes) notes, \(last.hosts) hosts, \(last.pages) pages, \(last.devices) devices, \(last.servers) servers
        at the end \(last.kilobytes) kB, \(last.descriptors) descriptors, \(last.threads) threads
        growth in the second half: \(memory) kB, \(descriptors) descriptors, \(threads) threads
        """)
    }
    // A leak of 1 kB at each step would exceed this within some hours.
    #expect(memory < max(8192, 0.05 * Double(figures.last?.kilobytes ?? 0)))
    #expect(descriptors < 2)
    #expect(threads < 2)
  }
}
