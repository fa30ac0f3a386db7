package import RenderCore

/// Follows the messages of a song without playing them, and tells what notes of a channel are asked to play.
///
/// It chooses presets as an instrument does, except that it knows no SoundFont, and that it takes the style `library` for
/// `gs`. Realtime: no.
package final class PartFollower {
  private let memory = RenderMemory()
  private var module: SoundModule

  package init(_ style: BankStyle) {
    module = SoundModule(style == .library ? .gs : style, in: memory)
  }

  deinit { memory.release() }

  /// What a part plays.
  package struct Sound: Hashable, Sendable {
    /// 0…128; 128 for rhythm.
    package let bank: Int
    package let program: Int
    package let isRhythm: Bool
  }

  /// The sound of the first part that plays a channel: of the part of its number, if no message has routed it.
  package func sound(of channel: UInt8) -> Sound {
    let parts = module.parts(playing: channel)
    let part = parts == 0 ? channel : UInt8(parts.trailingZeroBitCount)
    let preset = module.requested(of: part)
    return Sound(
      bank: Int(preset.bank), program: Int(preset.program), isRhythm: module.isRhythm(part))
  }

  package func follow(_ message: ChannelMessage) {
    let parts = module.parts(playing: message.channel)
    for part in UInt8(0)..<16 where parts & 1 << UInt16(part) != 0 {
      module.followSelection(
        ChannelMessage(message.kind, channel: part, message.data1, message.data2))
    }
  }

  /// - Parameter sysEx: The bytes without F0 and F7.
  /// - Returns: Whether the message resets the module.
  @discardableResult
  package func follow(sysEx: UnsafeBufferPointer<UInt8>) -> Bool {
    var message = SystemExclusive(sysEx)
    var isReset = false
    while let meaning = message.next() {
      if case .reset = module.follow(meaning) { isReset = true }
      var index = 0
      while let message = module.message(index, of: meaning) {
        module.followSelection(message)
        index += 1
      }
    }
    return isReset
  }

  /// The controllers 0 and 32 that choose a bank in the present style. The rhythm parts choose theirs by other messages.
  package func bankSelect(_ bank: UInt8, of channel: UInt8) -> (coarse: UInt8, fine: UInt8) {
    module.bankSelect(bank, of: channel)
  }
}
