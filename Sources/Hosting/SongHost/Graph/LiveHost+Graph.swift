package import LiveAudio
import MIDIFile
import NodeProtocol
import RenderCore

/// How a song leads the transport of a graph.
package enum Timebase: String, Sendable {
  /// It gives bars and tempo unless another program does.
  case free
  /// It replaces a program that gives bars and tempo.
  case take
}

// The transport of a graph, which a song leads and follows: commands act on it, and the song follows.
extension LiveHost {
  /// The device, if its graph's transport is led.
  var graph: (any GraphDevice)? { graphSong == nil ? nil : device as? any GraphDevice }

  /// Who gives bars and tempo to the graph.
  package var timebase: TransportLead.Timebase { graphSong?.lead.timebase ?? .nobody }

  func moveGraph(to frame: Int64, isPlaying: Bool) {
    guard let graph else { return }
    _ = graph.change(.locate(frame: max(0, frame)))
    if isPlaying { _ = graph.change(.start) }
  }

  /// Executes a command that concerns the graph's transport.
  ///
  /// - Returns: Whether the command is possible; `nil` if it concerns only the song.
  func execute(_ command: RemoteCommand, in graph: any GraphDevice) -> Bool? {
    switch command {
    case .togglePlay:
      graph.change(graph.transport?.isPlaying == true ? .stop : .start)
    case .start:
      graph.change(.locate(frame: 0)) && graph.change(.start)
    case .continue: graph.change(.start)
    case .stop: graph.change(.stop)
    case .rewind: graph.change(.locate(frame: 0))
    case .jump(let beat):
      beat.isFinite && abs(beat) < 1e9
        && graph.change(.locate(frame: max(0, scheduler.transport.map.frame(ofBeat: beat))))
    case .toggleRecord, .loop: nil
    }
  }
}
