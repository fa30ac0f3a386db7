import TestSupport

/// A file system with two sound cards as the kernel presents them.
struct MadeUpCards {
  let system = TemporarySystem()

  init() throws {
    try system.add(
      "proc/asound/cards",
      """
       0 [PCH            ]: HDA-Intel - HDA Intel PCH
                            HDA Intel PCH at 0xf7d10000 irq 32
       3 [USB            ]: USB-Audio - Scarlett 2i2 USB
                            Focusrite Scarlett 2i2 USB at usb-0000:00:14.0-1, high speed

      """)
    try system.add("proc/asound/card0/id", "PCH\n")
    try system.add("proc/asound/card3/id", "USB\n")
    try add(card: 0, device: 0, "ALC892 Analog", ["closed\n"])
    try add(card: 0, device: 3, "HDMI 0", [Self.status(thread: 4713)])
    try system.add("proc/asound/card0/pcm0c/info", "name: ALC892 Analog\n")
    try add(card: 3, device: 0, "USB Audio", ["closed\n", Self.status(thread: 99)])
    try system.add("proc/4713/status", "Name:\tdata-loop.0\nTgid:\t4711\nPid:\t4713\n")
    try system.add("proc/4711/comm", "pipewire\n")
  }

  private func add(card: Int, device: Int, _ name: String, _ places: [String]) throws {
    let folder = "proc/asound/card\(card)/pcm\(device)p"
    try system.add("\(folder)/info", "card: \(card)\ndevice: \(device)\nname: \(name)\n")
    for (place, status) in places.enumerated() {
      try system.add("\(folder)/sub\(place)/status", status)
    }
  }

  private static func status(thread: Int) -> String {
    "state: RUNNING\nowner_pid   : \(thread)\ntrigger_time: 13031.9\n"
  }
}
