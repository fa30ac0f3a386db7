import MIDIFile
import RenderCore

extension SongTransport {
  /// The beat on which the bar begins that is so many bars away, and not before the song.
  ///
  /// - Parameter bars: −1 is the beginning of this bar, unless less than a beat of it is over: then the bar before.
  package func beat(barsAway bars: Int64) -> Double {
    let here = map.bar(at: frame)
    let isInside = map.beat(at: frame) > here.start + Meter(here.signature).beatLength
    return map.beat(ofBar: max(1, here.number + (bars < 0 && isInside ? bars + 1 : bars)))
  }
}
