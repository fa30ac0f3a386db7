import RenderCore

/// Makes the units: one for each host, in the format that it asks for.
struct ArpeggioSource: RenderUnitSource {
  func makeUnit(_ format: Format) throws -> any RenderUnit { ArpeggioUnit(format) }
}

/// What is made and freed off the render thread.
final class ArpeggioUnit: RenderUnit, @unchecked Sendable {
  private let state: UnsafeMutablePointer<ArpeggioState>

  init(_ format: Format) {
    state = .allocate(capacity: 1)
    state.initialize(to: ArpeggioState(format))
  }

  deinit { state.deallocate() }

  var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderArpeggio) }
}

/// All that the render thread works on: which keys are down, and which of them sounds.
struct ArpeggioState {
  private let channels: Int
  private var beats: BeatFinder
  /// Of each key; 0: it is up.
  private var velocities = InlineArray<128, UInt8>(repeating: 0)
  private var sounding: UInt8?
  /// The key from which the next one up is looked for.
  private var last = 127

  init(_ format: Format) {
    channels = format.channels
    beats = BeatFinder(sampleRate: format.sampleRate)
    beats.divide(by: 4, at: 0)
  }

  @_noLocks mutating func render(_ cycle: RenderCycle) {
    for channel in 0..<channels {
      cycle.output[channel].update(repeating: 0, count: cycle.frames)
    }
    beats.begin(cycle)
    if cycle.transport.isEmpty { endNote(at: 0, cycle.midiOutput) }
    // From one happening to the next: so that each acts on its very frame.
    var walk = CycleSteps(cycle)
    var place = 0
    while let step = walk.next() {
      switch step {
      case .transport(let transport):
        beats.follow(transport, at: place)
        if !transport.advances { endNote(at: place, cycle.midiOutput) }
      case .event(let event):
        if case .channel(let message) = event.content { hold(message) }
      case .parameter: break
      case .frames(_, let end):
        while let beat = beats.next(before: end) { play(at: beat.frame, cycle.midiOutput) }
        place = end
      }
    }
  }

  @_noLocks private mutating func hold(_ message: ChannelMessage) {
    if message.startsNote {
      velocities[Int(message.data1)] = message.data2
    } else if message.endsNote {
      velocities[Int(message.data1)] = 0
    }
  }

  /// Goes on to the next key that is down.
  @_noLocks private mutating func play(at frame: Int, _ output: MIDIOutput) {
    endNote(at: frame, output)
    for step in 1...128 {
      let key = (last + step) % 128
      if velocities[key] == 0 { continue }
      let note = ChannelMessage(.noteOn, channel: 0, UInt8(key), velocities[key])
      if output.write(note, at: frame) { sounding = UInt8(key) }
      last = key
      return
    }
    // The next chord begins with its lowest key.
    last = 127
  }

  @_noLocks private mutating func endNote(at frame: Int, _ output: MIDIOutput) {
    guard let key = sounding else { return }
    // Where there is no room it is tried again, so that no note is left sounding.
    if output.write(ChannelMessage(.noteOff, channel: 0, key, 64), at: frame) { sounding = nil }
  }
}

/// What the render thread calls; the compiler proves that it neither allocates nor locks.
@_noLocks @c private func renderArpeggio(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: ArpeggioState.self).pointee.render(cycle.renderCycle)
  return false
}
