extension SystemExclusive {
  /// The rules by which a reset makes an instrument play.
  package enum System: UInt8, Sendable, BitwiseCopyable {
    case gm, gm2, gs, xg
  }

  /// The request of one parameter of a message. Parts are numbered from 0 to 15, as channels.
  ///
  /// Levels, times, rates and depths of effects are multiples of the initial ones.
  package enum Meaning: BitwiseCopyable {
    /// Restore the initial state and follow the rules of a system.
    case reset(System)
    /// Follow the instrument's own rules again.
    case leaveGM
    /// 0…1: position of the control, not gain.
    case masterVolume(Float)
    /// 0…1: the part of the volume's range that is taken away.
    case masterAttenuation(Float)
    /// −1 (left)…1 (right).
    case masterBalance(Float)
    case masterTuning(cents: Float)
    /// Semitones: −24…24. Not for rhythm parts.
    case masterKeyShift(Int8)
    /// As the controller of the part's channel.
    case controller(part: UInt8, number: UInt8, UInt8)
    /// - bank: Controller 0; `nil` keeps it.
    case program(part: UInt8, bank: UInt8?, program: UInt8)
    case bendRange(part: UInt8, semitones: UInt8)
    case mono(part: UInt8, isMono: Bool)
    case rhythm(part: UInt8, isRhythm: Bool)
    /// - channel: The MIDI channel that the part plays; `nil`: none.
    case receiveChannel(part: UInt8, channel: UInt8?)
    /// Semitones: −24…24. Not for rhythm parts.
    case partKeyShift(part: UInt8, Int8)
    case partTuning(part: UInt8, cents: Float)
    /// - note: 0 (C)…11 (B).
    case scale(part: UInt8, note: UInt8, cents: Int8)
    /// 0: no reverb.
    case reverbTime(Float)
    case reverbLevel(Float)
    case chorusMotion(rate: Float, depth: Float)
    case chorusRate(Float)
    case chorusDepth(Float)
    case chorusLevel(Float)
    /// A message of the MIDI tuning standard.
    case tuning
    /// The parameter has no effect here.
    case nothing
  }

  /// The kinds of messages. The raw value names the kind in reports.
  package enum Kind: String, CaseIterable, Sendable, BitwiseCopyable {
    case gmOn = "GM system on"
    case gmOff = "GM system off"
    case gm2On = "GM2 system on"
    case gsReset = "GS reset"
    case sc88Mode = "SC-88 system mode"
    case xgOn = "XG system on"
    case xgReset = "XG all parameter reset"
    case masterVolume = "master volume"
    case masterBalance = "master balance"
    case masterTuning = "master tuning"
    case effect = "reverb or chorus parameter"
    case insertionEffect = "delay, variation or insertion effect"
    case tuning = "MIDI tuning"
    case rhythmPart = "use of a part for rhythm"
    case receiveChannel = "receive channel of a part"
    case partProgram = "program of a part"
    case partMode = "mono or poly mode of a part"
    case partLevel = "level of a part"
    case partPan = "pan of a part"
    case partSend = "effect send of a part"
    case partKeyShift = "key shift of a part"
    case partTuning = "tuning of a part"
    case scaleTuning = "scale tuning of a part"
    case bendRange = "pitch bend range of a part"
    case soundShape = "vibrato, filter or envelope of a part"
    case partSetting = "other setting of a part"
    case controllerDestination = "controller destination"
    case keyControl = "key-based controller"
    case drumSetup = "drum set-up"
    case secondBlock = "GS part 17 to 32"
    case gsSystem = "other GS setting"
    case xgSystem = "other XG setting"
    case display = "display text or picture"
    case mt32 = "MT-32 message"
    case roland = "other Roland message"
    case yamaha = "other Yamaha message"
    case identity = "request for data or identity"
    case timeCode = "time code or machine control"
    case universal = "other universal message"
    case other = "message of another manufacturer"
  }
}
