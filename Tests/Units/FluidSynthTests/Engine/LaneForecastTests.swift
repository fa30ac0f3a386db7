import Testing

@testable import FluidSynthEngine

@Suite struct LaneDemandTests {
  @Test func `silence needs no more than the first lanes`() {
    var demand = LaneForecast(rate: 48_000)
    #expect(demand.follow(sounding: 0, waiting: LaneForecast.first, now: 64) == nil)
    #expect(demand.follow(sounding: 8, waiting: 8, now: 128) == nil)
  }

  @Test(arguments: [9, 16, 40, 200])
  func `half as many wait as sound, and some more, so that orders are few`(sounding: Int) {
    var demand = LaneForecast(rate: 48_000)
    let wanted = demand.follow(sounding: sounding, waiting: 7, now: 64) ?? 0
    #expect(wanted - sounding >= sounding / 2)
    #expect(demand.follow(sounding: sounding, waiting: wanted - sounding, now: 128) == nil)
    #expect(demand.follow(sounding: sounding + 2, waiting: wanted - sounding - 2, now: 192) == nil)
  }

  @Test func `what sounded is remembered for some seconds`() {
    var demand = LaneForecast(rate: 1000)
    _ = demand.follow(sounding: 100, waiting: 100, now: 10)
    #expect(demand.follow(sounding: 0, waiting: 20, now: 4000) != nil)
    #expect(demand.follow(sounding: 0, waiting: 20, now: 8000) == nil)
  }
}
