public import CPortative
import RenderCore

// Realtime: yes.
extension Transport {
  @_noLocks init(_ transport: portative_transport) {
    self.init(provides: Provision(rawValue: transport.provides & 31))
    isPlaying = transport.is_playing
    isRecording = transport.is_recording
    isLooping = transport.is_looping
    meter = Meter(transport.meter_count, transport.meter_unit)
    beat = transport.beat
    tempo = transport.tempo
    tempoSlope = transport.tempo_slope
    barStart = transport.bar_start
    loopStart = transport.loop_start
    loopEnd = transport.loop_end
    songFrame = transport.song_frame
  }
}

extension portative_transport {
  @_noLocks init(_ transport: Transport) {
    self.init()
    provides = transport.provides.rawValue
    is_playing = transport.isPlaying
    is_recording = transport.isRecording
    is_looping = transport.isLooping
    meter_count = transport.meter.count
    meter_unit = transport.meter.unit
    beat = transport.beat
    tempo = transport.tempo
    tempo_slope = transport.tempoSlope
    bar_start = transport.barStart
    loop_start = transport.loopStart
    loop_end = transport.loopEnd
    song_frame = transport.songFrame
  }
}

@_noLocks @_cdecl("portative_transport_beat")
public func portative_transport_beat(
  _ transport: UnsafePointer<portative_transport>!, _ frames: Double, _ sampleRate: Double
) -> Double {
  Transport(transport.pointee).beat(after: frames, sampleRate: sampleRate)
}

@_noLocks @_cdecl("portative_transport_frames")
public func portative_transport_frames(
  _ transport: UnsafePointer<portative_transport>!, _ beat: Double, _ sampleRate: Double
) -> Double {
  Transport(transport.pointee).frames(until: beat, sampleRate: sampleRate)
}
