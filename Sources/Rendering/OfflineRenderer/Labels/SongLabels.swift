import FluidSynthEngine
public import MIDIFile
import RenderCore

/// Labels of rendered audio: its notes, tempos and beats. Frames count from the first frame of the audio.
public struct SongLabels: Sendable {
  /// Frames per second.
  public var sampleRate: Int
  /// The frame of the song at which the audio begins.
  public var start: Int
  /// The length of the audio.
  public var frames: Int
  /// The ports of the song, each with sixteen channels of its own.
  public var ports: [Timeline.Port] = []
  /// In the order of their onsets. Notes that fell silent before the audio begins are left out.
  public var notes: [NoteLabel] = []
  /// The tempos from the first that applies.
  public var tempos: [SongTempo] = []
  public var beats: [SongBeat] = []
  /// The key signatures from the first that applies.
  public var keys: [SongKey] = []
  /// Lyrics, markers, names and texts. Those before the audio are at its first frame if they name something.
  public var words: [SongText] = []
  /// Controllers, programs, bends and pressure.
  public var messages: [MessageLabel] = []
  /// Whether notes have files of their own.
  private(set) var hasFiles = false

  /// A channel message other than a note.
  public struct MessageLabel: Equatable, Sendable {
    public var frame: Int
    /// The index of the track in the file.
    public var track: Int
    /// The index of the port in ``SongLabels/ports``.
    public var port: Int
    /// The MIDI message: `status` has the kind and the channel.
    public var status: UInt8
    public var data1: UInt8
    public var data2: UInt8
  }

  /// - Parameters:
  ///   - logged: What the instrument recorded.
  ///   - returns: The notes that monophonic channels returned to, for each port.
  ///   - frames: The length of the audio.
  ///   - isCut: Whether the audio ends before its sound does.
  ///   - hasBeats: Whether to list tempos and beats.
  ///   - hasMessages: Whether to list messages other than notes.
  init(
    _ range: FrameRange, _ logged: [LoggedNote], returns: [[LoggedNote]], frames: Int, isCut: Bool,
    hasBeats: Bool = true,
    hasMessages: Bool
  ) {
    let timeline = range.timeline
    (sampleRate, start, self.frames) = (timeline.sampleRate, range.start, frames)
    let isCut = isCut || !range.endsInSilence
    let played = timeline.events.lazy.filter {
      $0.startsNote && timeline.playsNotes(at: $0.frame, until: range.end)
    }
    ports = timeline.ports
    let portNotes = PortNotes(timeline, end: range.end)
    /// Adds the label of a note, which refers to others by their numbers on its port.
    func add(_ note: LoggedNote, number: Int, written: Int, track: Int, port: Int) {
      guard var label = label(note, number, track: track, port: port, range, isCut: isCut) else {
        return
      }
      label.endedBy = label.endedBy.map { portNotes.number(of: $0, port: port) }
      label.returnOf = label.returnOf.map { portNotes.number(of: $0, port: port) }
      label.writtenNote = timeline.writtenNotes.map { Int($0[written]) } ?? written
      notes.append(label)
    }
    var tracks: [Int] = []
    for ((number, event), note) in zip(played.enumerated(), logged) {
      tracks.append(Int(event.track))
      add(note, number: number, written: number, track: tracks[number], port: Int(event.port))
    }
    for (port, returns) in returns.enumerated() {
      for (index, note) in returns.enumerated() {
        let struck = portNotes.number(of: Int(note.returnOf), port: port)
        let number = portNotes.number(ofReturn: index, port: port)
        add(note, number: number, written: struck, track: tracks[struck], port: port)
      }
    }
    if returns.contains(where: { !$0.isEmpty }) {
      notes.sort { ($0.onset, $0.note) < ($1.onset, $1.note) }
    }
    if hasBeats { listBeats(timeline, until: range.end) }
    listWords(timeline, until: range.end)
    if hasMessages { messages = messages(range) }
  }

  /// Names the files of the notes.
  ///
  /// - Parameter name: Returns the name for the number of a note in the song.
  mutating func nameFiles(_ name: (Int) -> String?) {
    hasFiles = true
    for index in notes.indices { notes[index].file = name(notes[index].note) }
  }

  private mutating func listBeats(_ timeline: Timeline, until end: Int) {
    let begin = Int64(start)
    let last = timeline.tempos.lastIndex { $0.frame <= begin } ?? 0
    tempos = timeline.tempos.dropFirst(last).prefix { $0.frame < Int64(end) }
    for index in tempos.indices { tempos[index].frame -= begin }
    beats = timeline.beats(before: Int64(start + frames)).filter { $0.frame >= begin }
    for index in beats.indices { beats[index].frame -= begin }
  }

  private mutating func listWords(_ timeline: Timeline, until end: Int) {
    let begin = Int64(start)
    let last = timeline.keys.lastIndex { $0.frame <= begin } ?? 0
    keys = timeline.keys.dropFirst(last).prefix { $0.frame < Int64(end) }
    for index in keys.indices { keys[index].frame = max(0, keys[index].frame - begin) }
    words = timeline.words.filter {
      $0.frame <= Int64(end) && ($0.frame >= begin || $0.kind.isName)
    }
    for index in words.indices { words[index].frame = max(0, words[index].frame - begin) }
  }

