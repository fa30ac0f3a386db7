extension BeatMap {
  /// A file of one track with nothing but the tempi and meters, in the finest division that has all their ticks.
  package var conductor: StandardMIDIFile {
    let fineness = Int64(0x7FFF / barLines.ticksPerQuarter)
    var events = barLines.segments.map {
      StandardMIDIFile.Event(tick: $0.tick * fineness, .meta(.timeSignature($0.signature)))
    }
    events += tempoMap.segments.map {
      .init(tick: $0.tick * fineness, .meta(.tempo(UInt32($0.unitsPerTick))))
    }
    // Sorting keeps no order among equals, and of these none is needed.
    events.sort { $0.tick < $1.tick }
    return StandardMIDIFile(
      format: .simultaneous,
      division: .ticksPerQuarter(barLines.ticksPerQuarter * UInt16(fineness)),
      tracks: [.init(bridging: events)])
  }
}

extension StandardMIDIFile.Track {
  /// Makes a track with empty texts where events are further apart than a file can say.
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
