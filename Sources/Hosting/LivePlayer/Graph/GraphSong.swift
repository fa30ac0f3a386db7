import LiveAudio
import RenderCore

/// The render thread's side of a song that plays where the transport of a graph is, and leads it.
///
/// Realtime: yes.
struct GraphSong: BitwiseCopyable {
  let lead: TransportLead
  let cue: CueRequest
  /// The frame of the last request to the scheduler.
  private(set) var cueFrame: Int64 = -1
  /// Whether the ring begins with a cycle of the last request's course.
  var isCued = false
  private var wasRolling = false

  init(_ lead: TransportLead, _ cue: CueRequest) { (self.lead, self.cue) = (lead, cue) }

  /// The state of the song in a cycle.
  enum Action: BitwiseCopyable {
    /// It plays after a number of frames, at most those of the cycle.
    case play(after: Int)
    /// It has missed a number of frames, which it passes first.
    case catchUp(Int)
    /// It must be made ready for a frame, and waits.
    case cue(Int64)
  }

  /// Requests that the song can play from a frame.
  @_noLocks mutating func request(_ frame: Int64) {
    lead.setUnready()
    cueFrame = frame
    isCued = false
    cue.post(frame)
  }

  /// Decides what the song does in a cycle.
  ///
  /// - Parameters:
  ///   - graph: The transport of the graph.
  ///   - head: What is scheduled next; `nil` if nothing is.
  ///   - margin: The number of frames within which the song can be made ready.
  @_noLocks mutating func action(
    _ graph: Transport, frames: Int, head: SongSegment?, margin: Int64
  ) -> Action {
    let (frame, hasStopped) = (graph.songFrame, wasRolling && !graph.isPlaying)
    wasRolling = graph.isPlaying
    let ahead = frame + margin
    guard isCued else {
      if graph.isPlaying { return cueFrame >= frame ? .play(after: frames) : .cue(ahead) }
      return cueFrame == frame && !hasStopped ? .play(after: frames) : .cue(frame)
    }
    // Without it, the scheduler is late.
    guard let head else { return .play(after: 0) }
    let isOver = !head.isPlaying && frame >= head.begin
    if !graph.isPlaying {
      if isOver {
        lead.setReady(at: frame)
        return .play(after: 0)
      }
      // What sounds ends, although the song may continue here.
      if hasStopped || head.begin != frame { return .cue(frame) }
      lead.setReady(at: frame)
      return .play(after: frames)
    }
    if isOver { return .play(after: 0) }
    let distance = head.begin - frame
    if !head.isPlaying || distance > margin || distance < -margin { return .cue(ahead) }
    return distance < 0 ? .catchUp(Int(-distance)) : .play(after: min(frames, Int(distance)))
  }
}
