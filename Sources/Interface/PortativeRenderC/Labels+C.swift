public import CPortativeRender
import FluidSynthEngine
import LocalSystem
import MIDIFile
import OfflineRenderer

@_cdecl("portative_rendering_notes")
public func portative_rendering_notes(
  _ rendering: OpaquePointer!, _ notes: UnsafeMutablePointer<portative_note_label>!,
  _ capacity: Int
) -> Int {
  let labels = rendering.object(RenderingHandle.self).labels
  let frames = labels?.frames ?? 0
  return copy(labels?.notes ?? [], to: notes, capacity) { portative_note_label($0, within: frames) }
}

@_cdecl("portative_rendering_note_ports")
public func portative_rendering_note_ports(
  _ rendering: OpaquePointer!, _ ports: UnsafeMutablePointer<UInt8>!, _ capacity: Int
) -> Int {
  let labels = rendering.object(RenderingHandle.self).labels
  return copy(labels?.notes ?? [], to: ports, capacity) { UInt8($0.port) }
}

@_cdecl("portative_rendering_returns")
public func portative_rendering_returns(
  _ rendering: OpaquePointer!, _ returns: UnsafeMutablePointer<Int32>!, _ capacity: Int
) -> Int {
  let labels = rendering.object(RenderingHandle.self).labels
  return copy(labels?.notes ?? [], to: returns, capacity) { Int32($0.returnOf ?? -1) }
}

@_cdecl("portative_rendering_written")
public func portative_rendering_written(
  _ rendering: OpaquePointer!, _ written: UnsafeMutablePointer<Int32>!, _ capacity: Int
) -> Int {
  let rendering = rendering.object(RenderingHandle.self)
  let list = rendering.song.notes
  return copy(rendering.labels?.notes ?? [], to: written, capacity) { label in
    Int32(list?[label.writtenNote] ?? label.writtenNote)
  }
}

@_cdecl("portative_rendering_note_audio")
public func portative_rendering_note_audio(
  _ rendering: OpaquePointer!, _ note: Int32, _ audio: UnsafeMutablePointer<Float>!,
  _ capacity: Int
) -> Int {
  let stream = rendering.object(RenderingHandle.self).stream
  guard let samples = stream.samples(ofNote: Int(note)) else { return 0 }
  for frame in 0..<min(capacity, samples.count / 2) {
    audio[frame] = samples[2 * frame]
    audio[capacity + frame] = samples[2 * frame + 1]
  }
  return samples.count / 2
}

@_cdecl("portative_rendering_tempos")
public func portative_rendering_tempos(
  _ rendering: OpaquePointer!, _ tempos: UnsafeMutablePointer<portative_tempo_label>!,
  _ capacity: Int
) -> Int {
  let labels = rendering.object(RenderingHandle.self).labels
  return copy(labels?.tempos ?? [], to: tempos, capacity) { tempo in
    portative_tempo_label(
      frame: tempo.frame, microseconds_per_quarter: Int32(tempo.microsecondsPerQuarter),
      reserved: 0)
  }
}

@_cdecl("portative_rendering_beats")
public func portative_rendering_beats(
  _ rendering: OpaquePointer!, _ beats: UnsafeMutablePointer<portative_beat_label>!,
  _ capacity: Int
) -> Int {
  let labels = rendering.object(RenderingHandle.self).labels
  return copy(labels?.beats ?? [], to: beats, capacity) { beat in
    portative_beat_label(
      frame: beat.frame, bar: Int32(clamping: beat.bar), beat: Int32(beat.beat),
      numerator: Int32(beat.numerator), denominator: Int32(beat.denominator))
  }
}

@_cdecl("portative_rendering_messages")
public func portative_rendering_messages(
  _ rendering: OpaquePointer!, _ messages: UnsafeMutablePointer<portative_message_label>!,
  _ capacity: Int
) -> Int {
  copy(rendering.object(RenderingHandle.self).labels?.messages ?? [], to: messages, capacity) {
    message in
    portative_message_label(
      frame: Int64(message.frame), track: Int32(message.track), status: message.status,
      data1: message.data1, data2: message.data2, port: UInt8(message.port))
  }
}

extension portative_note_label {
  fileprivate init(_ label: NoteLabel, within frames: Int) {
    self.init()
    onset = Int64(label.onset)
    key_release = Int64(label.keyRelease)
    sound_release = Int64(label.soundRelease)
    let sound = label.soundFrames(within: frames)
    audible = Int64(sound.audible)
    silence = Int64(sound.silence)
    note = Int32(label.note)
    track = Int32(label.track)
    bank = Int32(label.bank)
    program = Int32(label.program)
    ended_by = Int32(label.endedBy ?? -1)
    channel = label.channel
    key = label.key
    velocity = label.velocity
    ending = label.ending.rawValue
  }
}

/// Copies labels to the caller's memory.
///
/// - Returns: The number of all labels.
private func copy<Label, CLabel>(
  _ labels: [Label], to target: UnsafeMutablePointer<CLabel>?, _ capacity: Int,
  _ convert: (Label) -> CLabel
) -> Int {
  if let target {
    for index in 0..<min(capacity, labels.count) {
      (target + index).initialize(to: convert(labels[index]))
    }
  }
  return labels.count
}
