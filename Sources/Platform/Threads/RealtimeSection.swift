import CRender

/// Marks what a render thread does, for RealtimeSanitizer to check where it is loaded.
package enum RealtimeSection {
  @_noLocks package static func begin() { realtime_enter() }
  @_noLocks package static func end() { realtime_exit() }
}
