package import AudioFile
package import RenderCore
import Synchronization

/// Makes units that play audio by the transport of a song: frame *n* of the audio is heard at frame *n* of the song. Audio of
/// another rate is converted.
///
/// The audio has its own samples where the song plays on; where the song stops or jumps, it fades within 5 ms, without a
/// click. Nothing is heard before frame 0 and after the end of the audio.
package struct AudioTrackSource: RenderUnitSource {
  private let audio: RatedAudio

  package init(_ audio: AudioSamples) { self.audio = RatedAudio(audio) }

  /// A source of silence, for a song that is only a metronome.
  package static var silence: Self { Self(AudioSamples(sampleRate: 48_000)) }

  /// Converts the audio, so that a unit of this rate is made at once.
  package func prepare(for sampleRate: Int) throws { _ = try audio.samples(at: sampleRate) }

  package func makeUnit(_ format: Format) throws -> any RenderUnit {
    AudioTrack(try audio.samples(at: format.sampleRate), format)
  }
}

/// Audio, and what it was converted to last.
private final class RatedAudio: Sendable {
  private let original: AudioSamples
  private let converted = Mutex<AudioSamples?>(nil)

  init(_ audio: AudioSamples) { original = audio }

  func samples(at rate: Int) throws -> AudioSamples {
    try converted.withLock { converted in
      if let converted, converted.sampleRate == rate { return converted }
      let audio = try original.converted(to: rate)
      converted = audio
      return audio
    }
  }
}

private final class AudioTrack: RenderUnit, @unchecked Sendable {
  let renderer: Renderer
  private let memory = RenderMemory()

  init(_ audio: AudioSamples, _ format: Format) {
    let memory = memory
    memory.keep(audio)
    let state = memory.make(
      AudioTrackState(
        audio.samples, channels: format.outputChannels, sampleRate: format.sampleRate))
    renderer = Renderer(state: UnsafeMutableRawPointer(state), renderAudioTrack)
  }
}

/// The state of the render thread of an audio track.
///
/// Realtime: yes.
private struct AudioTrackState: @unchecked Sendable, BitwiseCopyable {
  private let samples: UnsafeBufferPointer<Float>
  private let channels: Int
  /// The number of frames of a fade.
  private let fadeFrames: Int
  /// The next frame of the audio; ``stopped`` while the song is.
  private var position = Self.stopped
  /// The number of frames for which the audio has risen, up to ``fadeFrames``.
  private var risen = 0
  /// What fades out after a stop or a jump: its next frame, and the number of frames left.
  private var oldPosition: Int64 = 0
  private var oldFrames = 0

  private static var stopped: Int64 { @_noLocks get { .min } }

  init(_ samples: UnsafeBufferPointer<Float>, channels: Int, sampleRate: Int) {
    (self.samples, self.channels) = (samples, channels)
    fadeFrames = max(1, sampleRate / 200)
  }

  @_noLocks mutating func render(_ cycle: RenderCycle) {
    for channel in 0..<channels {
      cycle.output[channel].update(repeating: 0, count: cycle.frames)
    }
    var steps = CycleSteps(cycle)
    while let step = steps.next() {
      switch step {
      case .transport(let transport): follow(transport)
      case .frames(let begin, let end): play(cycle, begin, end)
      case .parameter, .event: break
      }
    }
  }

  @_noLocks private mutating func follow(_ transport: Transport) {
    let isPlaying = transport.isPlaying && transport.provides.has(.songFrame)
    let target = isPlaying ? transport.songFrame : Self.stopped
    if target == position { return }
    if position != Self.stopped { (oldPosition, oldFrames) = (position, fadeFrames) }
    // The beginning of the audio has its own samples.
    risen = target <= 0 ? fadeFrames : 0
    position = target
  }

  @_noLocks private mutating func play(_ cycle: RenderCycle, _ begin: Int, _ end: Int) {
    for frame in begin..<end {
      if position != Self.stopped {
        var gain: Float = 1
        if risen < fadeFrames {
          risen += 1
          gain = Float(risen) / Float(fadeFrames)
        }
        add(position, gain, to: cycle, at: frame)
        position += 1
      }
      if oldFrames > 0 {
        oldFrames -= 1
        add(oldPosition, Float(oldFrames) / Float(fadeFrames), to: cycle, at: frame)
        oldPosition += 1
      }
    }
  }

  @_noLocks private func add(_ position: Int64, _ gain: Float, to cycle: RenderCycle, at frame: Int)
  {
    guard position >= 0, position < Int64(samples.count / 2) else { return }
    let index = 2 * Int(position)
    if channels == 1 {
      cycle.output[0][frame] += (samples[index] + samples[index + 1]) * (gain / 2)
      return
    }
    for channel in 0..<2 {
      cycle.output[channel][frame] += samples[index + channel] * gain
    }
  }
}

@_noLocks private func renderAudioTrack(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: AudioTrackState.self).pointee.render(cycle.renderCycle)
  return false
}
