package import Threads

/// A sound device that is a client of a graph of programs. Its cycles may have MIDI events, audio input and a transport.
package protocol GraphDevice: SoundDevice {
  /// Not 0 while the graph requests cycles without a deadline. Valid as long as the device exists.
  var freewheeling: SharedWord { get }
}
