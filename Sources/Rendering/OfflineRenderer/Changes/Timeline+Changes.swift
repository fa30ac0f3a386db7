import FluidSynthEngine
import MIDIFile
import RenderCore

extension Timeline {
  /// Returns the song with changed messages. Its tempo is changed before; see ``SongChanges/speed(of:)``.
  ///
  /// - Parameter style: How the instrument chooses presets, by which parts are named and rhythm parts known.
  /// - Throws: ``RenderError/change(_:)`` if a part does not exist or a note would leave the range of keys.
  func changed(by changes: SongChanges, style: BankStyle) throws(RenderError) -> Timeline {
    guard changes.changesMessages else { return self }
    var writer = ChangeWriter(self, changes, style)
    try writer.run()
    return writer.changed
  }
}

/// Applies the changes to one event after the other.
private struct ChangeWriter {
  private let song: Timeline
  private let changes: SongChanges
  private let velocity: VelocityCurve
  private let followers: [PartFollower]
  private(set) var changed: Timeline
  /// The semitones by which the last note of each port, channel and key was moved.
  private var shifts: [Int8]
  private let selectors: [(part: SongPart, isMuting: Bool)]
  private var hasMatched: [Bool]
  /// The sounds of the song, for messages, in their order.
  private var sounds: [NamedSound] = []
  /// The lowest and highest key that is moved.
  private var keys: ClosedRange<Int>?
  /// The number of the next note in the file.
  private var number: Int32 = 0
  private var mover: NoteMover
  /// For each port, channel and key, whether the last note was left out at random.
  private var isDropped: [Bool]
  /// The places in the events of the notes of ``Timeline/writtenNotes``.
  private var notePlaces: [Int] = []

  private struct NamedSound: Equatable {
    var port: UInt8
    var channel: UInt8
    var name: String
    var isRhythm: Bool
  }

  init(_ song: Timeline, _ changes: SongChanges, _ style: BankStyle) {
    self.song = song
    self.changes = changes
    velocity = changes.velocity.curve
    followers = song.ports.map { _ in PartFollower(style) }
    mover = NoteMover(
      changes.variation, sampleRate: song.sampleRate, ports: song.ports.count)
    shifts = Array(repeating: 0, count: song.ports.count * 16 * 128)
    isDropped = Array(repeating: false, count: shifts.count)
    selectors = changes.only.map { ($0, false) } + changes.muted.map { ($0, true) }
    hasMatched = selectors.map { _ in false }
    changed = song
    changed.events = []
    changed.events.reserveCapacity(song.events.count)
    if !selectors.isEmpty || changes.variation.drop > 0 || mover.moves { changed.writtenNotes = [] }
    changed.transposeKeys(by: changes.transposition)
  }

  mutating func run() throws(RenderError) {
    for port in song.ports.indices { select(port: UInt8(port), frame: 0, track: 0) }
    for event in song.events {
      switch event.message {
      case .sysEx(let range):
        changed.events.append(event)
        let isReset = song.bytes(of: range).withUnsafeBufferPointer {
          followers[Int(event.port)].follow(sysEx: $0)
        }
        if isReset { select(port: event.port, frame: event.frame, track: event.track) }
      case .channel(let message): handle(message, event)
      }
    }
    if mover.moves { sort() }
    try check()
  }

  /// Sorts the events after notes were moved. Those of a frame stay in their order.
  private mutating func sort() {
    let order = changed.events.indices.sorted {
      (changed.events[$0].frame, $0) < (changed.events[$1].frame, $1)
    }
    let numbers = changed.writtenNotes ?? []
    var places: [Int: Int32] = [:]
    for (place, number) in zip(notePlaces, numbers) { places[place] = number }
    changed.writtenNotes = order.compactMap { places[$0] }
    changed.events = order.map { [events = changed.events] in events[$0] }
    changed.endFrame = max(changed.endFrame, changed.lastEventFrame ?? 0)
  }

