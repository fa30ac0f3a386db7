import RenderCore

/// Creates a unit for each host, in the format that the host requests.
struct ArpeggioSource: RenderUnitSource {
  func makeUnit(_ format: Format) throws -> any RenderUnit { ArpeggioUnit(format) }
}

/// The unit. Allocates and frees the state outside the render thread.
final class ArpeggioUnit: RenderUnit, @unchecked Sendable {
  private let state: UnsafeMutablePointer<ArpeggioState>

  init(_ format: Format) {
    state = .allocate(capacity: 1)
    state.initialize(to: ArpeggioState(format))
  }

  deinit { state.deallocate() }

  var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderArpeggio) }
}

/// The state of the render thread: the pressed keys, and the key that sounds.
struct ArpeggioState {
  private let channels: Int
  private var beats: BeatFinder
  /// The velocity of each key; 0 if the key is not pressed.
  private var velocities = InlineArray<128, UInt8>(repeating: 0)
  private var soundingKey: UInt8?
  /// The key that was played last. The search for the next key starts above it.
  private var lastKey = 127

  init(_ format: Format) {
    channels = format.outputChannels
    beats = BeatFinder(sampleRate: format.sampleRate)
    beats.divide(by: 4, at: 0)
  }

  @_noLocks mutating func render(_ cycle: RenderCycle) {
    for channel in 0..<channels {
      cycle.output[channel].update(repeating: 0, count: cycle.frames)
    }
    beats.begin(cycle)
    if cycle.transport.isEmpty { endNote(at: 0, cycle.midiOutput) }
    // The steps split the cycle at each event, so that every event acts on its frame.
    var steps = CycleSteps(cycle)
    var position = 0
    while let step = steps.next() {
      switch step {
      case .transport(let transport):
        beats.follow(transport, at: position)
        if !transport.advances { endNote(at: position, cycle.midiOutput) }
      case .event(let event):
        if case .channel(let message) = event.content { updateKey(message) }
      case .parameter: break
      case .frames(_, let end):
        while let beat = beats.next(before: end) { playNextKey(at: beat.frame, cycle.midiOutput) }
        position = end
      }
    }
  }

  @_noLocks private mutating func updateKey(_ message: ChannelMessage) {
    if message.startsNote {
      velocities[Int(message.data1)] = message.data2
    } else if message.endsNote {
      velocities[Int(message.data1)] = 0
    }
  }

  /// Plays the next higher pressed key, or the lowest after the highest.
  @_noLocks private mutating func playNextKey(at frame: Int, _ output: MIDIOutput) {
    endNote(at: frame, output)
    for step in 1...128 {
      let key = (lastKey + step) % 128
      if velocities[key] == 0 { continue }
      let note = ChannelMessage(.noteOn, channel: 0, UInt8(key), velocities[key])
      if output.write(note, at: frame) { soundingKey = UInt8(key) }
      lastKey = key
      return
    }
    // No key is pressed: the next chord starts with its lowest key.
    lastKey = 127
  }

  @_noLocks private mutating func endNote(at frame: Int, _ output: MIDIOutput) {
    guard let key = soundingKey else { return }
    // If the output is full, the note-off is written later, so that the note does not hang.
    if output.write(ChannelMessage(.noteOff, channel: 0, key, 64), at: frame) { soundingKey = nil }
  }
}

/// The function that the render thread calls. `@_noLocks` makes the compiler check that it neither allocates nor locks.
@_noLocks private func renderArpeggio(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: ArpeggioState.self).pointee.render(cycle.renderCycle)
  return false
}
