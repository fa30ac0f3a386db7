import Testing

@testable import FluidSynthEngine

@Suite(.timeLimit(.minutes(5))) struct LaneForecastTests {
  @Test func `silence needs only the first lanes`() {
    var forecast = LaneForecast(rate: 48_000, first: 16)
    #expect(forecast.update(sounding: 0, idle: 16, now: 64) == nil)
    #expect(forecast.update(sounding: 8, idle: 8, now: 128) == nil)
  }

  @Test(arguments: [9, 16, 40, 200])
  func `half as many lanes are free as sound, and some more, so that requests are few`(
    sounding: Int
  ) {
    var forecast = LaneForecast(rate: 48_000, first: 16)
    let wanted = forecast.update(sounding: sounding, idle: 7, now: 64) ?? 0
    #expect(wanted - sounding >= sounding / 2)
    #expect(forecast.update(sounding: sounding, idle: wanted - sounding, now: 128) == nil)
    #expect(forecast.update(sounding: sounding + 2, idle: wanted - sounding - 2, now: 192) == nil)
  }

  @Test func `past demand counts for some seconds`() {
    var forecast = LaneForecast(rate: 1000, first: 16)
    _ = forecast.update(sounding: 100, idle: 100, now: 10)
    #expect(forecast.update(sounding: 0, idle: 20, now: 4000) != nil)
    #expect(forecast.update(sounding: 0, idle: 20, now: 8000) == nil)
  }
}
