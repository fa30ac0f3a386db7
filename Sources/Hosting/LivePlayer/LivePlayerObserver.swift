package import MIDIFile
package import NodeProtocol
package import OfflineRenderer

/// Receives what a ``LivePlayer`` reports, and controls it.
///
/// Threads: the thread of ``LivePlayer/run(_:)``.
package protocol LivePlayerObserver {
  /// Whether ``LivePlayerState/voices`` is requested from the node, once per second.
  var showsVoices: Bool { get }

  func report(_ event: PlayerEvent)

  /// Called about 30 times per second with the present state.
  ///
  /// - Returns: The user's requests since the last call.
  func update(_ state: LivePlayerState) -> [LivePlayerRequest]
}

/// The state of a ``LivePlayer``, for display.
package struct LivePlayerState {
  package let song: SongTransport
  /// The song as it is played, with the changes.
  package let timeline: Timeline
  package let changes: SongChanges
  package let isClicking: Bool
  /// The peaks of the output since the last call.
  package let peaks: (left: Float, right: Float)
  /// The number of voices of the first instrument; `nil` if unknown.
  package let voices: Int?
  /// The number of late cycles, summed over all nodes.
  package let lateCycles: Int
}

/// A request of the user.
package enum LivePlayerRequest: Equatable {
  case command(RemoteCommand)
  case toggleMetronome
  /// Plays the song with these changes from now on.
  case change(SongChanges)
  case quit
}
