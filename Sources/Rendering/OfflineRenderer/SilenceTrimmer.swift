/// Finds where a tail falls silent, and holds back what may turn out to be silence.
///
/// Frames go in; those that are heard, and those between them, come out. A second of quiet after
/// everything was released is taken for the end. It listens to the first two channels, the mix, alone:
/// stems end with it.
struct SilenceTrimmer {
  /// −90 dBFS, linear.
  static let threshold: Float = 3.162_277_7e-5
  private let silentFrames: Int
  /// What is held of each channel, channels `room` samples apart.
  private var held: [Float] = []
  private var heldFrames = 0
  private var room = 0

  /// - Parameter sampleRate: Frames per second.
  init(sampleRate: Int) { silentFrames = sampleRate }

  /// Whether nothing has been heard for a second.
  var isSilent: Bool { heldFrames >= silentFrames }

  /// Whether something was heard within the last tenth of a second.
  var isHeard: Bool { hasHeard && heldFrames < silentFrames / 10 }
  private var hasHeard = false

  /// Takes frames in and hands on all up to the last that is heard.
  ///
  /// - Parameters:
  ///   - channels: Two or more, all of one length; as many in every call.
  ///   - body: Gets as many, which are valid until it returns.
  mutating func add(
    _ channels: [UnsafeBufferPointer<Float>], _ body: ([UnsafeBufferPointer<Float>]) -> Void
  ) {
    let added = channels[0].count
    makeRoom(heldFrames + added, channels: channels.count)
    for (index, channel) in channels.enumerated() {
      for i in 0..<added { held[index * room + heldFrames + i] = channel[i] }
    }
    let heard = channels[0].indices.last {
      abs(channels[0][$0]) > Self.threshold || abs(channels[1][$0]) > Self.threshold
    }
    let count = heard.map { heldFrames + $0 + 1 } ?? 0
    heldFrames += added
    guard count > 0 else { return }
    hasHeard = true
    held.withUnsafeBufferPointer { held in
      body(
        channels.indices.map {
          UnsafeBufferPointer(rebasing: held[($0 * room)..<($0 * room + count)])
        })
    }
    heldFrames -= count
    for index in channels.indices {
      for i in 0..<heldFrames { held[index * room + i] = held[index * room + count + i] }
    }
  }

  private mutating func makeRoom(_ frames: Int, channels: Int) {
    guard frames > room else { return }
    let larger = max(frames, 2 * room)
    var moved = [Float](repeating: 0, count: larger * channels)
    for index in 0..<channels {
      for i in 0..<heldFrames { moved[index * larger + i] = held[index * room + i] }
    }
    (held, room) = (moved, larger)
  }
}
