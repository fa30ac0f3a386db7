import RenderCore

/// Merges the messages of several sources, the host and keyboards, that play one unit.
///
/// A source does not end what another source holds. For keys, see ``HeldKey``. A switch (sustain and the other
/// controllers 64 to 69) is on while any source has it on. All other settings are common: the last message counts.
/// **Law "notes end":** when a source ends, by ``end(_:into:)``, its keys and switches are released, and the wheels that it has
/// moved return to rest, or to the position at which another source has them.
///
/// Messages for a whole channel have these effects:
///
/// - All Notes Off (123) ends the notes of its source.
/// - Reset All Controllers (121) resets common settings, but not the switches that another source has on.
/// - All Sound Off (120), mode messages 124 to 127, and System Exclusive messages that reset the instrument affect the
///   notes of all sources, because their purpose is to silence everything.
///
/// With a single source, all messages pass unchanged.
///
/// Realtime: yes, except ``init(sampleRate:in:)``, which allocates.
struct SourceMerger: BitwiseCopyable {
  /// The state of each channel and key.
  private let keys: UnsafeMutablePointer<HeldKey>
  /// For each channel and switch, one bit for each source that has it on.
  private let switches: UnsafeMutablePointer<UInt64>
  /// The keys and controls of each source.
  private let sources: UnsafeMutablePointer<SourceState>
  /// The positions in the instrument.
  private let positions: UnsafeMutablePointer<ControlPositions>
  /// The settings of the instrument.
  private let chase: UnsafeMutablePointer<InstrumentChase>
  private let scratch: UnsafeMutablePointer<ChannelMessage>
  /// The number of frames within which note-ons of a common origin are the same.
  private let window: Int64

  private static var keyCount: Int { @_noLocks get { 16 * 128 } }
  private static var switchCount: Int { @_noLocks get { 16 * 6 } }
  private static var sourceCount: Int { @_noLocks get { 64 } }
  private static var host: UInt64 { @_noLocks get { 1 } }

  /// The maximum number of messages that merging may add to a cycle: one release for each key, and the messages that
  /// reset each channel, or bring what has been moved to rest. Each further release or reset corresponds to a message of
  /// the same cycle.
  static var maximumAdded: Int {
    keyCount + 16 * ChannelChase.maximumMessages + ControlPositions.maximumMessages
  }

  init(sampleRate: Int, in memory: RenderMemory) {
    keys = memory.make(Self.keyCount, of: HeldKey())
    switches = memory.make(Self.switchCount, of: 0)
    sources = memory.make(Self.sourceCount, of: SourceState())
    positions = memory.make(ControlPositions())
    chase = memory.make(InstrumentChase())
    scratch = memory.reserve(ChannelChase.maximumMessages)
    window = Int64(Double(sampleRate) * HeldKey.window)
  }

  /// Merges a channel message.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - source: 0 for the host, otherwise the number of a ``LiveInput/Source``.
  ///   - related: One bit for each source with an origin in common with `source`.
  ///   - frame: The frame of the message, counted across cycles; not before that of the previous message.
  ///   - merged: Receives the messages to play and to record.
  @_noLocks func merge(
    _ message: ChannelMessage, from source: UInt8, related: UInt64, at frame: Int64,
    into merged: inout MergedEvents
  ) {
    sources[Int(source & 63)].follow(message)
    route(message, from: source, related: related, at: frame, into: &merged)
  }

  /// Ends a source: releases its keys and switches, and brings what it has moved to rest, unless another source has it
  /// elsewhere.
  ///
  /// - Parameter source: 0 for the host, otherwise the number of a ``LiveInput/Source``.
  @_noLocks func end(_ source: UInt8, into merged: inout MergedEvents) {
    let state = sources + Int(source & 63)
    let before = state.pointee.positions
    while let message = state.pointee.popEnd() {
      if ControlPositions.areMoved(by: message) {
        end(message, of: source, from: before, into: &merged)
      } else {
        route(message, from: source, related: 0, at: 0, into: &merged)
      }
    }
  }

  /// The number of messages by which a source would end at most.
  func endCount(of source: UInt8) -> Int {
    var (state, count) = (sources[Int(source & 63)], 0)
    while state.popEnd() != nil { count += 1 }
    return count
  }

  /// Brings what a source has moved to rest, or where other sources have it.
  ///
  /// - Parameters:
  ///   - rest: The message that brings it to rest.
  ///   - before: The positions of the source.
  @_noLocks private func end(
    _ rest: ChannelMessage, of source: UInt8, from before: borrowing ControlPositions,
    into merged: inout MergedEvents
  ) {
    // If another source has moved it later, it stays there.
    let isElsewhere = !positions.pointee.isSame(as: before, for: rest)
    if let keyboard = position(like: rest, inSources: 1..<64, except: source) {
      if !isElsewhere { emit(keyboard, .everywhere, into: &merged) }
    } else if let host = position(like: rest, inSources: 0..<1, except: source) {
      if isElsewhere { return }
      emit(host, EventRoute(isPlayed: true, isRecorded: false), into: &merged)
      emit(rest, EventRoute(isPlayed: false, isRecorded: true), into: &merged)
    } else {
      emit(rest, .everywhere, into: &merged)
    }
  }

