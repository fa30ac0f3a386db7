import CFluidSynth
import CFluidSynthOverrides
import Synchronization

/// What the loaded FluidSynth does in those points in which its versions differ.
///
/// It is measured, and not concluded from the version's number, for distributions change libraries without
/// changing that. What a rate or a gain may change is in ``Footing``.
public struct LibraryProbe: Hashable, Sendable, BitwiseCopyable {
  /// How a note of an exclusive class ends those before it.
  var choke = Choke()
  /// Controller 38 enters data as controller 6 does; if not, it is only stored for the next 6.
  var acceptsDataEntryLSB = false
  /// Registered parameter 0 takes cents besides semitones.
  var hasBendRangeCents = false
  /// Non-registered parameters 127/0 to 127/26 set what they set on an AWE32.
  var hasAWE32Parameters = false
  /// The portamento pedal lets every note begin at the last one's key; if not, only legato notes.
  var glidesOnEveryNote = false
  /// The first controller 37 on any channel changes what portamento time means on all channels.
  var hasPortamentoTimeModes = false
  /// Channels begin with tuning 0 of bank 0; if not, with none.
  var hasDefaultTuning = false

  /// Whether a controller enters data: 6 always, 38 sometimes.
  @_noLocks func enters(data number: UInt8) -> Bool {
    if number == Controller.dataEntryLSB { return acceptsDataEntryLSB }
    return number == Controller.dataEntryMSB
  }

  private static let measured = Mutex<LibraryProbe?>(nil)

  /// Of the loaded library; it takes half a millisecond once. Realtime: no. Threads: any.
  ///
  /// - Throws: ``InstrumentError/outOfMemory``.
  public static func found() throws(InstrumentError) -> LibraryProbe {
    try measured.withLock { known throws(InstrumentError) in
      if let known { return known }
      let synth = try ProbeSynth()
      defer { synth.destroy() }
      let probe = LibraryProbe(measuring: synth)
      known = probe
      return probe
    }
  }

  init() {}

  private init(measuring synth: ProbeSynth) {
    choke = synth.choke()
    acceptsDataEntryLSB = synth.acceptsDataEntryLSB
    hasBendRangeCents = synth.hasBendRangeCents
    hasAWE32Parameters = synth.hasAWE32Parameters
    glidesOnEveryNote = synth.glidesOnEveryNote
    hasPortamentoTimeModes = portamento_time_mode_find()
    hasDefaultTuning = synth.hasDefaultTuning
  }
}

extension LibraryProbe {
  /// How FluidSynth ends a voice of an exclusive class: it gives it other releases, in timecents.
  struct Choke: Hashable, Sendable, BitwiseCopyable {
    /// `nil`: it stays as it was.
    var volumeRelease: Float?
    var modulationRelease: Float?
  }
}
