import Foundation
import MIDIFile
import RenderCore
import TestSupport

extension Performance {
  /// The notes of the bundled song that begin in a range of seconds, with all other messages until then.
  static func demo(seconds: Range<Double>, rate: Int) throws -> Performance {
    let file = try Data(contentsOf: URL(filePath: repositoryFile("SoundFonts/demo.mid")))
    let timeline = try StandardMIDIFile(decoding: Array(file)).timeline(sampleRate: rate)
    var performance = Performance()
    let first = Int(seconds.lowerBound * Double(rate))
    for event in timeline.events where Double(event.frame) < seconds.upperBound * Double(rate) {
      let frame = max(Int(event.frame) - first, 0)
      switch event.message {
      case .channel(let message):
        if message.startsNote, Int(event.frame) < first { continue }
        performance.add(Step(frame: frame, content: .channel(message)))
      case .sysEx(let range):
        performance.addSysEx(frame, Array(timeline.bytes(of: range)))
      }
    }
    return performance
  }
}
