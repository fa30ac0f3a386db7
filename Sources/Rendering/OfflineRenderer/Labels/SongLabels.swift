import FluidSynthEngine
public import MIDIFile
import RenderCore

/// What is known about rendered audio: its notes, tempos and beats. Frames count from the first frame of the audio.
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
    func add(_ note: LoggedNote, number: Int, track: Int, port: Int) {
      guard var label = label(note, number, track: track, port: port, range, isCut: isCut) else {
        return
      }
      label.endedBy = label.endedBy.map { portNotes.number(of: $0, port: port) }
      label.returnOf = label.returnOf.map { portNotes.number(of: $0, port: port) }
      notes.append(label)
    }
    var tracks: [Int] = []
    for ((number, event), note) in zip(played.enumerated(), logged) {
      tracks.append(Int(event.track))
      add(note, number: number, track: tracks[number], port: Int(event.port))
    }
    for (port, returns) in returns.enumerated() {
      for (index, note) in returns.enumerated() {
        let struck = portNotes.number(of: Int(note.returnOf), port: port)
        let number = portNotes.number(ofReturn: index, port: port)
        add(note, number: number, track: tracks[struck], port: port)
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
    if max(note.lastAudible, note.onset) < Int64(start) { return nil }
    func place(_ frame: Int64) -> Int { (frame < 0 ? range.end : Int(frame)) - start }
    var silence: Int? = isAudible ? Int(note.lastAudible) + 1 - start : Int(note.onset) - start
    if isAudible, isCut, Int(note.lastAudible) - start >= frames - 1 { silence = nil }
    if note.ending == .shared { silence = nil }
    return NoteLabel(
      note: number, track: track, port: port, channel: note.channel, key: note.key,
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
