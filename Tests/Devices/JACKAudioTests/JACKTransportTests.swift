import CJACK
import RenderCore
import Testing

@testable import JACKAudio

@Suite(.timeLimit(.minutes(5))) struct JACKTransportTests {
  /// The position of bar 3, beat 2, half of it, in 6/8 at 90 eighths per minute.
  private var position: jack_position_t {
    var position = jack_position_t()
    position.valid = JackPositionBBT
    position.frame = 96_000
    position.frame_rate = 48_000
    (position.bar, position.beat, position.tick) = (3, 2, 960)
    position.ticks_per_beat = 1920
    position.bar_start_tick = 2 * 6 * 1920
    (position.beats_per_bar, position.beat_type) = (6, 8)
    position.beats_per_minute = 90
    return position
  }

  @Test func `beats of the meter become quarter notes`() {
    let transport = Transport(position, isRolling: true, usesQuarters: false)
    #expect(transport.isPlaying)
    #expect(transport.songFrame == 96_000)
    #expect(transport.meter == Meter(6, 8))
    #expect(transport.tempo == 45)
    #expect(transport.barStart == 6)
    #expect(transport.beat == 6.75)
    #expect(transport.provides.has(.beat))
    #expect(transport.provides.has(.meter))
    #expect(!transport.provides.has(.loop))
  }

  @Test func `the frame of the position is counted from, while the song plays`() {
    var position = position
    position.valid = jack_position_bits_t(JackPositionBBT.rawValue | JackBBTFrameOffset.rawValue)
    position.bbt_offset = 32_000
    #expect(Transport(position, isRolling: true, usesQuarters: false).beat == 7.25)
    #expect(Transport(position, isRolling: false, usesQuarters: false).beat == 6.75)
  }

  @Test func `without a timebase master there are the state and the frame`() {
    var position = position
    position.valid = jack_position_bits_t(0)
    let transport = Transport(position, isRolling: false, usesQuarters: false)
    #expect(!transport.isPlaying)
    #expect(transport.songFrame == 96_000)
    #expect(transport.provides.has(.state))
    #expect(transport.provides.has(.songFrame))
    #expect(!transport.provides.has(.beat))
    #expect(!transport.provides.has(.meter))
  }

  private static let absurd: [@Sendable (inout jack_position_t) -> Void] = [
    { $0.beats_per_minute = .nan }, { $0.beats_per_minute = -1 },
    { $0.beats_per_minute = .infinity }, { $0.beats_per_bar = 0 }, { $0.beats_per_bar = .nan },
    { $0.beats_per_bar = 1e9 }, { $0.beat_type = 0 }, { $0.beat_type = -.infinity },
    { $0.ticks_per_beat = 0 }, { $0.ticks_per_beat = .nan }, { $0.bar_start_tick = .infinity },
    { $0.bar_start_tick = 1e300 }, { $0.beat = 0 }, { $0.beat = .min },
    {
      $0.valid = jack_position_bits_t(JackPositionBBT.rawValue | JackTickDouble.rawValue)
      $0.tick_double = .nan
    }, { $0.frame_rate = 0 },
  ]

  @Test(arguments: absurd.indices)
  func `absurd values of the timebase master are left out`(index: Int) {
    var position = position
    Self.absurd[index](&position)
    let transport = Transport(position, isRolling: true, usesQuarters: false)
    #expect(transport.isPlaying)
    #expect(!transport.provides.has(.beat))
    #expect(!transport.provides.has(.meter))
  }

  /// The position at a frame of a song in 4/4 whose master gives whole ticks.
  private func position(frame: UInt32, tempo: Double) -> jack_position_t {
    var position = jack_position_t()
    position.valid = JackPositionBBT
    (position.frame, position.frame_rate) = (frame, 48_000)
    let beats = Double(frame) * tempo / 60 / 48_000
    position.bar = Int32(beats / 4) + 1
    position.beat = Int32(beats) % 4 + 1
    position.tick = Int32((beats - beats.rounded(.down)) * 1920)
    (position.ticks_per_beat, position.bar_start_tick) = (1920, Double(Int(beats / 4)) * 4 * 1920)
    (position.beats_per_bar, position.beat_type, position.beats_per_minute) = (4, 4, tempo)
    return position
  }

  @Test(arguments: [64, 256, 1024, 1000])
  func `while the song goes on, whole ticks do not move its beats`(cycle: Int) {
    var transport = JACKTransport(sampleRate: 48_000)
    for number in 0..<2000 {
      let frame = number * cycle
      let position = position(frame: UInt32(frame), tempo: 137)
      let beat = transport.next(position, isRolling: true, frames: cycle).beat
      #expect(abs(beat - Double(frame) * 137 / 60 / 48_000) < 1e-9)
    }
  }

  @Test func `a jump, a stop and another tempo are followed at once`() {
    var transport = JACKTransport(sampleRate: 48_000)
    let tick = 1.01 / 1920
    _ = transport.next(position(frame: 0, tempo: 120), isRolling: true, frames: 256)
    for (frame, tempo, isRolling) in [(5000, 120, true), (5256, 90, true), (48_000, 90, false)] {
      let next = transport.next(
        position(frame: UInt32(frame), tempo: Double(tempo)), isRolling: isRolling, frames: 256)
      #expect(abs(next.beat - Double(frame * tempo) / 60 / 48_000) <= tick)
      #expect(next.tempo == Double(tempo))
      #expect(next.isPlaying == isRolling)
    }
  }

  @Test func `a master that is faster than its tempo is followed to a tick`() {
    var transport = JACKTransport(sampleRate: 48_000)
    for number in 0..<2000 {
      let frame = UInt32(number * 256)
      var position = position(frame: frame, tempo: 121)
      position.beats_per_minute = 120
      let beat = transport.next(position, isRolling: true, frames: 256).beat
      #expect(abs(beat - Double(frame) * 121 / 60 / 48_000) < 2.1 / 1920)
    }
  }

  @Test func `a tempo of 0 stands still`() {
    var position = position
    position.beats_per_minute = 0
    let transport = Transport(position, isRolling: true, usesQuarters: false)
    #expect(transport.provides.has(.beat))
    #expect(transport.after(frames: 1000, sampleRate: 48_000).beat == transport.beat)
  }

  /// The position at a frame of a song in 7/8 as Ardour 7 and 8 give it, with 60 quarter notes per minute, and 50 from the second bar
  /// on; and the true one in quarter notes.
  private func ardour(_ frame: Int) -> (position: jack_position_t, beat: Double) {
    let (isLater, change) = (frame >= 168_000, 168_000.0 / 48_000)
    let tempo = isLater ? 50.0 : 60
    let beat =
      isLater ? change + (Double(frame) / 48_000 - change) * tempo / 60 : Double(frame) / 48_000
    let ticks = Int((beat * 1920).rounded())
    var position = jack_position_t()
    position.valid = JackPositionBBT
    (position.frame, position.frame_rate) = (UInt32(frame), 48_000)
    let eighths = ticks / 960
    (position.bar, position.beat) = (Int32(eighths / 7 + 1), Int32(eighths % 7 + 1))
    position.tick = Int32(ticks % 960)
    (position.ticks_per_beat, position.beats_per_minute) = (1920, tempo)
    (position.beats_per_bar, position.beat_type) = (7, 8)
    let current = ticks / 4 * 8 * 1920
    position.bar_start_tick =
      Double(current - Int(position.beat - 1) * 1920 - Int(position.tick))
    return (position, beat)
  }

  @Test(arguments: [64, 256, 1024], [0, 13_824])
  func `the beats of Ardour are eighths, and its tempo and ticks are in quarter notes`(
    cycle: Int, start: Int
  ) {
    var transport = JACKTransport(sampleRate: 48_000)
    for frame in stride(from: start, to: 400_000, by: cycle) {
      let (position, beat) = ardour(frame)
      let next = transport.next(position, isRolling: true, frames: cycle)
      // What Ardour gives is rounded to ticks.
      let isExact = start == 0 && frame < 168_000
      #expect(abs(next.beat - beat) < (isExact && frame > 0 ? 1e-9 : 0.51 / 1920))
      if frame > 0 { #expect(next.tempo == position.beats_per_minute) }
      #expect(next.barStart == Double(position.bar - 1) * 3.5)
    }
  }

  @Test func `without a place of the bar, all bars are as long as this one`() {
    var position = position
    position.bar_start_tick = 0
    let transport = Transport(position, isRolling: true, usesQuarters: false)
    #expect(transport.barStart == 6 && transport.beat == 6.75 && transport.tempo == 45)
    position.bar = 1
    #expect(Transport(position, isRolling: true, usesQuarters: false).barStart == 0)
  }
}
