import BatchRenderer
import Testing

@testable import portative

@Test func `late cycles and invalid samples of a node are warnings that name it`() {
  var report = PlayReport(
    port: "Maker: Organ", node: "organ", processID: 7, cycles: 900, lateCycles: 0,
    longestStall: 0, absentCycles: 0, lateNotes: 0, invalidSamples: 0,
    roundTripMedian: 5, roundTrip99th: 7, roundTripLongest: 9)
  #expect(Warnings.of(report).isEmpty)
  #expect(report.summary == "900 cycles, none late; round trip 5.0 us, 99 % within 7.0 us")
  report.lateCycles = 12
  report.invalidSamples = 1
  let warnings = Warnings.of(report)
  #expect(warnings.count == 2)
  #expect(
    warnings[0].hasPrefix("Maker: Organ: 12 of 900 cycles late, and silent: use longer cycles"))
  #expect(
    warnings[1]
      == "Maker: Organ: 1 sample infinite or not a number, and silent: the node 'organ' has a fault; "
      + "report it to its developer")
  report.longestStall = 50
  report.absentCycles = 100
  let stalled = Warnings.of(report)
  #expect(
    stalled[0].hasSuffix("its node 'organ' (process 7) hung or was stopped, for up to 50 cycles"))
  #expect(stalled[1].hasPrefix("Maker: Organ: 100 of 1000 cycles silent, because its node 'organ'"))
  report.lateCycles = 0
  #expect(!report.summary.contains("late"))
  // Only the warning reports the number of late cycles.
  #expect(!report.summary.contains("late"))
}
