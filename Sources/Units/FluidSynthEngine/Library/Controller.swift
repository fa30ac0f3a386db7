/// The numbers of the controllers that the engine handles itself.
enum Controller {
  static var dataEntryMSB: UInt8 { @_noLocks get { 6 } }
  static var dataEntryLSB: UInt8 { @_noLocks get { 38 } }
  /// The lower 7 bits of the portamento time.
  static var portamentoTimeLSB: UInt8 { @_noLocks get { 37 } }
  static var sustain: UInt8 { @_noLocks get { 64 } }
  static var portamento: UInt8 { @_noLocks get { 65 } }
  static var sostenuto: UInt8 { @_noLocks get { 66 } }
  static var legato: UInt8 { @_noLocks get { 68 } }
  static var portamentoControl: UInt8 { @_noLocks get { 84 } }
  static var allSoundOff: UInt8 { @_noLocks get { 120 } }
  static var resetAll: UInt8 { @_noLocks get { 121 } }
  static var allNotesOff: UInt8 { @_noLocks get { 123 } }

  /// Whether a controller may affect a sounding voice. A lane gets no others: the engine handles legato and portamento.
  @_noLocks static func reachesVoices(_ number: UInt8) -> Bool {
    !isSilent(number) && number != portamento && number != legato && number != portamentoControl
  }

  /// Whether a controller only prepares a later message and so never affects a sounding voice: bank select,
  /// data entry, (N)RPN selection and the channel modes.
  @_noLocks static func isSilent(_ number: UInt8) -> Bool {
    switch number {
    case 0, 32, 6, 38, 96...101, 120...127: true
    default: false
    }
  }
}
