import CCLAP
import RenderCore

extension Transport {
  /// Makes a transport of CLAP's. Realtime: yes.
  ///
  /// Values that are missing or not finite are not provided. Source: CLAP 1.2, `events.h`.
  ///
  /// - Parameter sampleRate: The rate in Hz.
  @_noLocks init(_ event: clap_event_transport, sampleRate: Double) {
    self.init(provides: .state)
    func has(_ flag: Int) -> Bool { Int(event.flags) & flag != 0 }
    let beats = 1 / Double(CLAP_BEATTIME_FACTOR)
    isPlaying = has(CLAP_TRANSPORT_IS_PLAYING)
    isRecording = has(CLAP_TRANSPORT_IS_RECORDING)
    if has(CLAP_TRANSPORT_HAS_TEMPO), event.tempo.isFinite, event.tempo >= 0,
      has(CLAP_TRANSPORT_HAS_BEATS_TIMELINE)
    {
      provide(.beat)
      beat = Double(event.song_pos_beats) * beats
      tempo = event.tempo
      tempoSlope = event.tempo_inc.isFinite ? event.tempo_inc : 0
      if has(CLAP_TRANSPORT_HAS_TIME_SIGNATURE), event.tsig_num > 0,
        event.tsig_denom > 0, event.tsig_denom <= 32_768
      {
        provide(.meter)
        meter = Meter(event.tsig_num, event.tsig_denom)
        barStart = Double(event.bar_start) * beats
      }
      if has(CLAP_TRANSPORT_IS_LOOP_ACTIVE) {
        provide(.loop)
        isLooping = true
        loopStart = Double(event.loop_start_beats) * beats
        loopEnd = Double(event.loop_end_beats) * beats
      }
    }
    if has(CLAP_TRANSPORT_HAS_SECONDS_TIMELINE) {
      provide(.songFrame)
      let seconds = Double(event.song_pos_seconds) / Double(CLAP_SECTIME_FACTOR)
      let frames = seconds * sampleRate
      if abs(frames) < 1e15 { songFrame = Int64(frames < 0 ? frames - 0.5 : frames + 0.5) }
    }
  }

  @_noLocks private mutating func provide(_ part: Provision) {
    provides = Provision(rawValue: provides.rawValue | part.rawValue)
  }
}
