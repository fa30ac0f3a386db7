extension TakeHistory {
  /// Returns a part of what was played; `nil` if there is no note in it.
  ///
  /// A take of one unit, or of units that began together, counts the frames that they have rendered. Another take of
  /// several units, such as one of a device that was opened again, counts the time between them, in frames of the last
  /// device.
  func take(_ request: TakeRequest, at now: Int64) -> Take? {
    let earliest = request.seconds.map { now - Int64($0 * 1e9) } ?? .min
    var settings = settings
    var kept: [Entry] = []
    for entry in entries {
      guard let unit = units[entry.unit], request.port == nil || unit.port == request.port else {
        continue
      }
      if time(of: entry) < earliest {
        settings[entry.unit, default: TakeSettings()].follow(entry.content)
      } else {
        kept.append(entry)
      }
    }
    guard let first = kept.first, let last = kept.last, let session = session(of: last.unit) else {
      return nil
    }
    let isOneUnit = kept.allSatisfy { $0.unit == first.unit }
    let haveOneBeginning =
      isOneUnit
      || kept.allSatisfy { entry in
        entry.origin == first.origin && units[entry.unit]?.session == units[first.unit]?.session
      }
    let rate = Double(session.sampleRate)
    let begin = request.followsDevice ? session.begin : sessions.values.map(\.begin).min() ?? 0
    // Whole frames, so that events of a session keep their distances.
    func frame(_ position: Int64, _ origin: Int64, _ own: Session) -> Int64 {
      if haveOneBeginning, !request.followsDevice { return position - origin }
      let offset = Int64((Double(own.begin - begin) / 1e9 * rate).rounded())
      if own.sampleRate == session.sampleRate { return offset + position }
      return offset + Int64((Double(position) / Double(own.sampleRate) * rate).rounded())
    }
    var builders: [TakeTrackBuilder] = []
    for entry in kept {
      guard let unit = units[entry.unit], let own = sessions[unit.session] else { continue }
      let index = builders.firstIndex { $0.plays(unit) } ?? builders.count
      if index == builders.count { builders.append(TakeTrackBuilder(unit)) }
      builders[index].add(
        entry.content, of: entry.unit, at: frame(entry.frame, entry.origin, own),
        settings: settings[entry.unit],
        lastFrame: frame(own.frame(at: now), entry.origin, own))
    }
    for index in builders.indices { builders[index].end() }
    builders.removeAll { $0.firstNote == nil }
    builders.sort { ($0.firstNote ?? 0) < ($1.firstNote ?? 0) }
    guard let firstNote = builders.first?.firstNote else { return nil }
    let start = request.followsDevice || request.keepsSilence && haveOneBeginning ? 0 : firstNote
    return Take(
      sampleRate: session.sampleRate,
      tracks: builders.map { $0.track(from: start) },
      firstNote: firstNote - start,
      isWhole: haveOneBeginning && kept.allSatisfy { settings[$0.unit] == nil },
      hasLosses: kept.contains { $0.content == .loss })
  }
}
