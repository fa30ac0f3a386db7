import TestSupport
import Testing

@testable import ALSA

@Suite(.timeLimit(.minutes(5))) struct SoundCardTests {
  @Test func `cards, their devices and their users are found`() throws {
    let machine = try MadeUpCards()
    let cards = SoundCard.all(in: machine.system.environment)
    let pipewire = SoundCard.Holder(process: 4711, program: "pipewire")
    let hidden = SoundCard.Holder(process: 99, program: nil)
    #expect(
      cards == [
        SoundCard(
          number: 0, identifier: "PCH", name: "HDA Intel PCH",
          outputs: [
            .init(device: 0, name: "ALC892 Analog", subdeviceCount: 1, holders: []),
            .init(device: 3, name: "HDMI 0", subdeviceCount: 1, holders: [pipewire]),
          ]),
        SoundCard(
          number: 3, identifier: "USB", name: "Scarlett 2i2 USB",
          outputs: [.init(device: 0, name: "USB Audio", subdeviceCount: 2, holders: [hidden])]),
      ])
    #expect(cards.flatMap(\.outputs).map(\.isFree) == [true, false, true])
    #expect(cards[0].deviceName(of: cards[0].outputs[1]) == "hw:PCH,3")
    #expect("\(pipewire), \(hidden)" == "pipewire (process 4711), process 99")
  }

  @Test func `a machine without sound has no cards`() {
    #expect(SoundCard.all(in: TemporarySystem().environment).isEmpty)
  }
}
