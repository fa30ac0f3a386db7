/// The engine's state of a MIDI channel: what its notes depend on, and how they affect each other.
struct Channel {
  let state: UnsafeMutablePointer<ChannelState>
  /// Changes with `state`. Unique, also among channels.
  var revision: UInt64 = 1

  /// Whether the channel receives messages; in some mono modes the neighbors of a channel are disabled.
  var isEnabled = true
  /// Whether a mode message made the channel monophonic.
  var isMonoMode = false
  /// The index of the lane that plays the channel's chain of legato notes; −1 if there is none.
  var chain: Int32 = -1

  /// The key of the last note, from which portamento may glide.
  var lastKey: UInt8 = 0
  var isLastKeyDown = false
  /// Whether portamento may begin at the last key after its release; only with a library that
  /// ``LibraryProbe/glidesOnEveryNote``.
  var isLastKeyKept = false

  /// The keys that are down of notes in the overflow.
  var overflowHeld = KeySet()
  /// Whether the last note in the overflow was monophonic.
  var isOverflowMono = false

  /// The preset whose samples were requested last.
  var requested = PresetNumber.unknown

  /// Whether data entry sets a non-registered parameter.
  var isNRPN = false
  /// The bank for the next tuning program change.
  var tuningBank: Int32 = 0
  /// The active tuning, if `state.tuning` is not 0.
  var tuning: PresetNumber

  init(_ library: LibraryProbe) {
    tuning = Self.firstTuning(library)
    state = .allocate(capacity: 1)
    state.initialize(to: ChannelState())
  }

  /// The tuning of a new channel.
  @_noLocks static func firstTuning(_ library: LibraryProbe) -> PresetNumber {
    library.hasDefaultTuning ? PresetNumber(bank: 0, program: 0) : .none
  }

  func destroy() { state.deallocate() }

  /// Whether notes form chains, because of the channel mode or the legato pedal.
  var isMono: Bool {
    @_noLocks get { isMonoMode || state.pointee.controllers[Int(Controller.legato)] >= 64 }
  }

  @_noLocks func isDown(_ pedal: UInt8) -> Bool { state.pointee.controllers[Int(pedal)] >= 64 }
}
