import LiveMIDI
import LocalSystem
import NodeProtocol
import RenderCore

extension PortRenderer {
  var report: PortReport.Rendering {
    PortReport.Rendering(
      sampleRate: initialization.sampleRate, maximumFrames: initialization.maximumFrames,
      isOffline: initialization.isOffline, isRealtime: scheduling.isRealtime,
      cycles: counters.cycles,
      load: counters.load(sampleRate: initialization.sampleRate),
      malformedEvents: counters.malformed, lateEvents: counters.late,
      droppedEvents: counters.droppedOutput, invalidSamples: invalidSamples.output,
      invalidInputSamples: invalidSamples.input, lateCycles: counters.lateCycles, unit: unit.status)
  }
}

extension PortReport.RoundTrips {
  init(_ host: Peer, _ figures: RecentRoundTrips.Figures) {
    func microseconds(_ nanoseconds: UInt32) -> Double {
      (Double(nanoseconds) / 100).rounded() / 10
    }
    self.init(
      host: Peer(name: host.name, processID: host.processID),
      median: microseconds(figures.median), longest: microseconds(figures.longest))
  }
}

extension HostSong {
  init(_ transport: Transport) {
    self.init(
      isPlaying: transport.isPlaying, isRecording: transport.isRecording,
      isLooping: transport.isLooping, beat: transport.beat, tempo: transport.tempo,
      meter: "\(transport.meter.count)/\(transport.meter.unit)")
  }
}

extension PlaybackStatistics {
  var report: PortReport.Rendering {
    PortReport.Rendering(
      sampleRate: format.sampleRate, maximumFrames: format.maximumFrames, isOffline: false,
      isRealtime: nil, cycles: cycles, load: load, malformedEvents: 0, lateEvents: 0,
      droppedEvents: 0, invalidSamples: invalidSamples, lateCycles: lateCycles, unit: unit)
  }
}
