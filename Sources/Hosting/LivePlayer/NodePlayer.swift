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
  private let maximumFrames: Int
  /// The mixer's latency at the start, in frames.
  private let latency: Int
  /// The number of frames still to be skipped.
  private var early: Int
  private(set) var notes = 0
  /// The track that each chain plays; empty: each plays a port of the song.
  private let tracks: [Int]

  let cycleFrames = CycleLengths.longest

  /// - Parameters:
  ///   - mixer: Initialized for two channels and not yet used.
  ///   - range: The range of the song. Its transport stops where the tail starts.
  ///   - tracks: The index of the track that each chain plays; empty: each plays a port of the song.
  init(
    _ mixer: NodeMixer, _ format: Format, lengths: CycleLengths, _ range: FrameRange,
    tracks: [Int] = []
  ) {
    self.mixer = mixer
    self.tracks = tracks
    self.lengths = lengths
    song = SongTransport(range.timeline.beatMap)
    song.end = Int64(range.end)
    song.start()
    latency = mixer.latency
    early = latency
    maximumFrames = format.maximumFrames
    let memory = memory
    output = memory.makeEach(2) { _ in memory.reserve(format.maximumFrames) }
  }

  func render(_ song: SongCycle, _ handler: OutputHandler) throws(RenderError) {
    notes += song.notes
    let cycle = song.midi
    var done = 0
    for (event, origin) in zip(cycle.events, song.origins) {
      for chain in 0..<mixer.chains.count where plays(chain, origin) {
        // A connection queues many events. If its queue is full, cycles must be rendered first.
        while try !schedule(event, of: cycle, at: Int(event.offset) - done, chain) {
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
  }

  private func plays(_ chain: Int, _ origin: EventOrigin) -> Bool {
    if tracks.isEmpty { return mixer.port(ofChain: chain) == Int(origin.port) }
    // What the end of the range releases is released in all chains.
    return origin.track.map { Int($0) == tracks[chain] } ?? true
  }

  func flush(_ handler: OutputHandler) {
    var left = latency
    // A node that is lost now cannot contribute to the tail.
    while left > 0, let done = try? renderNext(atMost: left, handler) { left -= done }
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
        frames: frames, hostTime: nil, transport: $0, into: UnsafePointer(output))
    }
    if let fault = mixer.fault { throw .player(fault) }
    let skipped = min(early, frames)
    early -= skipped
    if skipped < frames {
      handler(
        (0..<2).map {
          UnsafeBufferPointer(start: output[$0] + skipped, count: frames - skipped)
        })
    }
    return frames
  }
}
