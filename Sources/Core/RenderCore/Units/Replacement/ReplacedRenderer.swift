import Synchronization

/// The render thread's side of a unit that is replaced while it renders: from the first cycle of a new renderer, the
/// old one receives no more events, and its output fades or is cut off.
///
/// Realtime: yes. ``ReplaceableUnit`` creates it.
struct ReplacedRenderer: BitwiseCopyable {
  /// A renderer to use from the next cycle on.
  struct Successor: BitwiseCopyable {
    let renderer: Renderer
    /// Whether what the renderer before it sounds fades.
    let fades: Bool
  }

  /// `nil` if there is no other renderer to use.
  typealias Next = Atomic<UnsafeMutablePointer<Successor>?>

  private var current: Renderer
  private var old: Renderer?
  /// The number of frames that the old renderer still sounds.
  private var fading = 0
  private var hasRendered = false
  /// The notes and controls that the current renderer has sent, which end with it.
  private var sent = SourceState()
  private var mustEnd = false
  private let next: UnsafeMutablePointer<Next>
  private let finished: UnsafeMutablePointer<Atomic<Int>>
  private let isOffline: Bool
  private let channelCount: Int
  /// The output of the old renderer, and silence as its input.
  private let output: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let silence: AudioInput

  /// The length of a fade in frames.
  static var fadeLength: Int { @_noLocks get { 512 } }

  /// - Parameters:
  ///   - finished: Increased when an old renderer is no longer used.
  ///   - isOffline: Whether only the caller changes to the next renderer, by ``useNext()``, because it must be prepared.
  init(
    _ renderer: Renderer, next: UnsafeMutablePointer<Next>,
    finished: UnsafeMutablePointer<Atomic<Int>>, _ format: Format, isOffline: Bool,
    _ memory: RenderMemory
  ) {
    current = renderer
    self.next = next
    self.finished = finished
    self.isOffline = isOffline
    channelCount = format.outputChannels
    let frames = format.maximumFrames
    let samples = memory.make(format.outputChannels * frames, of: Float(0))
    output = memory.makeEach(format.outputChannels) { samples + $0 * frames }
    if format.inputChannels > 0 {
      let zeros = memory.make(frames, of: Float(0))
      let inputs = memory.makeEach(format.inputChannels) { _ in UnsafePointer(zeros) }
      silence = AudioInput(UnsafePointer(inputs), count: format.inputChannels)
    } else {
      silence = AudioInput()
    }
  }

  /// Changes to the next renderer, if there is one. A fade that has not ended is cut off.
  @_noLocks mutating func useNext() {
    guard let successor = next.pointee.exchange(nil, ordering: .acquiring) else { return }
    if old != nil { release() }
    mustEnd = true
    old = current
    current = successor.pointee.renderer
    fading = Self.fadeLength
    // Before the first cycle, not even the noise of its effects has been heard.
    if !hasRendered || !successor.pointee.fades { release() }
  }

  @_noLocks mutating func render(_ cycle: UnsafePointer<RenderCycle>) -> Bool {
    if !isOffline { useNext() }
    hasRendered = true
    let output = cycle.pointee.midiOutput
    if mustEnd {
      output.end(&sent)
      mustEnd = !sent.isEmpty
    }
    let first = output.count
    let needsWork = current.render(cycle)
    if output.count > first { output.follow(into: &sent, after: first) }
    guard let old else { return needsWork }
    fade(old, into: cycle.pointee)
    // The old unit is released.
    return needsWork || self.old == nil
  }

  /// Whether the renderer of the next cycle is ready for it.
  @_noLocks mutating func isReady(for cycle: UnsafePointer<RenderCycle>) -> Bool {
    if !isOffline { useNext() }
    return current.isReady(for: cycle)
  }

  @_noLocks private mutating func fade(_ old: Renderer, into cycle: RenderCycle) {
    let frames = min(cycle.frames, fading)
    var last = RenderCycle(
      midi: MIDICycle(frames: frames), position: cycle.position, hostTime: cycle.hostTime,
      input: silence, output: UnsafePointer(output))
    _ = old.render(&last)
    for channel in 0..<channelCount {
      let (source, target) = (output[channel], cycle.output[channel])
      for frame in 0..<frames {
        target[frame] += source[frame] * (Float(fading - frame) / Float(Self.fadeLength))
      }
    }
    fading -= frames
    if fading == 0 { release() }
  }

  @_noLocks private mutating func release() {
    old = nil
    finished.pointee.wrappingAdd(1, ordering: .releasing)
  }
}
