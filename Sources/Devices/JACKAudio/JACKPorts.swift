import CJACK
import LiveAudio
import LocalSystem
import RenderCore

/// The ports of a JACK client.
struct JACKPorts: @unchecked Sendable, BitwiseCopyable {
  /// Left and right of each pair, one after the other.
  let outputs: UnsafeMutablePointer<OpaquePointer>
  let outputCount: Int
  /// `nil`: the client takes no MIDI.
  let midi: OpaquePointer?
  /// `nil`: the client sends no MIDI.
  let midiOutput: OpaquePointer?
  /// `nil`: the client takes no audio.
  let inputs: (left: OpaquePointer, right: OpaquePointer)?

  /// The names of the ports that are inputs.
  static let inputNames = ["midi_in", "in_left", "in_right"]

  /// The name of an output of a pair, such as `out_left` or `channel_1_right`.
  static func name(_ side: String, of pair: String) -> String { pair.symbol + "_" + side }

  /// Registers the outputs, and `midi_in`, `midi_out`, `in_left` and `in_right` as wanted.
  ///
  /// - Returns: `nil` if the server has no more ports.
  init?(
    _ jack: jack_library, of client: OpaquePointer, _ signals: GraphSignals,
    in memory: RenderMemory
  ) {
    func port(_ name: String, _ type: String, _ flags: JackPortFlags) -> OpaquePointer? {
      jack.port_register(client, name, type, UInt(flags.rawValue), 0)
    }
    outputCount = 2 * signals.outputPairs.count
    outputs = memory.reserve(outputCount)
    for (index, pair) in signals.outputPairs.enumerated() {
      for (side, name) in ["left", "right"].enumerated() {
        guard
          let output = port(Self.name(name, of: pair), JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput)
        else { return nil }
        (outputs + 2 * index + side).initialize(to: output)
      }
    }
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
