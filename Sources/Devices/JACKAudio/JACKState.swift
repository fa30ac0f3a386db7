import CJACK
import LiveAudio
import RenderCore
import Threads

/// All that JACK's thread works on while it calls us.
///
/// Made and freed off the thread, in ``JACKClient``.
struct JACKState {
  let client: OpaquePointer
  let left: OpaquePointer
  let right: OpaquePointer
  let format: Format
  let renderer: Renderer
  let news: DeviceEventFlags
  /// Two, which are JACK's, and other ones in each cycle.
  let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Frames from the beginning of a cycle until its first frame is heard.
  let latency: SharedWord
  let gate: CallbackGate
  /// Of the cycle's first frame.
  var position: Int64 = 0
  /// The same by JACK's count, modulo 2³².
  var frame: UInt32?
  var hostTime = Int64.min

  @_noLocks mutating func process(_ frames: Int) {
    guard let left = cjack_buffer(left, UInt32(frames)),
      let right = cjack_buffer(right, UInt32(frames))
    else { return }
    channels[0] = left
    channels[1] = right
    if frames > format.maximumFrames { news.lose(JACKLoss.longerCycle.rawValue) }
    guard frames <= format.maximumFrames, gate.enter() else {
      left.update(repeating: 0, count: frames)
      right.update(repeating: 0, count: frames)
      return
    }
    RealtimeSection.begin()
    findTime()
    var cycle = RenderCycle(
      midi: MIDICycle(
        frames: frames, events: UnsafeBufferPointer(start: nil, count: 0),
        sysEx: UnsafeBufferPointer(start: nil, count: 0)),
      position: position, hostTime: hostTime, output: UnsafePointer(channels))
    _ = renderer.render(&cycle)
    position += Int64(frames)
    RealtimeSection.end()
    gate.leave()
  }

  /// Lets the position follow JACK's frames, and finds out when the first is heard.
  @_noLocks private mutating func findTime() {
    let now = MonotonicClock.now
    var first: UInt32 = 0
    var elapsed: Int64 = 0
    // JACK's clock need not be the system's, but both run.
    guard cjack_cycle(client, &first, &elapsed) else { return }
    if let frame {
      // What was missed; not what JACK counts anew.
      let missed = first &- (frame &+ UInt32(truncatingIfNeeded: position))
      if missed < 1 << 31 { position += Int64(missed) }
    }
    frame = first &- UInt32(truncatingIfNeeded: position)
    let delay = Int64(latency.value) * 1_000_000_000 / Int64(format.sampleRate)
    hostTime = max(hostTime, now - elapsed * 1000 + delay)
  }
}

/// What JACK tells when a client is lost to it.
enum JACKLoss: Int32 {
  case server = 1
  case tooSlow
  case longerCycle
  case otherRate

  var sentence: String {
    switch self {
    case .server: "the JACK server has ended, or has put us out"
    case .tooSlow:
      "JACK has put us out, for the machine was too slow: choose a longer period in JACK"
    case .longerCycle: "JACK's cycles have become longer, so we join it anew"
    case .otherRate: "JACK's sample rate has changed, so we join it anew"
    }
  }
}
