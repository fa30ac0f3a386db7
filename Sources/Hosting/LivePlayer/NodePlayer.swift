import FluidSynthEngine
import MIDIFile
import NodeHost
import NodeProtocol
import OfflineRenderer
import RenderCore

/// Plays a song through nodes into a file: schedules each event on its frame, and passes on the rendered audio.
///
/// The latency of the nodes is removed at the start and rendered at the end, so that the file starts with the song.
///
/// Realtime: no.
final class NodePlayer: SongPlayer {
  private let mixer: NodeMixer
  private let lengths: CycleLengths
  private var song: SongTransport
  private let memory = RenderMemory()
  private let output: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// The output of each chain, if there are stems or sounds are measured.
  private let chainOutputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>?
  /// Two channels for each stem, and two for what belongs to none.
  private let stems: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let stemChannels: Int
  private let maximumFrames: Int
  /// The mixer's latency at the start, in frames.
  private let latency: Int
  /// The number of frames still to be skipped.
  private var early: Int
  private(set) var notes = 0
  /// The number of frames that the song has received as events.
  private var scheduled = 0
  /// The number of frames that the mixer has rendered.
  private var rendered = 0
  /// Where each chain sounds; empty if nobody wants to know.
  private var sounds: [ChainSound]
  /// The chains that play each note, by frame, channel and key of the song.
  private var chainsOfNotes: [NoteStart: [Int]] = [:]
  /// What each chain plays.
  private let parts: [ChainPart]

  let cycleFrames = CycleLengths.longest

  /// - Parameters:
  ///   - mixer: Initialized for two channels and not yet used.
  ///   - range: The range of the song. Its transport stops where the tail starts.
  ///   - parts: What each chain plays.
  ///   - stems: The number of stems that the parts belong to.
  ///   - measuresNotes: Whether to find out where notes sound.
  init(
    _ mixer: NodeMixer, _ format: Format, lengths: CycleLengths, _ range: FrameRange,
    parts: [ChainPart], stems: Int = 0, measuresNotes: Bool = false
  ) {
    sounds =
      measuresNotes ? parts.map { _ in ChainSound(sampleRate: format.sampleRate) } : []
    self.mixer = mixer
    self.parts = parts
    self.lengths = lengths
    song = SongTransport(range.timeline.beatMap)
    song.end = Int64(range.end)
    song.start()
    latency = mixer.latency
    early = latency
    maximumFrames = format.maximumFrames
    let memory = memory
    func channels(_ count: Int) -> UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
      memory.makeEach(count) { _ in memory.make(format.maximumFrames, of: 0) }
    }
    output = channels(2)
    chainOutputs = stems > 0 || measuresNotes ? channels(2 * parts.count) : nil
    stemChannels = stems > 0 ? 2 * (stems + 1) : 0
    self.stems = channels(stemChannels)
  }

  func render(_ song: SongCycle, _ handler: OutputHandler) throws(RenderError) {
    notes += song.notes
    let cycle = song.midi
    var done = 0
    for (event, origin) in zip(cycle.events, song.origins) {
      for chain in 0..<mixer.chains.count {
        guard let played = parts[chain].event(event, origin) else { continue }
        if !sounds.isEmpty { addNote(event, chain) }
        // A connection queues many events. If its queue is full, cycles must be rendered first.
        while try !schedule(played, of: cycle, at: Int(event.offset) - done, chain) {
          guard Int(event.offset) > done else {
            throw .player(
              "the song has more than \(SegmentLayout.eventSlots) events on one frame, which no connection can "
                + "hold: render it with portative render")
          }
          done += try renderNext(atMost: Int(event.offset) - done, handler)
        }
      }
    }
    while done < cycle.frames { done += try renderNext(atMost: cycle.frames - done, handler) }
    scheduled += cycle.frames
  }

  func flush(_ handler: OutputHandler) throws(RenderError) {
    var left = latency
    while left > 0 { left -= try renderNext(atMost: left, handler) }
  }

  private func schedule(
    _ event: MIDIEvent, of cycle: MIDICycle, at offset: Int, _ chain: Int
  ) throws(RenderError) -> Bool {
    let event = MIDIEvent(offset: UInt32(offset), content: event.content)
    switch mixer.state.pointee.schedule(event, of: cycle, chain: chain) {
    case .accepted: return true
    case .full: return false
    // Skip messages that fit into no FIFO or that FluidSynth would reject as well.
    case .tooLong, .malformed, .unknownParameter, .outOfRange: return true
    case .notRunning:
      throw .player(mixer.fault ?? "a node has stopped playing: play the song again")
    }
  }

  private func renderNext(atMost limit: Int, _ handler: OutputHandler) throws(RenderError) -> Int {
    let frames = min(limit, lengths.next())
    song.advance(by: frames)
    song.points.withUnsafeBufferPointer {
      mixer.state.pointee.render(
        frames: frames, hostTime: nil, transport: $0, into: UnsafePointer(output),
        parts: chainOutputs.map { UnsafePointer($0) })
    }
    addStems(frames)
    addSounds(frames)
    if let fault = mixer.fault { throw .player(fault) }
    let skipped = min(early, frames)
    early -= skipped
    if skipped < frames {
      handler(
        ((0..<2).map { output[$0] } + (0..<stemChannels).map { stems[$0] }).map {
          UnsafeBufferPointer(start: $0 + skipped, count: frames - skipped)
        })
    }
    return frames
  }

  /// Adds the chains of each stem up.
  private func addStems(_ frames: Int) {
    guard let chainOutputs, stemChannels > 0 else { return }
    for channel in 0..<stemChannels { stems[channel].update(repeating: 0, count: frames) }
    for (chain, part) in parts.enumerated() {
      for side in 0..<2 {
        let stem = stems[part.stem.map { 2 * $0 + side } ?? stemChannels - 2 + side]
        for frame in 0..<frames { stem[frame] += chainOutputs[2 * chain + side][frame] }
      }
    }
  }
}

// The sound of notes.
extension NodePlayer {
  private func addNote(_ event: MIDIEvent, _ chain: Int) {
    guard case .channel(let message) = event.content, message.startsNote else { return }
    let frame = scheduled + Int(event.offset)
    sounds[chain].addNote(at: frame)
    let start = NoteStart(frame: frame, channel: message.channel, key: message.data1)
    chainsOfNotes[start, default: []].append(chain)
  }

  private func addSounds(_ frames: Int) {
    defer { rendered += frames }
    guard let chainOutputs else { return }
    for chain in sounds.indices {
      sounds[chain].add(
        chainOutputs[2 * chain], chainOutputs[2 * chain + 1], count: frames,
        at: rendered - latency)
    }
  }

  /// Sets where notes sound, of those that are the only ones of their chain meanwhile.
  ///
  /// - Parameter log: The notes of the song, in the order of their note-ons.
  func measure(_ log: inout [LoggedNote]) {
    if sounds.isEmpty { return }
    for index in log.indices {
      let note = log[index]
      let start = NoteStart(frame: Int(note.onset), channel: note.channel, key: note.key)
      guard let chains = chainsOfNotes[start], chains.count == 1,
        let sound = sounds[chains[0]].sound(ofNoteAt: start.frame)
      else { continue }
      log[index].setSound(sound)
    }
  }
}

/// What tells notes apart.
private struct NoteStart: Hashable {
  let frame: Int
  let channel: UInt8
  let key: UInt8
}
