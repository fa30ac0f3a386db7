// A host: plays a chord on the first instrument there is, each note on a frame of its own, and shows how
// loud it is.
//
//   portative serve &
//   swift run ChordHost

import NodeDirectory
import NodeHost
import RenderCore

let frames = 256

guard let component = ComponentRegistry().components(matching: .init(type: .instrument)).first
else { fatalError("there is no instrument: start a node, such as portative serve") }
let connection = try AudioHost(name: "ChordHost").connect(to: component)
// A host with a sound device leaves `mode` out; its render calls then never wait longer than a cycle.
try connection.initialize(Format(sampleRate: 48_000, maximumFrames: frames), mode: .offline)
print("playing \(connection.port.name) of \(connection.node)")

let output = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 2)
for channel in 0..<2 { output[channel] = .allocate(capacity: frames) }

for (key, offset) in [(60, 0), (64, 7), (67, 100), (72, 1000)] as [(UInt8, Int)] {
  // An offset beyond this cycle is held for the cycle that it falls into.
  _ = connection.schedule(ChannelMessage(.noteOn, channel: 0, key, 100), at: offset)
}
for cycle in 0..<20 {
  // From here on is what a render thread does; it neither allocates nor locks.
  let status = connection.render(frames: frames, into: UnsafePointer(output))
  let peak = (0..<frames).map { abs(output[0][$0]) }.max() ?? 0
  print("cycle \(cycle): \(status), peak \(peak)")
}
connection.close()
