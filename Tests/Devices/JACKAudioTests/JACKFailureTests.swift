import CJACK
import LiveAudio
import Testing

@testable import JACKAudio

@Suite(.timeLimit(.minutes(5))) struct JACKFailureTests {
  @Test func `JACK's status bits are distinguished, the most specific cause first`() {
    #expect(failure([JackFailure, JackServerFailed]) == .noServer)
    #expect(failure([JackFailure, JackVersionError]) == .otherVersion)
    #expect(failure([JackFailure, JackServerFailed, JackVersionError]) == .otherVersion)
    #expect(failure([JackFailure, JackServerError]) == .refused(status: 0x21))
  }

  private func failure(_ bits: [JackStatus]) -> JACKFailure {
    JACKFailure(jack_status_t(bits.reduce(0) { $0 | $1.rawValue }))
  }

  @Test(
    arguments: [
      .noLibrary, .noServer, .otherVersion, .noPorts, .refused(status: 0x21), .notActive, .hangs,
      .format("the rate is 192000, but must be 8000 to 96000"),
    ] as [JACKFailure])
  func `each error names JACK and the remedy`(failure: JACKFailure) {
    let error = SoundDeviceError(jack: failure)
    #expect(error.device == "jack")
    #expect(error.description.hasPrefix("no sound from 'jack': "))
    #expect(error.reason.contains("JACK"))
    #expect(error.reason.contains(";") || error.reason.contains(": "))
  }

  @Test func `another server may be used, but the loaded library stays`() {
    let passing: [JACKFailure] = [
      .noServer, .noPorts, .refused(status: 1), .notActive, .hangs, .format(""),
    ]
    #expect(passing.allSatisfy { SoundDeviceError(jack: $0).isTemporary })
    #expect(![.noLibrary, .otherVersion].contains { SoundDeviceError(jack: $0).isTemporary })
  }
}
