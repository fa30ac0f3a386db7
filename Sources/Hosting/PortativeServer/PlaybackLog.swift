import LiveAudio
import NodeServer
import Synchronization

/// Logs the events of a server's sound devices. What several devices report alike is logged once.
///
/// Threads: any.
final class PlaybackLog: Sendable {
  /// Weak, because the server's scenes own the playback that reports here.
  private weak let server: NodeServer?
  private let observer: any ServerObserver
  private let state = Mutex(State())

  private struct State {
    /// The summaries of the devices that play, by the number of the device.
    var playing: [Int: String] = [:]
    /// The messages that were logged since a device last began to play.
    var logged: Set<String> = []
    /// The device whose xruns count, because all devices of a graph report the same ones.
    var leader: Int?
    var devices = 0
    var xruns = 0
    /// Why there is no sound, since a device last played or could be opened.
    var silence: SoundSilence?
  }

  init(of server: NodeServer, _ observer: any ServerObserver) {
    (self.server, self.observer) = (server, observer)
  }

  /// The number of xruns.
  var xruns: Int { state.withLock { $0.xruns } }

  /// Why there is no sound; `nil` while a device plays or can be opened.
  var silence: SoundSilence? { state.withLock { $0.silence } }

  /// Returns the closure that receives the events of one more device.
  func addDevice() -> @Sendable (LocalPlaybackEvent) -> Void {
    let device = state.withLock { state in
      state.devices += 1
      return state.devices
    }
    return { [self] in receive($0, from: device) }
  }

  private func receive(_ event: LocalPlaybackEvent, from device: Int) {
    let isNew = state.withLock { state in
      switch event {
      case .sound(.playing(let summary)), .sound(.returned(let summary)):
        state.playing[device] = summary
        state.logged = []
        state.leader = state.leader ?? device
      case .ready, .closed, .sound(.silent), .sound(.lost), .sound(.absentTooLong):
        state.playing[device] = nil
        if state.leader == device { state.leader = state.playing.keys.min() }
      case .sound(.device), .failed, .slow, .notRenewed: break
      }
      switch event {
      case .sound(.playing), .sound(.returned), .ready: state.silence = nil
      case .sound(.silent(let error)):
        state.silence = SoundSilence(.unusable, device: error.device, reason: error.reason)
      case .sound(.lost(let reason)), .sound(.absentTooLong(let reason)):
        state.silence = SoundSilence(.lost, device: nil, reason: reason)
      case .closed, .sound(.device), .failed, .slow, .notRenewed: break
      }
      server?.sound = state.leader.flatMap { state.playing[$0] }
      if case .sound(.device) = event, let leader = state.leader, leader != device {
        return false
      }
      if case .sound(.device(.xruns(let count))) = event { state.xruns += count }
      // One device ends with its song while those of the ports go on.
      if event == .closed, !state.playing.isEmpty { return false }
      switch event {
      case .sound(.playing), .sound(.returned): return true
      default: break
      }
      return state.logged.insert(event.description).inserted || !event.isError
    }
    if !isNew { return }
    if event.isError {
      observer.log(error: event.description)
    } else {
      observer.log(event.description)
    }
  }
}

extension LocalPlaybackEvent {
  fileprivate var isError: Bool {
    switch self {
    case .sound(.silent), .sound(.lost), .sound(.absentTooLong), .failed, .notRenewed: true
    case .sound(.playing), .sound(.returned), .sound(.device), .ready, .closed, .slow: false
    }
  }
}
