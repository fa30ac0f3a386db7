import CJACK
import LiveAudio
import RenderCore
import Threads

/// The state of JACK's process callback.
///
/// Created and freed by ``JACKPlayback``, on another thread.
struct JACKState {
  let client: OpaquePointer
  let left: OpaquePointer
  let right: OpaquePointer
  let format: Format
  let renderer: Renderer
  let flags: DeviceEventFlags
  /// Pointers to JACK's two output buffers, which change with each cycle.
  let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Frames from the start of a cycle until its first frame is heard.
  let latency: SharedWord
  let gate: CallbackGate
  /// The position of the cycle's first frame.
  var position: Int64 = 0
  /// JACK's frame counter minus ``position``, modulo 2³²; `nil` before the first cycle.
  var frameOffset: UInt32?
  var hostTime = Int64.min

  @_noLocks mutating func process(_ frames: Int) {
    guard let left = cjack_buffer(left, UInt32(frames)),
      let right = cjack_buffer(right, UInt32(frames))
    else { return }
    channels[0] = left
    channels[1] = right
    if frames > format.maximumFrames { flags.reportLoss(JACKLoss.longerCycle.rawValue) }
    guard frames <= format.maximumFrames, gate.acquire() else {
      left.update(repeating: 0, count: frames)
      right.update(repeating: 0, count: frames)
      return
    }
    RealtimeSection.begin()
    updateTime()
    var cycle = RenderCycle(
      midi: MIDICycle(frames: frames), position: position, hostTime: hostTime,
      output: UnsafePointer(channels))
    _ = renderer.render(&cycle)
    position += Int64(frames)
    RealtimeSection.end()
    gate.release()
  }

  /// Advances ``position`` by missed frames, and sets ``hostTime`` to the time at which the cycle's first frame is
  /// heard.
  @_noLocks private mutating func updateTime() {
    let now = MonotonicClock.now
    var first: UInt32 = 0
    var elapsed: Int64 = 0
    // JACK's clock may differ from CLOCK_MONOTONIC, so only the elapsed time is used.
    guard cjack_cycle(client, &first, &elapsed) else { return }
    if let frameOffset {
      // Frames missed since the last cycle; a counter that was reset gives a huge value and is ignored.
      let missed = first &- (frameOffset &+ UInt32(truncatingIfNeeded: position))
      if missed < 1 << 31 { position += Int64(missed) }
    }
    frameOffset = first &- UInt32(truncatingIfNeeded: position)
    let delay = Int64(latency.value) * 1_000_000_000 / Int64(format.sampleRate)
    hostTime = max(hostTime, now - elapsed * 1000 + delay)
  }
}

/// The reason why JACK dropped the client.
enum JACKLoss: Int32 {
  case server = 1
  case tooSlow
  case longerCycle
  case otherRate

  var sentence: String {
    switch self {
    case .server: "the JACK server has ended or disconnected this client"
    case .tooSlow:
      "JACK disconnected this client because it was too slow: choose a longer period in JACK"
    case .longerCycle: "JACK's cycles have become longer; reconnecting"
    case .otherRate: "JACK's sample rate has changed; reconnecting"
    }
  }
}
