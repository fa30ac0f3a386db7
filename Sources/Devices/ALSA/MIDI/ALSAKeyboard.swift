import LocalSystem
import RenderCore

/// A sequencer client with one output port, used as a test keyboard. Other programs neither list nor connect the port.
///
/// Realtime: no. Threads: one at a time.
package final class ALSAKeyboard {
  private let sequencer: ALSASequencer
  private let encoder: MIDIOutputEncoder
  private let port: PortAddress

  /// - Parameter receiver: The port that this keyboard is connected to.
  package init(
    clientName: String, playing receiver: PortAddress
  ) throws(SequencerError) {
    sequencer = try ALSASequencer(clientName: clientName)
    encoder = try MIDIOutputEncoder()
    port = try sequencer.addOutput(named: clientName, isOpen: false)
    try sequencer.connect(port, to: receiver)
  }

  /// Sends a note-on and, immediately after it, the note-off.
  ///
  /// - Returns: The CLOCK_MONOTONIC time just before the note-on was sent, in nanoseconds.
  package func strike(key: UInt8) throws(SequencerError) -> Int64 {
    let time = MonotonicClock.now
    try send(ChannelMessage(.noteOn, channel: 0, key, 100))
    try send(ChannelMessage(.noteOff, channel: 0, key, 0))
    return time
  }

  private func send(_ message: ChannelMessage) throws(SequencerError) {
    try sequencer.send(.channel(message), from: port, by: encoder)
  }
}
