import Foundation
import FluidSynthInstrument
import MIDIFile
import OfflineRenderer
import RenderCore
go()
func go() {
  let a = CommandLine.arguments
  let timing = a[3]; let threads = Int(a[4])!; let cycleFrames = Int(a[5])!
  let t0 = ContinuousClock.now
  let file = try! StandardMIDIFile(decoding: [UInt8](try! Data(contentsOf: URL(filePath: a[1]))))
  let tl = try! file.timeline(sampleRate: 48000)
  let t1 = ContinuousClock.now
  let total = Int(tl.endFrame) + 96000
  var l = [Float](repeating: 0, count: cycleFrames), r = l
  var events: [MIDIEvent] = []
  var next = 0, start = 0
  var peak: Float = 0
  var s = InstrumentSettings(maximumFrames: max(cycleFrames, 64), threads: threads)
  if a.count > 6 { s.effects = Effects(reverb: false, chorus: false) }
  let ex = timing == "exact" ? try! ExactInstrument(soundFont: a[2], settings: s) : nil
  let st = timing == "stock" ? try! StockInstrument(soundFont: a[2], settings: s) : nil
  let crew = ex.map { TestCrew($0) }
  let t2 = ContinuousClock.now
  while start < total {
    let n = min(cycleFrames, total - start)
    events.removeAll(keepingCapacity: true)
    var notes = 0
    while next < tl.events.count, tl.events[next].frame < Int64(start + n) {
      let e = tl.events[next]; next += 1
      let off = UInt32(Int(e.frame) - start)
      switch e.message {
      case .channel(let m): events.append(MIDIEvent(offset: off, content: .channel(m))); if m.startsNote { notes += 1 }
      case .sysEx(let g): events.append(MIDIEvent(offset: off, content: .sysEx(start: g.start, count: g.count)))
      }
    }
    try! ex?.reserveLanes(notes)
    events.withUnsafeBufferPointer { e in tl.sysEx.withUnsafeBufferPointer { x in
      let c = Cycle(frames: n, events: e, sysEx: x)
      st?.render(c, left: &l, right: &r)
      crew?.render(c, left: &l, right: &r)
    } }
    for i in 0..<n { peak = max(peak, abs(l[i])) }
    start += n
  }
  let t3 = ContinuousClock.now
  let audio = Double(total) / 48000
  let d = (t3 - t2) / .seconds(1)
  print(timing, threads, cycleFrames, "parse", t1 - t0, "load", t2 - t1, "render", d, "x", audio / d, "peak", peak, ex?.statistics ?? st!.statistics)
}
