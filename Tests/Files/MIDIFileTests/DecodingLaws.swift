import MIDIFile
import RenderCore

/// The laws that hold for any bytes. The fuzz target and the mutation tests share this file.
enum DecodingLaws {
  /// Returns the law that the bytes violate, or `nil`.
  static func broken(by bytes: [UInt8]) -> String? {
    do throws(StandardMIDIFile.DecodingError) {
      let file = try StandardMIDIFile(decoding: bytes)
      return brokenSize(file, bytes.count) ?? brokenOrder(file) ?? brokenRoundTrip(file)
        ?? brokenTimeline(file)
    } catch {
      return (0...bytes.count).contains(error.offset) && !error.description.isEmpty
        ? nil : "an error names a byte of the file"
    }
  }

  private static func brokenSize(_ file: StandardMIDIFile, _ size: Int) -> String? {
    let events = file.tracks.reduce(0) { $0 + $1.events.count }
    let payload = file.tracks.reduce(0) {
      $1.events.reduce($0) { $0 + $1.content.payloadCount }
    }
    if 2 * events > size || payload > size { return "no more is read than the bytes hold" }
    if 8 * file.tracks.count > size { return "a track takes eight bytes or more" }
    if file.repairs.count > 100 { return "no more than a hundred repairs are listed" }
    if file.repairs.count < 100 && file.unlistedRepairCount > 0 { return "the list is used first" }
    for repair in file.repairs {
      if !(0...size).contains(repair.offset ?? -1) { return "a repair names a byte of the file" }
      if repair.description.isEmpty { return "a repair can be told" }
    }
    return nil
  }

  private static func brokenOrder(_ file: StandardMIDIFile) -> String? {
    for track in file.tracks {
      // The initializer traps if the events' order or form is invalid.
      if StandardMIDIFile.Track(track.events, endTick: track.endTick) != track { return "order" }
    }
    return nil
  }

  private static func brokenRoundTrip(_ file: StandardMIDIFile) -> String? {
    for runningStatus in [true, false] {
      do throws(StandardMIDIFile.EncodingError) {
        let bytes = try file.encoded(runningStatus: runningStatus)
        guard let again = try? StandardMIDIFile(decoding: bytes) else {
          return "what was written can be read"
        }
        if again != file { return "what was written reads as the same" }
        for repair in again.repairs {
          if case .malformedMeta = repair.kind { continue }
          return "what was written needs no repair"
        }
      } catch {
        guard case .gapTooLong = error else { return "only a long gap cannot be written" }
      }
    }
    return nil
  }

  private static func brokenTimeline(_ file: StandardMIDIFile) -> String? {
    guard let timeline = try? file.timeline(sampleRate: 44_100) else { return nil }
    var (frame, sysEx, notes) = (Int64(0), [Range<Int>](), 0)
    for event in timeline.events {
      if event.frame < frame { return "events are in order of frames" }
      frame = event.frame
      if !timeline.tracks.indices.contains(Int(event.track)) { return "an event has a track" }
      switch event.message {
      case .channel(let message): notes += message.startsNote ? 1 : 0
      case .sysEx(let range):
        sysEx.append(range.indices)
        if timeline.bytes(of: range).contains(where: { $0 > 127 }) { return "SysEx is data" }
      }
    }
    if frame > timeline.endFrame { return "no event is after the end" }
    // At a tick, SysEx of one track may be moved before that of another.
    var sysExEnd = 0
    for range in sysEx.sorted(by: {
      ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound)
    }) {
      if range.lowerBound != sysExEnd { return "SysEx lies end to end" }
      sysExEnd = range.upperBound
    }
    if sysExEnd != timeline.sysEx.count { return "all of SysEx belongs to an event" }
    if notes != timeline.noteCount { return "every note is counted" }
    if timeline.texts.contains(where: { $0.frame > timeline.endFrame }) {
      return "no text is after the end"
    }
    return brokenPlaces(timeline)
  }

  private static func brokenPlaces(_ timeline: Timeline) -> String? {
    let end = timeline.endFrame
    for frame in [0, 1, end / 3, end, end + 1_000] where frame <= Timeline.maximumFrame {
      let tick = timeline.tick(atOrAfter: frame)
      if timeline.frame(ofTick: tick) < frame { return "the first tick is at or after its frame" }
      if tick > 0 && timeline.frame(ofTick: tick - 1) >= frame { return "no earlier tick is" }
      if let line = timeline.barLine(atOrAfter: frame) {
        if line < frame { return "a bar line is at or after its frame" }
        if line <= Timeline.maximumFrame && timeline.barLine(atOrAfter: line) != line {
          return "a bar line is its own"
        }
      }
    }
    return nil
  }
}

extension StandardMIDIFile.Content {
  fileprivate var payloadCount: Int {
    switch self {
    case .channel: 0
    case .sysEx(let bytes), .escape(let bytes): bytes.count
    case .meta(let meta): meta.data.count
    }
  }
}
