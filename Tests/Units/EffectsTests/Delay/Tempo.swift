import RenderCore

@testable import Effects

/// Returns a follower of a host whose song plays at a tempo.
func tempo(_ tempo: Double, slope: Double = 0) -> TempoFollower {
  var transport = Transport()
  transport.isPlaying = true
  transport.tempo = tempo
  transport.tempoSlope = slope
  return TempoFollower(transport)
}
