/// The engine's state of a MIDI channel: what its notes depend on, and how they affect each other.
struct Channel {
  var state = ChannelState()

  /// Whether the channel receives messages; in some mono modes the neighbors of a channel are disabled.
  var isEnabled = true
  /// Whether a mode message made the channel monophonic.
  var isMonoMode = false
  var keys = LegatoKeys()

  /// The keys that are down of notes in the overflow.
  var overflowHeld = KeySet()
  /// Whether the last note in the overflow was monophonic.
  var isOverflowMono = false

  /// The bank for the next tuning program change.
  var tuningBank: Int32 = 0
  /// The active tuning, if `state.tuning` is not 0.
  var tuning: PresetNumber

  init(_ library: LibraryProbe) {
    tuning = Self.firstTuning(library)
  }

  /// The tuning of a new channel.
  @_noLocks static func firstTuning(_ library: LibraryProbe) -> PresetNumber {
    library.hasDefaultTuning ? PresetNumber(bank: 0, program: 0) : .none
  }

  /// After a system reset of `synth`, which ends all notes.
  @_noLocks mutating func reset(_ synth: OpaquePointer, channel: Int32, _ library: LibraryProbe) {
    state.readAfterSystemReset(synth, channel: channel)
    state.isPortamentoTimeLinear = false
    tuning = Self.firstTuning(library)
    tuningBank = 0
    isEnabled = true
    isMonoMode = false
    keys = LegatoKeys()
    overflowHeld.removeAll()
  }

  /// After the end of all notes.
  @_noLocks mutating func forgetNotes() {
    keys.releaseAll(isPortamento: isDown(Controller.portamento))
    overflowHeld.removeAll()
  }

  /// Whether notes form chains, because of the channel mode or the legato pedal.
  var isMono: Bool {
    @_noLocks get { isMonoMode || isDown(Controller.legato) }
  }

  @_noLocks func isDown(_ pedal: UInt8) -> Bool { state.controllers[Int(pedal)] >= 64 }
}

/// A set of keys, 0…127.
struct KeySet: Equatable, BitwiseCopyable {
  private var keys: UInt128 = 0

  @_noLocks init() {}

  var isEmpty: Bool { @_noLocks get { keys == 0 } }

  @_noLocks func contains(_ key: UInt8) -> Bool { keys & Self.bit(key) != 0 }

  @_noLocks mutating func insert(_ key: UInt8) { keys |= Self.bit(key) }

  @_noLocks mutating func remove(_ key: UInt8) { keys &= ~Self.bit(key) }

  @_noLocks mutating func removeAll() { keys = 0 }

  @_noLocks private static func bit(_ key: UInt8) -> UInt128 { 1 &<< UInt128(key) }
}
