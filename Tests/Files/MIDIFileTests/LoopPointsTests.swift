import MIDIFile
import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct LoopPointsTests {
  private typealias Event = StandardMIDIFile.Event

  private func on(_ tick: Int64, _ key: UInt8) -> Event {
    .init(tick: tick, .channel(.init(.noteOn, channel: 0, key, 100)))
  }

  private func off(_ tick: Int64, _ key: UInt8) -> Event {
    .init(tick: tick, .channel(.init(.noteOff, channel: 0, key, 64)))
  }

  private func control(_ tick: Int64, _ number: UInt8, _ value: UInt8 = 0) -> Event {
    .init(tick: tick, .channel(.init(.controlChange, channel: 0, number, value)))
  }

  private func text(_ tick: Int64, _ text: String, _ kind: TextKind = .marker) -> Event {
    .init(tick: tick, .meta(.text(text, kind)))
  }

  private func song(_ tracks: [Event]..., format: StandardMIDIFile.Format = .simultaneous)
    -> StandardMIDIFile
  {
    StandardMIDIFile(
      format: format, division: .ticksPerQuarter(480),
      tracks: tracks.map { .init($0, endTick: max(960, $0.last?.tick ?? 0)) })
  }

  private func points(_ events: [Event]) -> [String] {
    guard let loop = song(events).loopPoints else { return [] }
    return ["\(loop.start)", "\(loop.end)", loop.convention]
  }

  @Test func `texts mark a loop in any case, and its end may be the song's`() {
    #expect(
      points([text(10, "LOOPSTART", .text), text(500, "Loop End")]) == ["10", "500", "loopStart"])
    #expect(points([text(10, "loopStart")]) == ["10", "960", "loopStart"])
  }

  @Test func `controllers mark a loop by the conventions of their programs`() {
    #expect(points([control(10, 111)]) == ["10", "960", "CC 111"])
    #expect(points([control(10, 110), control(500, 111)]) == ["10", "500", "CC 110"])
    #expect(points([control(10, 118), control(500, 119, 127)]) == ["10", "500", "CC 118"])
    #expect(points([control(10, 116), control(500, 117, 127)]) == ["10", "500", "CC 116"])
    #expect(points([control(10, 2), control(500, 4)]) == ["10", "500", "CC 2"])
  }

  @Test func `what may mean something else is no loop`() {
    #expect(points([on(0, 60)]) == [])
    #expect(points([control(10, 2, 64), control(500, 4, 64)]) == [])
    #expect(points([control(10, 2), control(400, 4), control(500, 4)]) == [])
    #expect(points([control(10, 116), control(400, 117), control(500, 117)]) == [])
    #expect(points([text(10, "loopEnd"), text(500, "loopStart")]) == [])
    #expect(points([control(960, 111)]) == [])
    #expect(song([control(10, 111)], format: .sequential).loopPoints == nil)
  }

  /// Returns the notes and programs of the song with its loop played twice: ticks, kinds and data.
  private func twice(_ tracks: [Event]...) throws -> [[String]] {
    let song = StandardMIDIFile(
      format: .simultaneous, division: .ticksPerQuarter(480),
      tracks: tracks.map { .init($0, endTick: 960) })
    let points = try #require(song.loopPoints)
    return song.playing(points, times: 2).tracks.map { track in
      track.events.compactMap { event in
        switch event.content {
        case .channel(let message):
          let name =
            message.startsNote ? "on" : message.endsNote ? "off" : "\(message.kind)"
          return "\(event.tick) \(name) \(message.data1)"
        case .meta(let meta): return meta.tempo.map { "\(event.tick) tempo \($0)" }
        case .sysEx, .escape: return nil
        }
      }
    }
  }

  @Test func `the loop is repeated in all tracks, and the rest follows`() throws {
    let played = try twice(
      [text(100, "loopStart"), text(300, "loopEnd")],
      [on(0, 60), off(50, 60), on(100, 61), off(200, 61), on(300, 62), off(400, 62)])
    #expect(
      played[1] == [
        "0 on 60", "50 off 60", "100 on 61", "200 off 61", "300 on 61", "400 off 61", "500 on 62",
        "600 off 62",
      ])
  }

  @Test func `keys that are down at the jump are released, and tempo and settings return`() throws {
    let program = { (tick: Int64, number: UInt8) in
      Event(tick: tick, .channel(.init(.programChange, channel: 0, number)))
    }
    let played = try twice([
      program(0, 5), .init(tick: 0, .meta(.tempo(400_000))), text(100, "loopStart"), on(100, 60),
      program(200, 7), .init(tick: 200, .meta(.tempo(600_000))), text(300, "loopEnd"), off(350, 60),
    ])
    #expect(
      played[0] == [
        "0 programChange 5", "0 tempo 400000", "100 on 60", "200 programChange 7",
        "200 tempo 600000", "300 off 60", "300 tempo 400000", "300 programChange 5", "300 on 60",
        "400 programChange 7", "400 tempo 600000", "550 off 60",
      ])
    let jumped = try twice([program(0, 5), control(100, 111), on(100, 60), program(200, 7)])
    #expect(!jumped[0].contains("960 programChange 5") && jumped[0].contains("960 off 60"))
  }
}
