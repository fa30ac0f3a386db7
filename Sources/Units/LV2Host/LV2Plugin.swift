import CLilv
import LV2Atoms

/// An LV2 plugin, as its bundle describes it.
package struct LV2Plugin: Equatable, Sendable {
  package let uri: String
  package let name: String
  /// Who has made it, or the project; empty if unknown.
  package let maker: String
  /// The name of its class, such as "Reverb".
  package let category: String
  /// The path of its library; empty if unknown.
  package let binary: String
  package let kind: Kind
  /// Whether it promises to be fit for realtime: `lv2:hardRTCapable`.
  package let isHardRealtime: Bool
  let ports: [LV2Port]
  let properties: [LV2Property]
  /// Whether each call must render the same number of frames, a power of two.
  let needsBlocks: Bool
  /// Why it cannot be played; `nil` if it can.
  package let problem: String?

  /// What a plugin receives. Each kind sends audio.
  package enum Kind: String, Sendable {
    case instrument, effect, musicEffect, generator
  }

  package var audioInputs: Int { ports.count { $0.kind == .audioInput } }
  package var audioOutputs: Int { ports.count { $0.kind == .audioOutput } }

  /// The port that receives events: MIDI, the position of the song, and changes of properties.
  var eventPort: LV2Port? {
    let inputs = ports.filter { $0.kind == .atomInput }
    return inputs.first(where: \.hasMIDI) ?? inputs.first { $0.designation == LV2URI.control }
      ?? inputs.first
  }

  /// Whether it says its latency.
  package var hasLatency: Bool { latencyPort != nil }

  /// The port that says the latency.
  var latencyPort: LV2Port? {
    ports.first { $0.kind == .controlOutput && $0.designation == LV2URI.latency }
  }
}

/// The value that messages set, of those that a plugin lists as `patch:writable`.
struct LV2Property: Equatable, Sendable {
  let uri: String
  let name: String
  /// The URI of the type of the value.
  let range: String
  let values: LV2Values
}

/// A port of an LV2 plugin.
struct LV2Port: Equatable, Sendable {
  let index: Int
  let symbol: String
  let name: String
  let kind: Kind
  let values: LV2Values
  /// The name of its group; `nil` without one.
  let group: Group?
  /// The URI of what it is for; `nil` if it is for nothing in particular.
  let designation: String?
  /// Whether it is for MIDI, or for the position of the song.
  let hasMIDI, hasPosition: Bool
  /// The bytes that a buffer for it must have at least.
  let minimumSize: Int
  let isOptional: Bool

  enum Kind: Equatable, Sendable {
    case audioInput, audioOutput, controlInput, controlOutput, atomInput, atomOutput
    /// Control voltage: a signal that is a value.
    case voltage
    /// The events of an older version of LV2.
    case oldEvents
    case unknown
  }

  struct Group: Equatable, Sendable {
    let symbol: String
    let name: String
  }
}

/// The values that a port or a property may have.
struct LV2Values: Equatable, Sendable {
  var minimum: Float?
  var maximum: Float?
  var standard: Float?
  var isToggle = false
  var isInteger = false
  /// Whether it has no values but those of ``points``.
  var isEnumeration = false
  var isLogarithmic = false
  /// Whether its range is in parts of the sample rate.
  var isRelativeToRate = false
  /// The URI of the unit.
  var unit: String?
  /// The values that have names, in their order.
  var points: [Point] = []

  struct Point: Equatable, Sendable {
    let value: Float
    let name: String
  }
}
