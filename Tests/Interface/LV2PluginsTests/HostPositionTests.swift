import CLV2
import LV2Atoms
import LocalSystem
import RenderCore
import Testing

@testable import LV2Plugins

@Suite(.timeLimit(.minutes(5))) struct HostPositionTests {
  private func read(_ properties: (key: LV2_URID, value: Double)...) -> Transport? {
    var bytes = AtomBytes()
    bytes.append(at: 0, types.object, position(properties))
    return AtomReader(bytes.sequence(), types).first.flatMap { Transport($0, types) }
  }

  @Test func `the second beat of the third bar of six eighths`() throws {
    let transport = try #require(
      read(
        (types.speed, 1), (types.frame, 12_345), (types.bar, 2), (types.barBeat, 1),
        (types.beatUnit, 8),
        (types.beatsPerBar, 6), (types.beatsPerMinute, 120)))
    #expect(transport.isPlaying && transport.songFrame == 12_345)
    #expect(transport.beat == 6.5 && transport.barStart == 6 && transport.tempo == 60)
    #expect(transport.meter == Meter(6, 8))
    #expect(transport.provides.has(.beat) && transport.provides.has(.meter))
    #expect(!transport.provides.has(.loop))
  }

  @Test func `a host that states only its speed provides no beat`() throws {
    let transport = try #require(read((types.speed, 0)))
    #expect(transport.provides == .state && !transport.isPlaying)
  }

  @Test func `half speed is half the tempo`() throws {
    let transport = try #require(
      read((types.speed, 0.5), (types.beat, 3), (types.beatsPerMinute, 120)))
    #expect(transport.isPlaying && transport.tempo == 60 && transport.beat == 3)
  }

  @Test(arguments: [Double.nan, .infinity, -1, 0, 1e300])
  func `numbers without sense change nothing`(number: Double) throws {
    let transport = try #require(
      read(
        (types.speed, 1), (types.bar, .nan), (types.beatUnit, number), (types.beatsPerBar, number),
        (types.beatsPerMinute, -1), (types.beat, number)))
    #expect(transport.provides == .state && transport.isPlaying)
  }

  @Test func `another object is no position`() {
    var bytes = AtomBytes()
    bytes.append(at: 0, types.object, [0, 0, 0, 0, 1, 0, 0, 0])
    #expect(AtomReader(bytes.sequence(), types).first.flatMap { Transport($0, types) } == nil)
  }

  @Test(arguments: [-9.5e14, -3.25, 9.5e14])
  func `places far from the beginning, and before it, are allowed`(bar: Double) {
    let words = SharedWords(count: 1)
    defer { words.destroy() }
    words[0].store(1)
    var unit = TempoUnit(sampleRate: 48_000, usesQuarters: words[0])
    for frame in [0, 1e14] {
      let given = read(
        (types.speed, 1), (types.frame, frame), (types.bar, bar), (types.barBeat, 1.25),
        (types.beatUnit, 8), (types.beatsPerBar, 65_535), (types.beatsPerMinute, 120))!
      #expect(unit.resolve(given).beat.isFinite)
    }
  }

  /// - Parameter isQuarters: Whether the host states quarter notes, as Ardour does.
  @Test(arguments: [true, false], [64, 1024])
  func `the tempo is in the beats in which the position moves`(isQuarters: Bool, cycle: Int) {
    let words = SharedWords(count: 1)
    defer { words.destroy() }
    var unit = TempoUnit(sampleRate: 48_000, usesQuarters: words[0])
    // 7/8 at 60 quarter notes per minute, with positions in whole ticks.
    func position(_ number: Int) -> (given: Transport, beat: Double) {
      let beat = (Double(number * cycle) / 48_000 * 1920).rounded() / 1920
      let eighths = (beat * 2).rounded(.down)
      let stated = isQuarters ? eighths + beat - eighths / 2 : beat * 2
      let given = read(
        (types.speed, 1), (types.frame, Double(number * cycle)), (types.beat, stated),
        (types.beatUnit, 8), (types.beatsPerBar, 7), (types.beatsPerMinute, isQuarters ? 60 : 120))!
      return (given, beat)
    }
    for number in 0..<400_000 / cycle {
      let position = position(number)
      let resolved = unit.resolve(position.given)
      if position.beat < 5 { continue }
      #expect(resolved.tempo == 60 && abs(resolved.beat - position.beat) < 1e-9)
    }
    // A jump changes nothing.
    _ = unit.resolve(position(400_000_000 / cycle).given)
    #expect(unit.resolve(position(400_000_000 / cycle + 1).given).tempo == 60)
    // The next instance knows it from the beginning.
    var next = TempoUnit(sampleRate: 48_000, usesQuarters: words[0])
    #expect(next.resolve(position(0).given).tempo == 60)
  }

  @Test(arguments: [64, 1024])
  func `in 3/2, quarter notes that a host adds to half notes are told from these`(cycle: Int) {
    let words = SharedWords(count: 1)
    defer { words.destroy() }
    words[0].store(1)
    var unit = TempoUnit(sampleRate: 48_000, usesQuarters: words[0])
    for frame in stride(from: 0, to: 400_000, by: cycle) {
      let beat = Double(frame) / 48_000 * 150 / 60
      let halves = (beat / 2).rounded(.down)
      let given = read(
        (types.speed, 1), (types.frame, Double(frame)), (types.beat, halves + beat - halves * 2),
        (types.beatUnit, 2), (types.beatsPerBar, 3), (types.beatsPerMinute, 150))!
      let resolved = unit.resolve(given)
      #expect(abs(resolved.beat - beat) < 1e-9 && resolved.tempo == 150)
    }
  }
}
