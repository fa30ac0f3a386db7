// Plays the phrase of Examples/c/host.c, and writes its samples as 32-bit floats to the standard output.
//
//   phrase NAME

import Glibc
import LocalSystem
import NodeHost
import NodeProtocol
import RenderCore

let sampleRate = 48_000
let frames = 256
let cycles = 3 * sampleRate / frames

// Types of other modules in public signatures.
let environment: ProcessEnvironment = .current
do throws(RealtimePriorityError) {
  try AudioHost.requestRealtimePriority()
} catch {
  _ = error.limit
}

let query = ComponentQuery(type: .instrument, name: CommandLine.arguments[1])
let component = ComponentRegistry(environment).components(matching: query)[0]
let host = AudioHost(name: "Swift client", environment: environment)
let connection = try host.connect(to: component)
try connection.initialize(
  Format(sampleRate: sampleRate, outputChannels: 2, maximumFrames: frames), mode: .offline)
for (index, key) in ([60, 64, 67, 72, 76, 72, 67, 64] as [UInt8]).enumerated() {
  let frame = index * sampleRate * 3 / 10
  _ = connection.schedule(ChannelMessage(.noteOn, channel: 0, key, 100), at: frame)
  _ = connection.schedule(
    ChannelMessage(.noteOff, channel: 0, key, 64), at: frame + sampleRate / 4)
}
let output = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 2)
for channel in 0..<2 { output[channel] = .allocate(capacity: frames) }
for cycle in 0..<cycles {
  var transport = Transport(provides: [.beat, .state])
  transport.isPlaying = true
  transport.beat = Double(cycle * frames) / Double(sampleRate) * 2
  connection.setTransport(transport)
  let status = connection.render(frames: frames, into: UnsafePointer(output))
  guard status == .rendered else { fatalError("cycle \(cycle): \(status)") }
  let both = (0..<frames).flatMap { [output[0][$0], output[1][$0]] }
  let written = both.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  guard written == both.count * 4 else { fatalError("the output cannot be written") }
}
connection.close()
