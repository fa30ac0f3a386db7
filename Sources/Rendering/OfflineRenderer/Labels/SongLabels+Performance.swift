import FluidSynthEngine
import MIDIFile
import RenderCore

extension SongLabels {
  /// The notes as they sounded, as a MIDI file with a track for each port: from onset to sound release, without pedals
  /// and without notes that have no sound, with the other messages.
  ///
  /// Each event is on its frame when the file is rendered at the rate of the audio.
  var performance: [UInt8] {
    let ticks = FrameTicks(sampleRate: sampleRate)
    let tracks = (0..<max(1, ports.count)).map { port in
      var events: [StandardMIDIFile.Event] = []
      if port == 0 { events.append(.init(tick: 0, .meta(.tempo(ticks.tempo)))) }
      if ports.count > 1 {
        let number = ports[port].number ?? 128 + port
        events.append(.init(tick: 0, .meta(.port(UInt8(clamping: number)))))
      }
      return StandardMIDIFile.Track(
        bridging: events
          + performedEvents(ofPort: port).map { event in
            .init(tick: ticks.tick(of: event.frame), .channel(event.message))
          })
    }
    let file = StandardMIDIFile(
      format: tracks.count == 1 ? .singleTrack : .simultaneous,
      division: .ticksPerQuarter(ticks.division), tracks: tracks)
    do {
      return try file.encoded()
    } catch {
      // Bridged tracks have no long gaps, and no song has a track of 4 GB.
      preconditionFailure("\(error)")
    }
  }

  /// At a frame, notes end, then other messages act, then notes begin.
  private func performedEvents(ofPort port: Int) -> [(frame: Int64, message: ChannelMessage)] {
    var ranked: [(frame: Int, rank: Int, message: ChannelMessage)] = []
    for message in messages where message.port == port {
      guard
        let content = ChannelMessage(
          status: message.status, data1: message.data1, data2: message.data2),
        !content.endsNotes
      else { continue }
      ranked.append((message.frame, 1, content))
    }
    for (note, frames) in performedNotes(ofPort: port) {
      ranked.append(
        (frames.lowerBound, 2, .init(.noteOn, channel: note.channel, note.key, note.velocity)))
      ranked.append((frames.upperBound, 0, .init(.noteOff, channel: note.channel, note.key, 64)))
    }
    return ranked.enumerated().sorted {
      ($0.element.frame, $0.element.rank, $0.offset) < (
        $1.element.frame, $1.element.rank, $1.offset
      )
    }.map { (Int64($0.element.frame), $0.element.message) }
  }

  /// The notes that sound in the audio, with their first frame and the frame of their release: at the latest where
  /// their key is struck again, because a MIDI file cannot hold a key twice.
  private func performedNotes(ofPort port: Int) -> [(note: NoteLabel, frames: Range<Int>)] {
    var performed: [(NoteLabel, Range<Int>)] = []
    // By channel and key, the note that follows.
    var next: [Int: Range<Int>] = [:]
    for note in notes.reversed() where note.port == port && note.ending != .unmapped {
      let begin = max(note.onset, 0)
      // A note that was released before the audio begins only fades in it.
      guard note.soundRelease > 0 || note.onset >= 0 else { continue }
      let key = Int(note.channel) * 128 + Int(note.key)
      var end = max(note.soundRelease, begin + 1)
      if let next = next[key] {
        // Notes of one key and frame end together.
        end = next.lowerBound > begin ? min(end, next.lowerBound) : next.upperBound
      }
      next[key] = begin..<end
      performed.append((note, begin..<end))
    }
    return performed.reversed()
  }
}

extension ChannelMessage {
  /// Whether this is a pedal or ends notes, which is part of what notes were performed.
  fileprivate var endsNotes: Bool {
    kind == .controlChange && [64, 66, 120, 123].contains(data1)
  }
}
