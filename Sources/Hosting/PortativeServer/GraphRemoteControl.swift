import LiveAudio
import NodeProtocol
import NodeServer
import RenderCore
import SoundDevices

/// Executes the commands of nodes on the transport of the sound graph, which ports without a host follow.
struct GraphRemoteControl: TransportControl {
  let transport: GraphTransport
  let commands: [RemoteCommand.Kind] = [.togglePlay, .rewind, .start, .stop, .continue, .jump]

  func execute(_ command: RemoteCommand) -> Bool {
    switch command {
    case .togglePlay:
      guard let state = transport.state else { return false }
      return transport.change(state.isPlaying ? .stop : .start)
    case .start, .continue: return transport.change(.start)
    case .stop: return transport.change(.stop)
    case .rewind: return transport.change(.locate(frame: 0))
    case .jump(let beat):
      guard let state = transport.state, let rate = transport.sampleRate,
        let frame = Self.frame(ofBeat: beat, state, sampleRate: rate)
      else { return false }
      return transport.change(.locate(frame: frame))
    case .toggleRecord, .loop: return false
    }
  }

  /// Returns the frame nearest to a beat in the present tempo, which only a timebase master knows; `nil` without one.
  static func frame(ofBeat beat: Double, _ state: Transport, sampleRate: Int) -> Int64? {
    if beat <= 0 { return 0 }
    guard state.provides.contains(.beat), state.tempo > 0 else { return nil }
    let seconds = (beat - state.beat) * 60 / state.tempo
    return Int64(exactly: max(0, Double(state.songFrame) + seconds * Double(sampleRate)).rounded())
  }
}
