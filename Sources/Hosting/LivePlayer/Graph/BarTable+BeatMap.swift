import LiveAudio
import MIDIFile
import RenderCore

extension BarTable {
  init(_ map: BeatMap) {
    let entries = ([0] + map.changes).map { frame in
      let bar = map.bar(at: frame)
      return Entry(
        frame: frame, beat: map.beat(at: frame), tempo: map.tempo(at: frame),
        meter: Meter(bar.signature), bar: bar.number, barStart: bar.start)
    }
    self.init(entries, sampleRate: map.sampleRate)
  }
}
