import AudioFile
package import NodeProtocol
import RenderCore

extension PortativeServer {
  /// Writes how a preset of a port sounds to an audio file: a phrase of some seconds that ends. The port and all that is
  /// heard stay as they are, because a unit of its own plays, faster than real time.
  ///
  /// Realtime: no. Threads: any.
  ///
  /// - Parameters:
  ///   - index: Among the presets of the port, from 0 on.
  ///   - path: The path of a new WAV file.
  /// - Throws: `noSuchPort` or `noSuchPreset`, or if the unit or the file cannot be made.
  package func writeAudition(
    ofPreset index: Int, of component: ComponentDescription, to path: String
  ) throws {
    let audition = try Audition(
      makePlayerUnit(of: component, Format(sampleRate: Audition.sampleRate)), preset: index)
    var writer = try AudioFileWriter(
      to: .file(path), format: AudioFormat(.wav), sampleRate: Audition.sampleRate,
      rules: OutputRules(mayReplace: { _, _ in false }))
    try writer.write(interleaved: audition.samples.span)
    _ = try writer.finish()
  }
}

/// A phrase that a unit plays with a preset.
struct Audition {
  static let sampleRate = 44_100
  private static let secondsPerBeat = 0.5
  /// The seconds after the last note, at whose end is silence.
  private static let tail = 1.2
  private static let fade = 0.4
  private static let cycle = 512

  /// The interleaved samples of two channels.
  private(set) var samples: [Float] = []

  /// Renders the phrase.
  ///
  /// - Throws: `noSuchPreset` if the unit has no such preset.
  init(_ unit: any RenderUnit, preset index: Int) throws {
    let presets = unit.presets
    guard presets.indices.contains(index) else {
      throw ProtocolError(
        .noSuchPreset, "there is no preset \(index): the port has \(presets.count) presets")
    }
    let preset = presets[index]
    try unit.parameters?.set(preset.values)
    let phrase = Phrase(
      bank: preset.number?.bank ?? 0, program: preset.number?.program ?? 0, keys: [])
    let events = Self.events(phrase)
    let end = (events.last?.frame ?? 0) + Int(Self.tail * Double(Self.sampleRate))
    render(unit, events, frames: end)
    fadeOut()
  }

  /// The notes as a keyboard would play them: on the first channel, also percussion.
  private static func events(_ phrase: Phrase) -> [(frame: Int, message: ChannelMessage)] {
    func frame(_ beat: Double) -> Int { Int(beat * secondsPerBeat * Double(sampleRate)) }
    return phrase.notes.flatMap { note in
      [
        (frame(note.beat), ChannelMessage(.noteOn, channel: 0, note.key, note.velocity)),
        (frame(note.beat + note.length), ChannelMessage(.noteOff, channel: 0, note.key, 64)),
      ]
    }.sorted { $0.0 < $1.0 }
  }

  private mutating func render(
    _ unit: any RenderUnit, _ events: [(frame: Int, message: ChannelMessage)], frames: Int
  ) {
    let channels = [0, 1].map { _ in
      UnsafeMutablePointer<Float>.allocate(capacity: Self.cycle)
    }
    defer { for channel in channels { channel.deallocate() } }
    samples.reserveCapacity(2 * frames)
    var next = 0
    for position in stride(from: 0, to: frames, by: Self.cycle) {
      let count = min(Self.cycle, frames - position)
      var own: [MIDIEvent] = []
      while next < events.count, events[next].frame < position + count {
        own.append(
          MIDIEvent(
            offset: UInt32(events[next].frame - position), content: .channel(events[next].message)))
        next += 1
      }
      own.withUnsafeBufferPointer { own in
        channels.withUnsafeBufferPointer { channels in
          let midi = MIDICycle(frames: count, events: own)
          var cycle = RenderCycle(
            midi: midi, position: Int64(position), hostTime: 0, output: channels.baseAddress!)
          unit.prepare(for: midi)
          _ = unit.renderer.render(&cycle)
        }
      }
      for frame in 0..<count {
        samples.append(channels[0][frame])
        samples.append(channels[1][frame])
      }
    }
  }

  private mutating func fadeOut() {
    let frames = Int(Self.fade * Double(Self.sampleRate))
    let begin = samples.count / 2 - frames
    for frame in 0..<frames {
      let factor = Float(frames - 1 - frame) / Float(frames)
      samples[2 * (begin + frame)] *= factor
      samples[2 * (begin + frame) + 1] *= factor
    }
  }
}
