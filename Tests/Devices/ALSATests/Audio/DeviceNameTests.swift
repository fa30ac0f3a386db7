import Testing

@testable import ALSA

@Suite(.timeLimit(.minutes(5))) struct DeviceNameTests {
  @Test(arguments: [
    ("hw:1", "1", 0), ("hw:1,3", "1", 3), ("plughw:PCH,3,0", "PCH", 3),
    ("hw:CARD=PCH,DEV=7", "PCH", 7), ("sysdefault:CARD=PCH", "PCH", 0), ("hw:PCH,x", "PCH", 0),
  ])
  func `a name is parsed into card and device`(name: String, card: String, device: Int) {
    #expect(DeviceName(name)?.card == card)
    #expect(DeviceName(name)?.device == device)
  }

  @Test(arguments: ["default", "", "hw:", "pipewire"])
  func `other names have no card`(name: String) {
    #expect(DeviceName(name) == nil)
  }
}
