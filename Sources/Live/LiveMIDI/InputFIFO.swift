package import RenderCore

/// A FIFO that carries the events of a live input to its consumer's render thread.
///
/// Threads: one at a time writes.
package final class InputFIFO: Sendable {
  /// The unit that receives the events; `nil` if it is not known.
  let unit: (any RenderUnit)?
  private let events = EventFIFO(capacity: InputFIFO.capacity)
  /// The sources with a common origin. The writer sets them before it writes the events that they affect.
  let relations = SourceRelations()
  /// The keys that the consumer plays, also from other sources. Its render thread writes it.
  let keys = KeyActivity()

  /// The number of slots. A keyboard needs seconds to send that many events.
  package static let capacity = 4096

  package init(for unit: (any RenderUnit)? = nil) { self.unit = unit }

  deinit {
    relations.destroy()
    keys.destroy()
  }

  /// Writes an event.
  ///
  /// - Parameters:
  ///   - content: The message.
  ///   - source: The source that sent it.
  ///   - sound: The sound that plays it; 0: the port's own unit.
  ///   - time: The time at which it was played, in nanoseconds of CLOCK_MONOTONIC.
  /// - Returns: `false` if there is no room; nothing has changed then.
  func write(
    _ content: MIDIContent, from source: LiveInput.Source, to sound: UInt8 = 0, at time: Int64
  ) -> Bool {
    let number = Self.number(source, sound)
    func write(_ content: MIDIEvent.Content, _ bytes: [UInt8] = []) -> Bool {
      let event = EventFIFO.Event(time: time, number: number, content: content)
      return bytes.withUnsafeBufferPointer { events.writer.write(event, sysEx: $0) }
    }
    return switch content {
    case .channel(let message): write(.channel(message))
    case .system(let message): write(.system(message))
    case .sysEx(let bytes): write(.sysEx(start: 0, count: UInt32(bytes.count)), bytes)
    }
  }

  /// Writes that a source has ended, for the port's own unit.
  ///
  /// - Returns: `false` if there is no room; nothing has changed then.
  func writeEnd(of source: LiveInput.Source, at time: Int64) -> Bool {
    let content = MIDIEvent.Content.sysEx(start: 0, count: 0)
    let number = Self.number(source, 0) | EventFIFO.Event.end
    return events.writer.write(EventFIFO.Event(time: time, number: number, content: content))
  }

  /// The number of events that can be written, without System Exclusive.
  var room: Int { events.writer.room }

  private static func number(_ source: LiveInput.Source, _ sound: UInt8) -> UInt32 {
    UInt32(source.number) | UInt32(sound) << 8
  }

  /// The reader, for the render thread.
  package var reader: EventFIFO.Reader { events.reader }
}
