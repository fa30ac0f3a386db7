import RenderCore

/// Makes units that answer every note with a click.
struct ClickSource: RenderUnitSource {
  func makeUnit(_ format: Format) throws -> any RenderUnit { ClickUnit(format) }
}

/// What is made and freed off the render thread.
///
/// `@unchecked Sendable`: the state belongs to the render thread.
final class ClickUnit: RenderUnit, @unchecked Sendable {
  private let state: UnsafeMutablePointer<ClickState>

  init(_ format: Format) {
    state = .allocate(capacity: 1)
    state.initialize(to: ClickState(channels: format.channels))
  }

  deinit { state.deallocate() }

  var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderClicks) }
}

/// A click is a frame up and a frame down: nothing else is as short, and no filter for what does not
/// change takes it away.
///
/// Realtime: yes.
struct ClickState {
  private let channels: Int
  /// Whether a click began with the last frame of the cycle before.
  private var isBegun = false

  init(channels: Int) { self.channels = channels }

  private static var level: Float { @_noLocks get { 0.5 } }

  @_noLocks mutating func render(_ cycle: RenderCycle) {
    let frames = cycle.frames
    for channel in 0..<channels { cycle.output[channel].update(repeating: 0, count: frames) }
    if isBegun { put(-Self.level, at: 0, of: cycle) }
    isBegun = false
    for event in cycle.events {
      guard case .channel(let message) = event.content, message.startsNote else { continue }
      let frame = Int(event.offset)
      put(Self.level, at: frame, of: cycle)
      if frame + 1 < frames {
        put(-Self.level, at: frame + 1, of: cycle)
      } else {
        isBegun = true
      }
    }
  }

  @_noLocks private func put(_ level: Float, at frame: Int, of cycle: RenderCycle) {
    for channel in 0..<channels { cycle.output[channel][frame] = level }
  }
}

@_noLocks @c private func renderClicks(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: ClickState.self).pointee.render(cycle.renderCycle)
  return false
}
