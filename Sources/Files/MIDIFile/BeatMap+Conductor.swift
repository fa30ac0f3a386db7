extension BeatMap {
  /// A file with one track that contains only the tempo and time signature changes, in the finest division in which
  /// all their ticks are whole numbers.
  package var conductor: StandardMIDIFile {
    let fineness = Int64(0x7FFF / barLines.ticksPerQuarter)
    var events = barLines.segments.map {
      StandardMIDIFile.Event(tick: $0.tick * fineness, .meta(.timeSignature($0.signature)))
    }
    events += tempoMap.segments.map {
      .init(tick: $0.tick * fineness, .meta(.tempo(UInt32($0.unitsPerTick))))
    }
    // The sort is not stable, but the order of events at the same tick does not matter here.
    events.sort { $0.tick < $1.tick }
    return StandardMIDIFile(
      format: .simultaneous,
      division: .ticksPerQuarter(barLines.ticksPerQuarter * UInt16(fineness)),
      tracks: [.init(bridging: events)])
  }
}

extension StandardMIDIFile.Track {
  /// Creates a track, and inserts empty text events into gaps that are longer than a file can encode.
  package init(bridging events: [StandardMIDIFile.Event]) {
    let longest: Int64 = 1 << 28 - 1
    var (bridged, last) = ([StandardMIDIFile.Event](), Int64(0))
    for event in events {
      while event.tick - last > longest {
        last += longest
        bridged.append(.init(tick: last, .meta(.text(""))))
      }
      bridged.append(event)
      last = event.tick
    }
    self.init(bridged)
  }
}
