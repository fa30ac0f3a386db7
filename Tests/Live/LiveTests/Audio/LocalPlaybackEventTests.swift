import LiveAudio
import Testing

@Test func `what cannot be had says what to do, and that the sound then begins if it does`() {
  func event(mayPass: Bool) -> LocalPlaybackEvent {
    .silent(
      SoundDeviceError(device: "hw:7", mayPass: mayPass, reason: "it is not there: plug it in"))
  }
  #expect(
    event(mayPass: true).description
      == "no sound from 'hw:7': it is not there: plug it in; then the sound begins by itself")
  #expect(
    event(mayPass: false).description == "no sound from 'hw:7': it is not there: plug it in")
}

@Test(
  arguments: [
    (
      .xruns(1),
      "the sound was interrupted (an xrun), for the machine was too slow: choose a longer period, or end what "
        + "else keeps it busy"
    ),
    (
      .xruns(3),
      "the sound was interrupted 3 times (xruns), for the machine was too slow: choose a longer period, or end "
        + "what else keeps it busy"
    ),
    (.lost(reason: "the card has gone"), "the sound has stopped: the card has gone"),
  ] as [(SoundDeviceEvent, String)])
func `what happens at a device is told in its words`(event: SoundDeviceEvent, sentence: String) {
  #expect(LocalPlaybackEvent.device(event).description == sentence)
}
