/// The samples of an instrument whose MIDI channels are apart: ``count`` channels of a cycle.
///
/// The dry sound of MIDI channel k is in the channels 2k (left) and 2k + 1 (right). Reverb and chorus of all MIDI
/// channels are in the last two.
package struct ChannelOutputs: BitwiseCopyable {
  package static var midiChannels: Int { @_noLocks get { 16 } }
  package static var count: Int { @_noLocks get { 2 * midiChannels + 2 } }

  private let channels: UnsafePointer<UnsafeMutablePointer<Float>>

  /// - Parameter channels: ``count`` pointers.
  @_noLocks package init(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>) {
    self.channels = channels
  }

  @_noLocks package subscript(channel: Int) -> UnsafeMutablePointer<Float> { channels[channel] }

  /// The left channel of the effects.
  var wetLeft: UnsafeMutablePointer<Float> { @_noLocks get { channels[Self.count - 2] } }
  /// The right channel of the effects.
  var wetRight: UnsafeMutablePointer<Float> { @_noLocks get { channels[Self.count - 1] } }
}
