// A host: plays a chord on the first instrument, each note on its own frame, and prints the level of each cycle.
//
//   portative serve &
//   swift run ChordHost

import NodeHost
import NodeProtocol
import RenderCore

let frames = 256
let cycles = 20

guard let component = ComponentRegistry().components(matching: .init(type: .instrument)).first
else { fatalError("there is no instrument: start a node, for instance with 'portative serve'") }
let connection = try AudioHost(name: "ChordHost").connect(to: component)
// A host with a sound device omits `mode`. Its render calls then never wait longer than a cycle.
try connection.initialize(Format(sampleRate: 48_000, maximumFrames: frames), mode: .offline)
print("playing \(connection.port.name) of \(connection.node)")

let output = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 2)
for channel in 0..<2 { output[channel] = .allocate(capacity: frames) }
var results = [(status: RenderStatus, peak: Float)](repeating: (.late, 0), count: cycles)

for (key, offset) in [(60, 0), (64, 7), (67, 100), (72, 1000)] as [(UInt8, Int)] {
  // An event beyond the next cycle is held until its cycle: frame 1000 is in the fourth.
  _ = connection.schedule(ChannelMessage(.noteOn, channel: 0, key, 100), at: offset)
}
// This is the work of a render thread. It neither allocates nor locks, so the results are printed afterwards.
for cycle in 0..<cycles {
  results[cycle].status = connection.render(frames: frames, into: UnsafePointer(output))
  for frame in 0..<frames {
    results[cycle].peak = max(results[cycle].peak, abs(output[0][frame]))
  }
}
for (cycle, result) in results.enumerated() {
  print("cycle \(cycle): \(result.status), peak \(result.peak)")
}
connection.close()
