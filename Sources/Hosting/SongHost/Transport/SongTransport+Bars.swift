import MIDIFile
import RenderCore

extension SongTransport {
  /// Returns the beat at which the bar `bars` bars away starts, but not before the song.
  ///
  /// - Parameter bars: −1 is the start of the current bar, or of the previous bar if less than a beat of the current
  ///   one has passed.
  package func beat(barsAway bars: Int64) -> Double {
    let here = map.bar(at: frame)
    let isInside = map.beat(at: frame) > here.start + Meter(here.signature).beatLength
    return map.beat(ofBar: max(1, here.number + (bars < 0 && isInside ? bars + 1 : bars)))
  }
}