  private mutating func handle(_ message: ChannelMessage, _ event: Timeline.Event) {
    switch message.kind {
    case .programChange where changes.programs.last(of: message.channel, event.port) != nil: return
    case .controlChange
    where message.data1 % 32 == 0 && message.data1 <= 32
      && changes.programs.last(of: message.channel, event.port) != nil:
      return
    case .controlChange where message.data1 == 7:
      let volume =
        changes.levels.last(of: message.channel, event.port)?.volume(message.data2) ?? message.data2
      append(message, key: 7, volume, event)
    case .controlChange where message.data1 == 10:
      let pan =
        changes.pans.last(of: message.channel, event.port)?.pan(message.data2) ?? message.data2
      append(message, key: 10, pan, event)
    case .noteOn where message.startsNote: start(message, event)
    case .noteOn, .noteOff, .keyPressure:
      let index = index(message, event.port)
      // The end of a note that is left out must not end another one.
      if isDropped[index] {
        if message.kind != .keyPressure { isDropped[index] = false }
        return
      }
      let frame = mover.move(
        key: index, at: event.frame, isEnd: message.kind != .keyPressure,
        place: changed.events.count)
      append(message, key: Int(message.data1) + Int(shifts[index]), message.data2, event, at: frame)
    case .controlChange, .programChange, .channelPressure, .pitchBend:
      if message.kind == .programChange {
        mover.changeProgram(ofPlace: Int(event.port) * 16 + Int(message.channel), at: event.frame)
      }
      followers[Int(event.port)].follow(message)
      changed.events.append(event)
    }
  }

  private mutating func start(_ message: ChannelMessage, _ event: Timeline.Event) {
    let sound = followers[Int(event.port)].sound(of: message.channel)
    defer { number += 1 }
    let index = index(message, event.port)
    isDropped[index] = changes.variation.drops(number)
    guard plays(message, event, sound), !isDropped[index] else {
      changed.tracks[Int(event.track)].noteCount -= 1
      return
    }
    if changed.writtenNotes != nil {
      changed.writtenNotes?.append(number)
      notePlaces.append(changed.events.count)
    }
    let shift = sound.isRhythm ? 0 : changes.transposition
    var key = Int(message.data1)
    if shift != 0 {
      keys = keys.map { min($0.lowerBound, key)...max($0.upperBound, key) } ?? key...key
      key += shift
    }
    // A key that leaves the range is reported at the end.
    shifts[index] = Int8(clamping: shift)
    let frame = mover.begin(number, key: index, at: event.frame, &changed.events)
    append(message, key: key, velocity[message.data2], event, at: frame)
  }

  private mutating func append(
    _ message: ChannelMessage, key: Int, _ value: UInt8, _ event: Timeline.Event,
    at frame: Int64? = nil
  ) {
    let message = ChannelMessage(
      message.kind, channel: message.channel, UInt8(max(0, min(127, key))), value)
    changed.events.append(
      Timeline.Event(
        frame: frame ?? event.frame, track: event.track, port: event.port, .channel(message)))
  }

  private func index(_ message: ChannelMessage, _ port: UInt8) -> Int {
    (Int(port) * 16 + Int(message.channel)) * 128 + Int(message.data1)
  }

  // Programs.

  /// The volume and the pan of a channel without a message.
  private static let standardVolume: UInt8 = 100
  private static let middle: UInt8 = 64

