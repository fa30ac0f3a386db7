import RenderCore

/// Creates units that play a click for each note.
struct ClickSource: RenderUnitSource {
  func makeUnit(_ format: Format) throws -> any RenderUnit { ClickUnit(format) }
}

/// The part of the unit that is created and freed outside the render thread.
///
/// `@unchecked Sendable`: the state belongs to the render thread.
final class ClickUnit: RenderUnit, @unchecked Sendable {
  private let state: UnsafeMutablePointer<ClickState>

  init(_ format: Format) {
    state = .allocate(capacity: 1)
    state.initialize(to: ClickState(channels: format.outputChannels))
  }

  deinit { state.deallocate() }

  var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderClicks) }
}

/// Renders a click as one frame at the positive and one at the negative level: the shortest signal that a DC-blocking
/// filter does not remove.
///
/// Realtime: yes.
struct ClickState {
  private let channels: Int
  /// Whether a click started in the last frame of the previous cycle.
  private var isBegun = false

  init(channels: Int) { self.channels = channels }

  private static var level: Float { @_noLocks get { 0.5 } }

  @_noLocks mutating func render(_ cycle: RenderCycle) {
    let frames = cycle.frames
    for channel in 0..<channels { cycle.output[channel].update(repeating: 0, count: frames) }
    if isBegun { put(-Self.level, at: 0, of: cycle) }
    isBegun = false
    for event in cycle.events where event.startsNote {
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

@_noLocks private func renderClicks(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: ClickState.self).pointee.render(cycle.renderCycle)
  return false
}
