import CFluidSynth
import CFluidSynthOverrides
import RenderCore
import Synchronization

/// The behavior of the loaded FluidSynth in those points in which versions differ.
///
/// It is measured and not derived from the version number, because distributions patch libraries without
/// changing the number. ``LibraryCapabilities`` covers behavior that may depend on sample rate or gain.
public struct LibraryProbe: Hashable, Sendable, BitwiseCopyable {
  /// How a note of an exclusive class ends the previous ones.
  var choke = Choke()
  /// Controller 38 enters data as controller 6 does. If not, it is only stored for the next controller 6.
  var acceptsDataEntryLSB = false
  /// Controller 38 alone enters a non-registered parameter 120/n, before controller 6 completes the value.
  var entersIncompleteParameters = false
  /// Registered parameter 0 has cents in addition to semitones.
  var hasBendRangeCents = false
  /// Non-registered parameters 127/0 to 127/26 have their AWE32 meaning.
  var hasAWE32Parameters = false
  /// The portamento pedal makes every note glide from the last key. If not, only legato notes.
  var glidesOnEveryNote = false
  /// The first controller 37 on any channel changes the meaning of portamento time on all channels.
  var hasPortamentoTimeModes = false
  /// Channels begin with tuning 0 of bank 0. If not, they begin without a tuning.
  var hasDefaultTuning = false
  /// The pointers to a synth's mix buffers are found; see ``MixPointers``.
  var hasMixPointers = false
  /// The pitch of voices is limited; see `pitch_limit_find`.
  var limitsPitch = false

  /// Whether a controller enters data: 6 always, 38 only with some libraries.
  @_noLocks func enters(data number: UInt8) -> Bool {
    if number == Controller.dataEntryLSB { return acceptsDataEntryLSB }
    return number == Controller.dataEntryMSB
  }

  /// Whether a controller may set generators of channels: data entry, and the reset of all controllers.
  @_noLocks func setsGenerators(_ number: UInt8) -> Bool {
    enters(data: number) || number == Controller.resetAll
  }

  private static let measured = Mutex<LibraryProbe?>(nil)

  /// Returns the probe of the loaded library. The first call takes half a millisecond. Realtime: no. Threads: any.
  ///
  /// - Throws: ``InstrumentError/outOfMemory``.
  public static func found() throws(InstrumentError) -> LibraryProbe {
    try measured.withLock { cached throws(InstrumentError) in
      if let cached { return cached }
      let memory = RenderMemory()
      defer { memory.release() }
      let probe = LibraryProbe(measuring: try ProbeSynth(in: memory))
      cached = probe
      return probe
    }
  }

  /// Returns the probe for an instrument. With the style `library`, everything reaches the library as it is.
  static func found(for style: BankStyle) throws(InstrumentError) -> LibraryProbe {
    var probe = try found()
    if case .library = style { probe.entersIncompleteParameters = false }
    return probe
  }

  init() {}

  private init(measuring synth: ProbeSynth) {
    limitsPitch = synth.limitsPitch
    choke = synth.choke()
    acceptsDataEntryLSB = synth.acceptsDataEntryLSB
    entersIncompleteParameters = synth.entersIncompleteParameters
    hasBendRangeCents = synth.hasBendRangeCents
    hasAWE32Parameters = synth.hasAWE32Parameters
    glidesOnEveryNote = synth.glidesOnEveryNote
    hasPortamentoTimeModes = portamento_time_mode_find()
    hasDefaultTuning = synth.hasDefaultTuning
    hasMixPointers = ProbeSynth.hasMixPointers
  }
}

extension LibraryProbe {
  /// The release times, in timecents, that FluidSynth gives a voice that it ends because of its exclusive class.
  struct Choke: Hashable, Sendable, BitwiseCopyable {
    /// `nil` if the release time is unchanged.
    var volumeRelease: Float?
    var modulationRelease: Float?
  }
}

extension LibraryProbe {
  /// A description of the measured behavior. Libraries that behave alike have equal traits.
  public var traits: [String] {
    var traits = [
      "choke volume \(Self.text(choke.volumeRelease)), modulation "
        + Self.text(choke.modulationRelease)
    ]
    if acceptsDataEntryLSB { traits.append("CC 38 enters data") }
    if entersIncompleteParameters { traits.append("CC 38 alone enters SoundFont NRPNs") }
    if hasBendRangeCents { traits.append("bend range in cents") }
    if hasAWE32Parameters { traits.append("AWE32 NRPNs") }
    if glidesOnEveryNote { traits.append("portamento on every note") }
    if hasPortamentoTimeModes { traits.append("portamento time modes") }
    if hasDefaultTuning { traits.append("default tuning") }
    if !hasMixPointers { traits.append("no shared mix buffers, which takes more processor time") }
    if !limitsPitch { traits.append("no limit of pitch, so that some SoundFonts take very long") }
    let engines = ReverbEngines.available
    if let standard = engines.standard {
      let others = engines.names.filter { $0 != standard }
      traits.append("reverb engines \(([standard] + others).joined(separator: " "))")
    }
    return traits
  }

  private static func text(_ release: Float?) -> String {
    release.map { "\(Int($0)) timecents" } ?? "unchanged"
  }
}
