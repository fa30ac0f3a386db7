import CLV2
package import RenderCore

extension Transport {
  /// Makes a transport of a `time:Position` object.
  ///
  /// Beats are those of the meter: with a meter of 6/8, 120 beats per minute are 60 quarter notes. Without a speed, the
  /// host is assumed to play. Values that are missing or not finite are not provided.
  ///
  /// Realtime: yes. Source: LV2's time extension.
  @_noLocks package init?(_ event: AtomRecord, _ types: AtomTypes) {
    guard let object = AtomObject(event, types), object.type == types.position else { return nil }
    var properties = object.properties
    var (speed, unit, count) = (1.0, 4.0, 4.0)
    var (tempo, frame, bar, barBeat, beat): (Double?, Double?, Double?, Double?, Double?)
    var hasMeter = false
    while let property = properties.removeFirst() {
      guard let number = property.number(types), number.isFinite, abs(number) < 1e15 else {
        continue
      }
      switch property.key {
      case types.speed: speed = number
      case types.frame: frame = number
      case types.bar: bar = number
      case types.barBeat: barBeat = number
      case types.beat: beat = number
      case types.beatsPerMinute: tempo = number
      case types.beatUnit: if number >= 1, number <= 32_768 { unit = number }
      case types.beatsPerBar:
        if number >= 1, number <= 65_535 {
          count = number
          hasMeter = true
        }
      default: break
      }
    }
    self.init(provides: .state)
    isPlaying = speed != 0
    let quarters = 4 / unit
    if let frame {
      songFrame = Int64(frame)
      provides = Provision(rawValue: provides.rawValue | Provision.songFrame.rawValue)
    }
    if hasMeter { meter = Meter(UInt16(count), UInt16(unit)) }
    if let bar { barStart = bar * count * quarters }
    if beat == nil, let bar, let barBeat { beat = bar * count + barBeat }
    if let beat, let tempo, tempo >= 0 {
      self.beat = beat * quarters
      self.tempo = tempo * quarters * (speed > 0 ? speed : 1)
      provides = Provision(rawValue: provides.rawValue | Provision.beat.rawValue)
      if bar == nil, let barBeat { barStart = (beat - barBeat) * quarters }
      if hasMeter, bar != nil || barBeat != nil {
        provides = Provision(rawValue: provides.rawValue | Provision.meter.rawValue)
      }
    }
  }
}