  private func label(
    _ note: LoggedNote, _ number: Int, track: Int, port: Int, _ range: FrameRange,
    isCut: Bool
  ) -> NoteLabel? {
    let isAudible = note.lastAudible >= 0
    let last = note.ending == .shared ? note.soundRelease : note.lastAudible
    if max(last, note.onset) < Int64(start) { return nil }
    func place(_ frame: Int64) -> Int { (frame < 0 ? range.end : Int(frame)) - start }
    var silence: Int? = isAudible ? Int(note.lastAudible) + 1 - start : Int(note.onset) - start
    if isAudible, isCut, Int(note.lastAudible) - start >= frames - 1 { silence = nil }
    if note.ending == .shared { silence = nil }
    return NoteLabel(
      note: number, writtenNote: number, track: track, port: port, channel: note.channel,
      key: note.key,
      velocity: note.velocity, bank: Int(note.bank), program: Int(note.program),
      onset: Int(note.onset) - start, keyRelease: place(note.keyRelease),
      soundRelease: place(note.soundRelease),
      audible: isAudible ? Int(note.firstAudible) - start : nil, silence: silence,
      ending: note.ending, endedBy: note.endedBy < 0 ? nil : Int(note.endedBy),
      returnOf: note.returnOf < 0 ? nil : Int(note.returnOf))
  }

  private func messages(_ range: FrameRange) -> [MessageLabel] {
    var labels: [MessageLabel] = []
    for event in range.timeline.events where event.frame <= Int64(range.end) {
      guard case .channel(let message) = event.message, Int(event.frame) >= start,
        message.kind != .noteOn, message.kind != .noteOff
      else { continue }
      labels.append(
        MessageLabel(
          frame: Int(event.frame) - start, track: Int(event.track), port: Int(event.port),
          status: message.status, data1: message.data1, data2: message.data2))
    }
    return labels
  }
}

extension SongText.Kind {
  /// Whether it describes the song, not a place in it.
  fileprivate var isName: Bool {
    switch self {
    case .text, .lyric, .marker, .cuePoint: false
    case .copyright, .trackName, .instrumentName, .programName, .title, .credit, .language,
      .information:
      true
    }
  }
}

extension SongLabels {
  /// The notes as they sounded, as a MIDI file with a track for each port: from onset to sound release, without pedals
  /// and without notes that have no sound, with the other messages.
  ///
  /// Each event is on its frame when the file is rendered at the rate of the audio.
  var performance: [UInt8] {
    let ticks = FrameTicks(sampleRate: sampleRate)
    let tracks = (0..<max(1, ports.count)).map { port in
      var events: [StandardMIDIFile.Event] = []
      if port == 0 { events.append(.init(tick: 0, .meta(.tempo(ticks.tempo)))) }
      if ports.count > 1 {
        let number = ports[port].number ?? 128 + port
        events.append(.init(tick: 0, .meta(.port(UInt8(clamping: number)))))
      }
      return StandardMIDIFile.Track(
        bridging: events
          + performedEvents(ofPort: port).map { event in
            .init(tick: ticks.tick(of: event.frame), .channel(event.message))
          })
    }
    let file = StandardMIDIFile(
      format: tracks.count == 1 ? .singleTrack : .simultaneous,
      division: .ticksPerQuarter(ticks.division), tracks: tracks)
    do {
      return try file.encoded()
    } catch {
      // Bridged tracks have no long gaps, and no song has a track of 4 GB.
      preconditionFailure("\(error)")
    }
  }

  /// At a frame, notes end, then other messages act, then notes begin.
  private func performedEvents(ofPort port: Int) -> [(frame: Int64, message: ChannelMessage)] {
    var ranked: [(frame: Int, rank: Int, message: ChannelMessage)] = []
    for message in messages where message.port == port {
      guard
        let content = ChannelMessage(
          status: message.status, data1: message.data1, data2: message.data2),
        !content.endsNotes
      else { continue }
      ranked.append((message.frame, 1, content))
    }
    for (note, frames) in performedNotes(ofPort: port) {
      ranked.append(
        (frames.lowerBound, 2, .init(.noteOn, channel: note.channel, note.key, note.velocity)))
      ranked.append((frames.upperBound, 0, .init(.noteOff, channel: note.channel, note.key, 64)))
    }
    return ranked.enumerated().sorted {
      ($0.element.frame, $0.element.rank, $0.offset) < (
        $1.element.frame, $1.element.rank, $1.offset
      )
    }.map { (Int64($0.element.frame), $0.element.message) }
  }

  /// The notes that sound in the audio, with their first frame and the frame of their release: at the latest where
  /// their key is struck again, because a MIDI file cannot hold a key twice.
  private func performedNotes(ofPort port: Int) -> [(note: NoteLabel, frames: Range<Int>)] {
    var performed: [(NoteLabel, Range<Int>)] = []
    // By channel and key, the note that follows.
    var next: [Int: Range<Int>] = [:]
    for note in notes.reversed() where note.port == port && note.ending != .unmapped {
      let begin = max(note.onset, 0)
      // A note that was released before the audio begins only fades in it.
      guard note.soundRelease > 0 || note.onset >= 0 else { continue }
      let key = Int(note.channel) * 128 + Int(note.key)
      var end = max(note.soundRelease, begin + 1)
      if let next = next[key] {
        // Notes of one key and frame end together.
        end = next.lowerBound > begin ? min(end, next.lowerBound) : next.upperBound
      }
      next[key] = begin..<end
      performed.append((note, begin..<end))
    }
    return performed.reversed()
  }
}

extension ChannelMessage {
  /// Whether this is a pedal or ends notes, which is part of what notes were performed.
  fileprivate var endsNotes: Bool {
    kind == .controlChange && [64, 66, 120, 123].contains(data1)
  }
}
