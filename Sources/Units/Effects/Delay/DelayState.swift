import RenderCore
import Synchronization

/// All that the render thread works on: two lines of the past, and a place at which both are read.
///
/// In mono both lines hear the same, and the left one is heard.
///
/// Realtime: yes, apart from making and destroying it.
struct DelayState: BitwiseCopyable {
  var values: ParameterValues
  private var tempo = TempoFollower()
  var head: ReadHead
  var left: DelayLine
  var right: DelayLine
  /// What the low-passes in the feedback let out last.
  var leftTone: Float = 0
  var rightTone: Float = 0
  /// How much of the feedback goes over to the other side: 0…1.
  var crossing = Glide(0)
  /// Until the first frame, everything is where it should be without gliding.
  private var isFresh = true
  private let followsControllers: Bool
  private let publishedTime: UnsafeMutablePointer<Atomic<Int>>
  let sampleRate: Double
  let inputs: Int
  let channels: Int

  /// - Parameter publishedTime: Gets the frames between a sound and its echo.
  init(
    _ format: Format, _ values: ParameterValues, followsControllers: Bool,
    publishedTime: UnsafeMutablePointer<Atomic<Int>>
  ) {
    self.values = values
    self.followsControllers = followsControllers
    self.publishedTime = publishedTime
    sampleRate = Double(format.sampleRate)
    inputs = format.inputChannels
    channels = format.channels
    head = ReadHead(sampleRate: sampleRate)
    let longest = Int(DelayTime.longestSeconds * sampleRate) + 1
    left = DelayLine(longest: longest)
    right = DelayLine(longest: longest)
  }

  func destroy() {
    left.destroy()
    right.destroy()
  }

  @_noLocks mutating func render(_ cycle: RenderCycle) {
    values.begin()
    if cycle.transport.isEmpty { tempo = TempoFollower() }
    var walk = CycleSteps(cycle)
    while let step = walk.next() {
      switch step {
      case .transport(let transport): tempo = TempoFollower(transport)
      case .parameter(let change): values.apply(change)
      case .event(let event): follow(event)
      case .frames(let begin, let end): render(cycle, begin, end)
      }
    }
    values.publish()
    publishedTime.pointee.store(Int(max(head.delay, head.target)), ordering: .relaxed)
  }

  @_noLocks private mutating func follow(_ event: MIDIEvent) {
    guard followsControllers, case .channel(let message) = event.content else { return }
    if let change = DelayControllers.change(message, sampleRate: sampleRate) {
      values.apply(change)
    }
  }

  /// Frames in which nothing happens, though parameters and tempo may be on their way.
  @_noLocks private mutating func render(_ cycle: RenderCycle, _ begin: Int, _ end: Int) {
    var place = begin
    while place < end {
      let until = values.isRamping || tempo.isChanging ? place + 1 : end
      head.target = DelayTime.frames(values, tempo, sampleRate: sampleRate)
      aimCrossing()
      if isFresh {
        head.jump()
        isFresh = false
      }
      echo(cycle, place, until, EchoSettings(values, channels: channels, sampleRate: sampleRate))
      values.advance(frames: until - place)
      tempo.advance(frames: until - place)
      place = until
    }
  }

  @_noLocks private mutating func aimCrossing() {
    let target = channels == 2 ? Double(values[.pingPong]) : 0
    if target == crossing.target { return }
    crossing.go(to: target, frames: isFresh ? 0 : Int(0.02 * sampleRate))
  }
}
