import LiveAudio
import Testing

@Test func `an error of the device states the remedy, and whether the sound then starts`() {
  func event(isTemporary: Bool) -> LocalPlaybackEvent {
    .sound(
      .silent(
        SoundDeviceError(
          device: "hw:7", isTemporary: isTemporary, reason: "it is not there: plug it in")))
  }
  #expect(
    event(isTemporary: true).description
      == "no sound from 'hw:7': it is not there: plug it in; the sound then starts automatically")
  #expect(
    event(isTemporary: false).description == "no sound from 'hw:7': it is not there: plug it in")
}

@Test(
  arguments: [
    (
      .xruns(1),
      "the sound was interrupted (1 xrun), because the machine was too slow: choose a longer period, or close "
        + "other programs"
    ),
    (
      .xruns(3),
      "the sound was interrupted (3 xruns), because the machine was too slow: choose a longer period, or close "
        + "other programs"
    ),
    (.lost(reason: "the card has gone"), "the sound device is lost: the card has gone"),
  ] as [(SoundDeviceEvent, String)])
func `events of a device are described`(event: SoundDeviceEvent, sentence: String) {
  #expect(LocalPlaybackEvent.sound(.device(event)).description == sentence)
}

@Test func `the loss of a device, its return, and an absence that is too long are described`() {
  let events: [DeviceKeeper.Event] = [
    .playing("hw:7: 48000 Hz"), .lost(reason: "the card has gone"), .returned("hw:7: 48000 Hz"),
    .absentTooLong(reason: "the card has gone"),
  ]
  #expect(
    events.map(\.description) == [
      "sound: hw:7: 48000 Hz",
      "the sound device is lost: the card has gone; it is used again when it returns",
      "the sound device has returned: hw:7: 48000 Hz",
      "the sound device is lost: the card has gone; choose another one with --audio, or raise --timeout",
    ])
}