  /// Selects the presets, the volumes and the pans of a port, at the start and after resets.
  private mutating func select(port: UInt8, frame: Int64, track: Int32) {
    let follower = followers[Int(port)]
    for channel in UInt8(0)..<16 {
      let volume = changes.levels.last(of: channel, port)?.volume(Self.standardVolume)
      let pan = changes.pans.last(of: channel, port)?.pan(Self.middle)
      for (number, value) in [(7, volume), (10, pan)] as [(UInt8, UInt8?)] {
        guard let value else { continue }
        let message = ChannelMessage(.controlChange, channel: channel, number, value)
        changed.events.append(
          Timeline.Event(frame: frame, track: track, port: port, .channel(message)))
      }
      guard let program = changes.programs.last(of: channel, port) else { continue }
      let bank = follower.bankSelect(program.bank, of: channel)
      for message in [
        ChannelMessage(.controlChange, channel: channel, 0, bank.coarse),
        ChannelMessage(.controlChange, channel: channel, 32, bank.fine),
        ChannelMessage(.programChange, channel: channel, program.program),
      ] {
        follower.follow(message)
        changed.events.append(
          Timeline.Event(frame: frame, track: track, port: port, .channel(message)))
      }
    }
  }

  // Parts.

  private mutating func plays(
    _ message: ChannelMessage, _ event: Timeline.Event, _ sound: PartFollower.Sound
  ) -> Bool {
    if selectors.isEmpty { return true }
    let name = sound.isRhythm ? "Drums" : GeneralMIDI.programs[sound.program]
    let named = NamedSound(
      port: event.port, channel: message.channel, name: name, isRhythm: sound.isRhythm)
    if !sounds.contains(named) { sounds.append(named) }
    var (isChosen, isMuted) = (changes.only.isEmpty, false)
    for (index, selector) in selectors.enumerated()
    where matches(selector.part, message, event, named) {
      hasMatched[index] = true
      if selector.isMuting { isMuted = true } else { isChosen = true }
    }
    return isChosen && !isMuted
  }

  private func matches(
    _ part: SongPart, _ message: ChannelMessage, _ event: Timeline.Event, _ sound: NamedSound
  ) -> Bool {
    switch part {
    case .channel(let channel, let port):
      return message.channel == channel && (port ?? Int(event.port)) == Int(event.port)
    case .track(let track): return Int(event.track) == track
    case .named(let wanted):
      let wanted = wanted.lowercased()
      // Steel Drums are a melody.
      if wanted == "drums" { return sound.isRhythm }
      return sound.name.lowercased().contains(wanted)
        || song.tracks[Int(event.track)].name?.lowercased().contains(wanted) == true
    }
  }

  // Errors.

  private func check() throws(RenderError) {
    if let missing = hasMatched.firstIndex(of: false) {
      throw .change("\(selectors[missing].part) has no notes: it has \(list)")
    }
    for port in changes.programs.map(\.port) + changes.pans.map(\.port) {
      if let port, port >= song.ports.count {
        throw .change("there is no port \(port + 1): it has \(song.ports.count)")
      }
    }
    let shift = changes.transposition
    if let keys, keys.lowerBound + shift < 0 || keys.upperBound + shift > 127 {
      throw .change(
        "its keys are \(keys.lowerBound) to \(keys.upperBound), and can be transposed by "
          + "\(-keys.lowerBound) to \(127 - keys.upperBound), but not by \(shift)")
    }
  }

  /// The parts of the song that have notes.
  private var list: String {
    let parts = sounds.map { sound in
      let channel =
        song.ports.count > 1 ? "\(sound.port + 1):\(sound.channel + 1)" : "\(sound.channel + 1)"
      return "\(channel) \(sound.name)"
    }
    let tracks = song.tracks.enumerated().filter { $1.noteCount > 0 }.map { index, track in
      "track:\(index + 1)" + (track.name.map { " '\($0)'" } ?? "")
    }
    let shown = parts.prefix(20) + tracks.prefix(20)
    if parts.isEmpty { return "no notes" }
    return shown.joined(separator: ", ")
      + (parts.count > 20 || tracks.count > 20 ? ", and others" : "")
  }
}

extension Timeline {
  fileprivate mutating func transposeKeys(by semitones: Int) {
    if semitones != 0 { keys = keys.map { $0.transposed(by: semitones) } }
  }
}
