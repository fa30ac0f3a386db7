package import RenderCore

/// Handles some of the events that sources send to a port, instead of the port: those of a learned controller, for
/// example.
///
/// Threads: that of the source, which is not realtime; several at a time.
package protocol LiveInputFilter: Sendable {
  /// Handles an event, if it is one of the filter's. The filter may set the source's unit, but must return soon, because
  /// later events wait.
  ///
  /// - Returns: Whether the port must not receive the event.
  func handles(
    _ content: MIDIContent, from source: LiveInput.Source, of input: LiveInput
  ) -> Bool
}
