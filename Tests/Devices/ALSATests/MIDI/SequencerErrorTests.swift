import ALSA
import Glibc
import Testing

@Test func `an error states the cause and the remedy`() {
  #expect(
    "\(SequencerError.unavailable(code: ENOENT))"
      == "no MIDI keyboards: the kernel's sequencer is not loaded; run 'sudo modprobe snd-seq'")
  #expect("\(SequencerError.unavailable(code: EACCES))".contains("group 'audio'"))
  #expect("\(SequencerError.unavailable(code: ENOMEM))".hasSuffix(": Cannot allocate memory"))
  let error = SequencerError.cannotConnect(
    sender: PortAddress(client: 24, port: 0), receiver: PortAddress(client: 128, port: 1))
  #expect("\(error)".hasPrefix("cannot connect 24:0 to 128:1: "))
}

@Test(.enabled(if: access("/dev/snd/seq", F_OK) != 0, "this machine has a sequencer"))
func `a missing sequencer is an error`() {
  #expect(throws: SequencerError.unavailable(code: ENOENT)) { try ALSASequencer() }
}
