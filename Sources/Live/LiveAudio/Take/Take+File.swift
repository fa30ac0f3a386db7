package import MIDIFile

extension Take {
  /// The take as a file with a track for each port, which has the port's name, and one
  /// for each sound of its zones. Rendered at the take's sample rate, each
  /// event is on its frame.
  package var file: StandardMIDIFile {
    let ticks = FrameTicks(sampleRate: sampleRate)
    let conductor = StandardMIDIFile.Track([.init(tick: 0, .meta(.tempo(ticks.tempo)))])
    let tracks = tracks.map { track in
      var events = [StandardMIDIFile.Event(tick: 0, .meta(.text(track.name, .trackName)))]
      for event in track.events {
        let tick = ticks.tick(of: event.frame)
        switch event.content {
        case .channel(let message): events.append(.init(tick: tick, .channel(message)))
        case .sysEx(let bytes): events.append(.init(tick: tick, .sysEx(bytes.filter { $0 < 0x80 })))
        }
      }
      return StandardMIDIFile.Track(bridging: events)
    }
    return StandardMIDIFile(
      format: .simultaneous, division: .ticksPerQuarter(ticks.division),
      tracks: [conductor] + tracks)
  }
}
