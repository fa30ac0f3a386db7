import CJACK
import LiveAudio

/// The ports of a JACK client.
struct JACKPorts: @unchecked Sendable, BitwiseCopyable {
  let left: OpaquePointer
  let right: OpaquePointer
  /// `nil`: the client takes no MIDI.
  let midi: OpaquePointer?
  /// `nil`: the client sends no MIDI.
  let midiOutput: OpaquePointer?
  /// `nil`: the client takes no audio.
  let inputs: (left: OpaquePointer, right: OpaquePointer)?

  /// The names of the ports that are outputs.
  static let outputNames = ["out_left", "out_right", "midi_out"]

  /// Registers the ports `out_left` and `out_right`, and `midi_in`, `midi_out`, `in_left` and `in_right` as wanted.
  ///
  /// - Returns: `nil` if the server has no more ports.
  init?(_ jack: jack_library, of client: OpaquePointer, _ signals: GraphSignals) {
    func port(_ name: String, _ type: String, _ flags: JackPortFlags) -> OpaquePointer? {
      jack.port_register(client, name, type, UInt(flags.rawValue), 0)
    }
    guard let left = port("out_left", JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput),
      let right = port("out_right", JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput)
    else { return nil }
    (self.left, self.right) = (left, right)
    if signals.takesMIDI {
      guard let midi = port("midi_in", JACK_DEFAULT_MIDI_TYPE, JackPortIsInput) else { return nil }
      self.midi = midi
    } else {
      midi = nil
    }
    if signals.sendsMIDI {
      guard let midi = port("midi_out", JACK_DEFAULT_MIDI_TYPE, JackPortIsOutput) else {
        return nil
      }
      midiOutput = midi
    } else {
      midiOutput = nil
    }
    if signals.takesAudio {
      guard let left = port("in_left", JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput),
        let right = port("in_right", JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput)
      else { return nil }
      self.inputs = (left, right)
    } else {
      self.inputs = nil
    }
  }

  typealias Buffers = (left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>)

  /// The samples of the inputs in this cycle; `nil` without inputs.
  ///
  /// Realtime: yes, on JACK's thread.
  @_noLocks func inputs(frames: Int) -> Buffers? {
    guard let inputs, let left = cjack_buffer(inputs.left, UInt32(frames)),
      let right = cjack_buffer(inputs.right, UInt32(frames))
    else { return nil }
    return (left, right)
  }
}