  @_noLocks private func position(
    like message: ChannelMessage, inSources numbers: Range<Int>, except source: UInt8
  ) -> ChannelMessage? {
    for number in numbers where number != Int(source) {
      if let position = sources[number].positions.position(like: message) { return position }
    }
    return nil
  }

  @_noLocks private func route(
    _ message: ChannelMessage, from source: UInt8, related: UInt64, at frame: Int64,
    into merged: inout MergedEvents
  ) {
    let bit = UInt64(1) << UInt64(source & 63)
    let key = keys + Int(message.channel) * 128 + Int(message.data1)
    if message.startsNote {
      let route = key.pointee.strike(by: bit, related: related, at: frame, window: window)
      emit(message, route, into: &merged)
    } else if message.endsNote {
      emit(message, key.pointee.release(by: bit), into: &merged)
    } else if message.kind == .controlChange {
      mergeController(message, from: bit, into: &merged)
    } else {
      emit(message, .everywhere, into: &merged)
    }
  }

  /// Updates the state from a System Exclusive message of a source. The message itself always passes unchanged.
  @_noLocks func follow(sysEx bytes: UnsafeBufferPointer<UInt8>, from source: UInt8) {
    guard SystemExclusive.resets(bytes) else { return }
    let bit = UInt64(1) << UInt64(source & 63)
    for index in 0..<Self.keyCount { keys[index].forget(bit) }
    for index in 0..<Self.switchCount { switches[index] &= ~bit }
    sources[Int(source & 63)].follow(sysEx: bytes)
    for index in 0..<Self.sourceCount { sources[index].resetPositions() }
    positions.pointee = ControlPositions()
    chase.pointee = InstrumentChase()
  }

  @_noLocks private func mergeController(
    _ message: ChannelMessage, from source: UInt64, into merged: inout MergedEvents
  ) {
    switch message.data1 {
    case 64...69: setSwitch(message, by: source, into: &merged)
    case 121: resetControllers(message, by: source, into: &merged)
    case 123: endNotes(message, of: source, into: &merged)
    case 120, 124...127:
      for key in 0..<128 { keys[Int(message.channel) * 128 + key].forget(source) }
      emit(message, .everywhere, into: &merged)
    default: emit(message, .everywhere, into: &merged)
    }
  }

  @_noLocks private func setSwitch(
    _ message: ChannelMessage, by source: UInt64, into merged: inout MergedEvents
  ) {
    let holders = switches + Int(message.channel) * 6 + Int(message.data1 - 64)
    if message.data2 >= 64 {
      holders.pointee |= source
      emit(message, .everywhere, into: &merged)
    } else {
      holders.pointee &= ~source
      let others = holders.pointee
      let route = EventRoute(isPlayed: others == 0, isRecorded: others & ~Self.host == 0)
      emit(message, route, into: &merged)
    }
  }

  /// Handles All Notes Off. It passes unchanged unless another source holds a key of the channel; then the keys of
  /// `source` are released one by one.
  @_noLocks private func endNotes(
    _ message: ChannelMessage, of source: UInt64, into merged: inout MergedEvents
  ) {
    let keys = keys + Int(message.channel) * 128
    var isShared = false
    for key in 0..<128 where keys[key].isHeld(byOthersThan: source) { isShared = true }
    if !isShared {
      for key in 0..<128 { keys[key].forget(source) }
      return emit(message, .everywhere, into: &merged)
    }
    for key in 0..<128 where keys[key].isHeld(by: source) {
      let end = ChannelMessage(.noteOff, channel: message.channel, UInt8(key), 64)
      emit(end, keys[key].release(by: source), into: &merged)
    }
  }

  /// Handles Reset All Controllers. It passes unchanged unless another source has a switch of the channel on; then the
  /// other settings are reset by single messages.
  @_noLocks private func resetControllers(
    _ message: ChannelMessage, by source: UInt64, into merged: inout MergedEvents
  ) {
    for index in 0..<Self.sourceCount { sources[index].resetPositions(of: message.channel) }
    let holders = switches + Int(message.channel) * 6
    let hadSostenuto = holders[2] & source != 0
    var isShared = false
    for number in 0..<6 {
      holders[number] &= ~source
      if holders[number] != 0 { isShared = true }
    }
    if !isShared { return emit(message, .everywhere, into: &merged) }
    let before = chase.pointee[message.channel]
    var wanted = before
    wanted.follow(message)
    for number in 0..<6 where holders[number] != 0 {
      wanted.keepSwitch(UInt8(64 + number), of: before)
    }
    let count = wanted.writeDifference(from: before, channel: message.channel, to: scratch)
    for index in 0..<count { emit(scratch[index], .everywhere, into: &merged) }
    // The chase does not include sostenuto.
    if hadSostenuto, holders[2] == 0 {
      let end = ChannelMessage(.controlChange, channel: message.channel, 66, 0)
      emit(end, .everywhere, into: &merged)
    }
  }

  @_noLocks private func emit(
    _ message: ChannelMessage, _ route: EventRoute, into merged: inout MergedEvents
  ) {
    if route.isPlayed {
      chase.pointee.follow(message)
      positions.pointee.follow(message)
    }
    merged.append(.channel(message), route)
  }
}
