import CRender

/// Marks the code that a render thread executes, so that RealtimeSanitizer checks it if it is loaded.
package enum RealtimeSection {
  @_noLocks package static func begin() { realtime_enter() }
  @_noLocks package static func end() { realtime_exit() }
}
