/// The settings of the sixteen channels of an instrument; see ``ChannelChase``. With System Exclusive that makes parts play
/// other channels, they are the settings of the parts.
///
/// Realtime: yes, where nothing else is said.
package struct InstrumentChase: BitwiseCopyable, Sendable {
  private var channels = InlineArray<16, ChannelChase>(repeating: ChannelChase())
  /// The settings by System Exclusive, apart from those that channel messages make as well.
  fileprivate var module = ModuleSettings()

  @_noLocks package init() {}

  package subscript(channel: UInt8) -> ChannelChase {
    @_noLocks get { channels[Int(channel & 15)] }
  }

  /// Updates the settings from a channel message.
  @_noLocks package mutating func follow(_ message: ChannelMessage) {
    var parts = module.parts(playing: message.channel)
    while parts != 0 {
      channels[parts.trailingZeroBitCount].follow(message)
      parts &= parts - 1
    }
  }

  /// Updates the settings from a System Exclusive message of GM, GM2, GS or XG. Messages of the MIDI tuning standard are
  /// ignored.
  ///
  /// - Parameter bytes: Without F0 and F7.
  @_noLocks package mutating func follow(sysEx bytes: UnsafeBufferPointer<UInt8>) {
    var message = SystemExclusive(bytes)
    while let meaning = message.next() {
      if case .reset(let system) = meaning {
        self = InstrumentChase()
        channels[9].controllers[0] = system.rhythmBank ?? 0
        channels[9].bank = ControllerPair(coarse: system.rhythmBank ?? 0, fine: 0)
      }
      module.follow(meaning)
      var index = 0
      while let message = meaning.message(index, in: module.system) {
        channels[Int(message.channel)].follow(message)
        index += 1
      }
    }
  }

  /// The messages that bring an instrument from the settings of `other` to these settings; see ``ChaseSteps``.
  ///
  /// Realtime: no.
  package func difference(from other: InstrumentChase) -> [MIDIContent] {
    ChaseSteps(from: other).messages(to: self)
  }

  /// Calls `send` with each channel message that brings an instrument from the settings of `other` to these settings.
  ///
  /// Realtime: no.
  package func difference(from other: InstrumentChase, _ send: (ChannelMessage) -> Void) {
    let steps = ChaseSteps(from: other, channelsOnly: true)
    for case .channel(let message) in steps.messages(to: self) { send(message) }
  }

  /// The messages that bring a new instrument to the settings that messages have made, without keys and switches.
  ///
  /// Realtime: no.
  package var settings: [MIDIContent] { ChaseSteps().messages(to: self) }
}

/// The steps that bring an instrument from some settings to others: System Exclusive messages, of which the first is a
/// reset, and channel messages.
///
/// Realtime: yes, except ``messages(to:)``.
package struct ChaseSteps: BitwiseCopyable {
  package enum Step: BitwiseCopyable {
    /// Without F0 and F7, in the memory that was passed.
    case sysEx(UnsafeBufferPointer<UInt8>)
    /// In the memory that was passed.
    case channel(UnsafeBufferPointer<ChannelMessage>)
  }

  /// The settings that the instrument has after the previous steps.
  private var present: InstrumentChase
  /// Whether channels receive what messages have set, also where a new instrument has the same setting, but no switches.
  private let areAllSet: Bool
  /// Counts the System Exclusive messages, the channels, and the parts that play other channels.
  private var next = -1

  /// Steps to all settings that messages have made, without switches, for an instrument that is new.
  @_noLocks package init() {
    present = InstrumentChase()
    areAllSet = true
  }

  /// Steps to other settings.
  ///
  /// - Parameter channelsOnly: Leaves the settings by System Exclusive as they are.
  @_noLocks package init(from present: InstrumentChase, channelsOnly: Bool = false) {
    self.present = present
    areAllSet = false
    if channelsOnly { next = ModuleSettings.messageCount }
  }

  /// Returns the next step to the wanted settings; `nil` after the last.
  ///
  /// - Parameters:
  ///   - messages: Room for ``ChannelChase/maximumMessages``.
  ///   - bytes: Room for ``ShortSysEx/capacity``.
  @_noLocks package mutating func step(
    to wanted: borrowing InstrumentChase, _ messages: UnsafeMutablePointer<ChannelMessage>,
    _ bytes: UnsafeMutablePointer<UInt8>
  ) -> Step? {
    let module = wanted.module
    let channels = ModuleSettings.messageCount
    if next < 0 {
      // While parts play their own channels, a message of a channel reaches the part of the same number only.
      next = module.isSame(as: present.module) && !module.routes ? channels : 0
    }
    while next < channels + 32 {
      let index = next
      next += 1
      if index < channels {
        if let message = module.message(index) {
          let bytes = message.copy(to: bytes)
          present.follow(sysEx: bytes)
          return .sysEx(bytes)
        }
      } else if index < channels + 16 {
        let channel = UInt8(index - channels)
        let count =
          areAllSet
          ? wanted[channel].writeSettings(channel: channel, to: messages)
          : wanted[channel].writeDifference(from: present[channel], channel: channel, to: messages)
        if count > 0 { return .channel(UnsafeBufferPointer(start: messages, count: count)) }
      } else if let message = module.routing(UInt8(index - channels - 16)) {
        return .sysEx(message.copy(to: bytes))
      }
    }
    return nil
  }

  /// All messages.
  ///
  /// Realtime: no.
  func messages(to wanted: InstrumentChase) -> [MIDIContent] {
    var (steps, result) = (self, [MIDIContent]())
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: ShortSysEx.capacity)
    let messages = UnsafeMutablePointer<ChannelMessage>.allocate(
      capacity: ChannelChase.maximumMessages)
    defer {
      bytes.deallocate()
      messages.deallocate()
    }
    while let step = steps.step(to: wanted, messages, bytes) {
      switch step {
      case .sysEx(let bytes): result.append(.sysEx(Array(bytes)))
      case .channel(let messages): result += messages.map { .channel($0) }
      }
    }
    return result
  }
}
