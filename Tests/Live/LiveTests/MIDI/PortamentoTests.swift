import RenderCore
import Testing

@testable import LiveMIDI

@Suite(.timeLimit(.minutes(5))) struct PortamentoTests {
  private func router(
    _ portamento: Portamento, isMono: Bool = false
  ) -> ZoneRouter {
    var zone = Zone()
    zone.sound = 1
    zone.isMono = isMono
    zone.portamento = portamento
    var router = ZoneRouter()
    var output: [ZoneRouter.Routed] = []
    router.setZones([zone], into: &output)
    return router
  }

  /// Sends a message at a time in milliseconds; returns the key from which its note glides and the milliseconds that it
  /// takes; `nil`: it does not glide.
  private func glide(
    _ router: inout ZoneRouter, _ content: MIDIContent, at time: Int64
  ) -> [Int]? {
    guard case .channel(let message) = content else { return nil }
    var output: [ZoneRouter.Routed] = []
    router.route(message, from: keyboard, at: time * 1_000_000, into: &output)
    var values: [UInt8: Int] = [:]
    for message in output.map(\.message) where message.kind == .controlChange {
      values[message.data1] = Int(message.data2)
    }
    guard let key = values[84], let high = values[5], let low = values[37] else { return nil }
    // What the note needs comes before it.
    #expect(output.last?.message.startsNote == true)
    return [key, high << 7 | low]
  }

  @Test func `with constant time, every interval takes as long`() {
    var router = router(Portamento(.time(300), isFingered: false))
    #expect(glide(&router, on(60), at: 0) == nil)
    #expect(glide(&router, off(60), at: 1000) == nil)
    #expect(glide(&router, on(61), at: 2000) == [60, 300])
    #expect(glide(&router, on(85), at: 3000) == [61, 300])
    #expect(glide(&router, on(85), at: 4000) == nil)
  }

  @Test func `with constant rate, a wide interval takes longer`() {
    var router = router(Portamento(.perOctave(600), isFingered: false))
    _ = glide(&router, on(60), at: 0)
    #expect(glide(&router, on(72), at: 1000) == [60, 600])
    #expect(glide(&router, on(71), at: 2000) == [72, 50])
    #expect(glide(&router, on(47), at: 3000) == [71, 1200])
  }

  @Test func `a note glides from the present pitch, also during a glide`() {
    var router = router(Portamento(.perOctave(1200), isFingered: false))
    _ = glide(&router, on(60), at: 0)
    #expect(glide(&router, on(72), at: 1000) == [60, 1200])
    // After half of the time, at key 66.
    #expect(glide(&router, on(72), at: 1600) == [66, 600])
    #expect(glide(&router, on(60), at: 1900) == [69, 900])
    #expect(glide(&router, on(60), at: 9000) == nil)
  }

  @Test func `a fingered glide needs a key that is held`() {
    var router = router(Portamento(.time(100), isFingered: true))
    #expect(glide(&router, on(60), at: 0) == nil)
    #expect(glide(&router, on(64), at: 1000) == [60, 100])
    _ = glide(&router, off(60), at: 2000)
    _ = glide(&router, off(64), at: 2000)
    #expect(glide(&router, on(67), at: 3000) == nil)
    #expect(glide(&router, on(60), at: 4000) == [67, 100])
  }

  @Test func `a mono zone glides back to the key that is still held`() {
    var router = router(Portamento(.time(100), isFingered: true), isMono: true)
    _ = glide(&router, on(60), at: 0)
    #expect(glide(&router, on(67), at: 1000) == [60, 100])
    #expect(glide(&router, off(67), at: 2000) == [67, 100])
    #expect(glide(&router, off(60), at: 3000) == nil)
  }

  @Test func `the longest glide has the greatest portamento time`() {
    var router = router(Portamento(.perOctave(16_383), isFingered: false))
    _ = glide(&router, on(24), at: 0)
    #expect(glide(&router, on(96), at: 20_000) == [24, 16_383])
  }
}
