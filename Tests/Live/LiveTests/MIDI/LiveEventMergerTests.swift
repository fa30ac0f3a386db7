import ConnectionTestSupport
import RenderCore
import Testing

@testable import LiveMIDI

/// A host with punctual cycles of 480 frames, 10 ms.
@Suite(.timeLimit(.minutes(5))) final class LiveEventMergerTests {
  let input = LiveInput()
  let listener: LiveInputConsumer
  private let room = EventCapacity(events: 4096, bytes: 65_536)
  private var position: Int64 = 0
  private let output = StereoOutput(frames: 480)

  /// The duration of a cycle in nanoseconds.
  static let cycle: Int64 = 10_000_000

  init() {
    listener = LiveInputConsumer(to: input, as: .host, sampleRate: 48_000, host: room)
    listener.begin()
    for _ in 0..<3 { _ = merge([]) }
  }

  /// The time at which the next cycle begins, in nanoseconds.
  private var now: Int64 { 1_000_000_000 + position / 480 * Self.cycle }

  /// Merges the next cycle.
  ///
  /// - Returns: Offset and data of each event, with the bytes of System Exclusive.
  private func merge(_ events: [MIDIEvent], sysEx: [UInt8] = []) -> [[Int]] {
    events.withUnsafeBufferPointer { events in
      sysEx.withUnsafeBufferPointer { sysEx in
        let cycle = RenderCycle(
          midi: MIDICycle(frames: 480, events: events, sysEx: sysEx), position: position,
          hostTime: now, output: UnsafePointer(output.pointers))
        let merged = listener.events.pointee.merge(into: cycle, now: now)
        position += 480
        return merged.events.map { describe($0, merged.sysEx) }
      }
    }
  }

  private func describe(_ event: MIDIEvent, _ sysEx: UnsafeBufferPointer<UInt8>) -> [Int] {
    let offset = Int(event.offset)
    switch event.content {
    case .channel(let message):
      return [offset, Int(message.status), Int(message.data1), Int(message.data2)]
    case .system(let message):
      return [offset, Int(message.status)]
    case .sysEx(let start, let count):
      return [offset, 0xF0] + sysEx[Int(start)..<Int(start + count)].map(Int.init)
    }
  }

  private func host(_ kind: ChannelMessage.Kind, _ key: UInt8, at offset: UInt32) -> MIDIEvent {
    MIDIEvent(offset: offset, content: .channel(ChannelMessage(kind, channel: 0, key, 100)))
  }

  /// Plays an event `frames` frames after the beginning of the current cycle.
  private func play(
    _ content: MIDIContent, frames: Int, from source: LiveInput.Source = keyboard
  ) {
    input.send(
      content, from: source, at: now - Self.cycle + Int64(frames) * Self.cycle / 480 + 1000)
  }

  @Test func `events of keyboard and host are ordered by frame`() {
    play(on(70), frames: 100)
    play(on(71), frames: 300)
    let merged = merge([
      host(.noteOn, 60, at: 0), host(.noteOn, 61, at: 200), host(.noteOn, 62, at: 479),
    ])
    #expect(merged.map { $0[2] } == [60, 70, 61, 71, 62])
    #expect(merged.map { $0[0] } == [0, 100, 200, 300, 479])
  }

  @Test func `on one frame the host's events are first`() {
    play(on(70), frames: 200)
    #expect(merge([host(.noteOn, 60, at: 200)]).map { $0[2] } == [60, 70])
  }

  @Test func `an event of the next cycle waits for it`() {
    input.send(on(70), from: keyboard, at: now + Self.cycle / 2)
    #expect(merge([]).isEmpty)
    let next = merge([])
    #expect(next.map { $0[2] } == [70])
    #expect((239...241).contains(next.first?[0] ?? 0))
  }

  @Test func `late events act immediately, in order`() {
    input.send(on(70), from: keyboard, at: now - 5 * Self.cycle)
    input.send(off(70), from: keyboard, at: now - 6 * Self.cycle)
    #expect(merge([]).map { [$0[0], $0[1]] } == [[0, 0x90], [0, 0x80]])
  }

  @Test func `decreasing timestamps do not change the order`() {
    play(on(70), frames: 300)
    play(off(70), frames: 200)
    #expect(merge([]).map { [$0[0], $0[1]] } == [[300, 0x90], [300, 0x80]])
  }

  @Test func `System Exclusive of both sources keeps its bytes`() {
    play(.sysEx([7, 8, 9]), frames: 10)
    play(.sysEx([]), frames: 11)
    let event = MIDIEvent(offset: 5, content: .sysEx(start: 1, count: 2))
    #expect(
      merge([event], sysEx: [1, 2, 3]) == [[5, 0xF0, 2, 3], [10, 0xF0, 7, 8, 9], [11, 0xF0]])
  }

  @Test func `a key held by host and keyboard is one note`() {
    play(on(60), frames: 100)
    play(off(60), frames: 400)
    let merged = merge([host(.noteOn, 60, at: 50), host(.noteOff, 60, at: 420)])
    #expect(merged.map { [$0[0], $0[1]] } == [[50, 0x90], [420, 0x80]])
  }

  @Test func `a key held by host and keyboard is one note across a cycle's end`() {
    play(on(60), frames: 470)
    #expect(merge([]).count == 1)
    #expect(merge([host(.noteOn, 60, at: 20)]).isEmpty)
  }

  @Test func `a keyboard that is unplugged ends neither the host's notes nor another keyboard's`() {
    for key in [60, 61, 62] as [UInt8] { play(on(key), frames: 10, from: keyboard) }
    play(pedal(127), frames: 10, from: keyboard)
    _ = merge([])
    play(on(60), frames: 10, from: otherKeyboard)
    play(pedal(127), frames: 10, from: otherKeyboard)
    _ = merge([host(.noteOn, 61, at: 300)])
    input.release(keyboard, at: now - Self.cycle)
    #expect(merge([]).map { [$0[1], $0[2]] } == [[0x80, 62]])
    #expect(merge([host(.noteOff, 61, at: 0)]).map { [$0[1], $0[2]] } == [[0x80, 61]])
    input.release(otherKeyboard, at: now - Self.cycle)
    #expect(merge([]).map { [$0[1], $0[2]] } == [[0x80, 60], [0xB0, 64]])
  }

  @Test func `a key stays down while another source holds it`() {
    play(on(60), frames: 10, from: keyboard)
    play(on(60), frames: 300, from: otherKeyboard)
    #expect(merge([]).count == 2)
    play(off(60), frames: 10, from: keyboard)
    #expect(merge([]).isEmpty)
    play(off(60), frames: 10, from: otherKeyboard)
    #expect(merge([]).count == 1)
  }

  @Test func `two keyboards in unison play two notes, and of one origin one`() {
    play(on(60), frames: 10, from: keyboard)
    play(on(60), frames: 11, from: otherKeyboard)
    #expect(merge([]).count == 2)
    input.setRelations([keyboard: [otherKeyboard], otherKeyboard: [keyboard]])
    play(on(62), frames: 10, from: keyboard)
    play(on(62), frames: 11, from: otherKeyboard)
    #expect(merge([]).count == 1)
    input.setRelations([:])
    play(on(64), frames: 10, from: keyboard)
    play(on(64), frames: 11, from: otherKeyboard)
    #expect(merge([]).count == 2)
  }

  @Test func `a later listener knows which sources have a common origin`() {
    input.setRelations([LiveInput.Source(63): [keyboard], keyboard: [LiveInput.Source(63)]])
    let late = LiveInputConsumer(to: input, as: .host, sampleRate: 48_000, host: room)
    listener.end()
    late.begin()
    play(on(60), frames: 10, from: keyboard)
    play(on(60), frames: 11, from: LiveInput.Source(63))
    let cycle = RenderCycle(
      midi: MIDICycle(frames: 480), position: position, hostTime: now,
      output: UnsafePointer(output.pointers))
    #expect(late.events.pointee.merge(into: cycle, now: now + Self.cycle).events.count == 1)
  }

  @Test func `the host receives only what the keyboard played, for recording`() {
    play(on(60), frames: 100)
    play(.system(.clock), frames: 150)
    play(on(65), frames: 200)
    _ = merge([host(.noteOn, 60, at: 90), host(.noteOn, 50, at: 300)])
    let thru = listener.events.pointee.thru.map { Int($0.offset) }
    #expect(thru == [150, 200])
    _ = merge([host(.noteOn, 50, at: 300)])
    #expect(listener.events.pointee.thru.isEmpty)
  }

  @Test func `nothing is lost in a cycle with the largest number of events`() {
    for number in 0..<InputFIFO.capacity {
      #expect(input.send(on(UInt8(number % 128)), from: keyboard, at: now - Self.cycle))
    }
    let events = (0..<room.events).map { host(.controlChange, UInt8($0 % 128), at: 0) }
    #expect(merge(events).count == InputFIFO.capacity + room.events)
  }

  @Test
  func `the sounds of zones receive their events on their frames, apart from the port's unit`() {
    let input = LiveInput()
    let device = LiveInputConsumer(to: input, as: .device, sampleRate: 48_000)
    device.begin()
    func cycle() -> [Int] {
      let cycle = RenderCycle(
        midi: MIDICycle(frames: 480), position: position, hostTime: now,
        output: UnsafePointer(output.pointers))
      let merged = device.events.pointee.merge(into: cycle, now: now)
      position += 480
      return merged.events.map { Int($0.offset) }
    }
    var (low, high) = (Zone(), Zone())
    (low.keys, high.keys, high.sound) = (0...59, 60...127, 3)
    input.setZones([low, high])
    for _ in 0..<3 { #expect(cycle().isEmpty) }
    let time = now - Self.cycle + 1000
    for offset in [0, 1, 63, 64, 255, 479] {
      for key in [UInt8(50), 70] {
        input.send(on(key), from: keyboard, at: time + Int64(offset) * Self.cycle / 480)
      }
      input.send(.sysEx([7, 8, 9]), from: keyboard, at: time + Int64(offset) * Self.cycle / 480)
    }
    #expect(cycle() == [0, 0, 1, 1, 63, 63, 64, 64, 255, 255, 479, 479])
    let events = device.events.pointee.events(for: 3, frames: 480)
    let described = events.events.map { describe($0, events.sysEx) }
    #expect(
      described
        == [0, 1, 63, 64, 255, 479].flatMap { [[$0, 0x90, 70, 100], [$0, 0xF0, 7, 8, 9]] })
    #expect(device.events.pointee.events(for: 2, frames: 480).events.isEmpty)
    #expect(cycle().isEmpty)
    #expect(device.events.pointee.events(for: 3, frames: 480).events.isEmpty)
    device.end()
  }
}
