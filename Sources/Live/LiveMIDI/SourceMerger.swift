import RenderCore

/// Makes one player of several: the host and the keyboards that play one unit.
///
/// What a source holds, another does not end. Of keys see ``HeldKey``. A switch (sustain and the other controllers 64
/// to 69) is on while any source has it on. Settings are common to all: the last one holds. Messages that are for a
/// channel as a whole act so:
///
/// - All Notes Off (123) ends the notes of its source.
/// - Reset All Controllers (121) resets what is common, but not the switches that another source has on.
/// - All Sound Off (120), the mode messages 124 to 127, and System Exclusive that resets the instrument
///   act on everybody's notes: they are there to silence whatever sounds.
///
/// With a single source, every message passes as it came.
///
/// Realtime: yes. Allocates when it is made; ``destroy()`` must follow.
struct SourceMerger: BitwiseCopyable {
  /// One for each channel and key.
  private let keys: UnsafeMutablePointer<HeldKey>
  /// For each channel and switch, a bit for each source that has it on.
  private let switches: UnsafeMutablePointer<UInt64>
  /// What the instrument was told.
  private let chase: UnsafeMutablePointer<InstrumentChase>
  private let scratch: UnsafeMutablePointer<ChannelMessage>
  /// Frames within which strokes of one origin are the same.
  private let window: Int64

  private static var keyCount: Int { @_noLocks get { 16 * 128 } }
  private static var switchCount: Int { @_noLocks get { 16 * 6 } }
  private static var host: UInt64 { @_noLocks get { 1 } }

  /// The most messages that may be added to those of a cycle: an end for each key, and what resets each channel.
  /// Whatever more there is to end or to reset was begun or set by messages of that cycle, one for each.
  static var maximumAdded: Int { keyCount + 16 * ChannelChase.maximumMessages }

  init(sampleRate: Int) {
    keys = .allocate(capacity: Self.keyCount)
    keys.initialize(repeating: HeldKey(), count: Self.keyCount)
    switches = .allocate(capacity: Self.switchCount)
    switches.initialize(repeating: 0, count: Self.switchCount)
    chase = .allocate(capacity: 1)
    chase.initialize(to: InstrumentChase())
    scratch = .allocate(capacity: ChannelChase.maximumMessages)
    window = Int64(Double(sampleRate) * HeldKey.window)
  }

  func destroy() {
    keys.deallocate()
    switches.deallocate()
    chase.deallocate()
    scratch.deallocate()
  }

  /// Takes a message of a source.
  ///
  /// - Parameters:
  ///   - source: 0 for the host, else that of a ``LiveInput``.
  ///   - related: A bit for each source that has an origin in common with it.
  ///   - frame: On a scale that goes on from cycle to cycle; not before that of the message before.
  ///   - merged: Gets what is to be played and recorded.
  @_noLocks func take(
    _ message: ChannelMessage, from source: UInt8, related: UInt64, at frame: Int64,
    into merged: inout MergedEvents
  ) {
    let bit = UInt64(1) << UInt64(source & 63)
    let key = keys + Int(message.channel) * 128 + Int(message.data1)
    if message.startsNote {
      let passage = key.pointee.strike(by: bit, related: related, at: frame, window: window)
      pass(message, passage, into: &merged)
    } else if message.endsNote {
      pass(message, key.pointee.release(by: bit), into: &merged)
    } else if message.kind == .controlChange {
      takeController(message, from: bit, into: &merged)
    } else {
      pass(message, .everywhere, into: &merged)
    }
  }

  /// Takes a System Exclusive message of a source, which passes.
  @_noLocks func take(sysEx bytes: UnsafeBufferPointer<UInt8>, from source: UInt8) {
    guard HeldNotes.resetsAll(bytes) else { return }
    let bit = UInt64(1) << UInt64(source & 63)
    for index in 0..<Self.keyCount { keys[index].forget(bit) }
    for index in 0..<Self.switchCount { switches[index] &= ~bit }
    chase.pointee = InstrumentChase()
  }

  @_noLocks private func takeController(
    _ message: ChannelMessage, from source: UInt64, into merged: inout MergedEvents
  ) {
    switch message.data1 {
    case 64...69: turnSwitch(message, by: source, into: &merged)
    case 121: resetControllers(message, by: source, into: &merged)
    case 123: endNotes(message, of: source, into: &merged)
    case 120, 124...127:
      for key in 0..<128 { keys[Int(message.channel) * 128 + key].forget(source) }
      pass(message, .everywhere, into: &merged)
    default: pass(message, .everywhere, into: &merged)
    }
  }

  @_noLocks private func turnSwitch(
    _ message: ChannelMessage, by source: UInt64, into merged: inout MergedEvents
  ) {
    let holders = switches + Int(message.channel) * 6 + Int(message.data1 - 64)
    if message.data2 >= 64 {
      holders.pointee |= source
      pass(message, .everywhere, into: &merged)
    } else {
      holders.pointee &= ~source
      let others = holders.pointee
      let passage = Passage(isPlayed: others == 0, isRecorded: others & ~Self.host == 0)
      pass(message, passage, into: &merged)
    }
  }

  /// As it came, unless another source holds a key of the channel: then the source's keys are released one by one.
  @_noLocks private func endNotes(
    _ message: ChannelMessage, of source: UInt64, into merged: inout MergedEvents
  ) {
    let keys = keys + Int(message.channel) * 128
    var isShared = false
    for key in 0..<128 where keys[key].isHeld(byOthersThan: source) { isShared = true }
    if !isShared {
      for key in 0..<128 { keys[key].forget(source) }
      return pass(message, .everywhere, into: &merged)
    }
    for key in 0..<128 where keys[key].isHeld(by: source) {
      let end = ChannelMessage(.noteOff, channel: message.channel, UInt8(key), 64)
      pass(end, keys[key].release(by: source), into: &merged)
    }
  }

  /// As it came, unless another source has a switch of the channel on: then what is to be reset is set.
  @_noLocks private func resetControllers(
    _ message: ChannelMessage, by source: UInt64, into merged: inout MergedEvents
  ) {
    let holders = switches + Int(message.channel) * 6
    let hadSostenuto = holders[2] & source != 0
    var isShared = false
    for number in 0..<6 {
      holders[number] &= ~source
      if holders[number] != 0 { isShared = true }
    }
    if !isShared { return pass(message, .everywhere, into: &merged) }
    let before = chase.pointee[message.channel]
    var wanted = before
    wanted.follow(message)
    for number in 0..<6 where holders[number] != 0 {
      wanted.keepSwitch(UInt8(64 + number), of: before)
    }
    let count = wanted.writeDifference(from: before, channel: message.channel, to: scratch)
    for index in 0..<count { pass(scratch[index], .everywhere, into: &merged) }
    // Sostenuto is no setting that could be chased.
    if hadSostenuto, holders[2] == 0 {
      let end = ChannelMessage(.controlChange, channel: message.channel, 66, 0)
      pass(end, .everywhere, into: &merged)
    }
  }

  @_noLocks private func pass(
    _ message: ChannelMessage, _ passage: Passage, into merged: inout MergedEvents
  ) {
    if passage.isPlayed { chase.pointee.follow(message) }
    merged.append(.channel(message), passage)
  }
}
