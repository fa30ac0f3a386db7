import LiveMIDI
import NodeServer
import RenderCore

/// A keyboard at a port.
struct SoakKeyboard: Hashable, Comparable {
  let port: Int
  let source: LiveInput.Source

  static func < (a: Self, b: Self) -> Bool {
    (a.port, a.source.number) < (b.port, b.source.number)
  }
}

extension SoakStage {
  func plug(_ keyboard: SoakKeyboard) {
    plugged.insert(keyboard)
    connectKeyboards()
  }

  func pull(_ keyboard: SoakKeyboard) {
    plugged.remove(keyboard)
    ports[keyboard.port].input.release(keyboard.source, at: time(of: keyboard))
    connectKeyboards()
  }

  func connectKeyboards() {
    for (index, port) in ports.enumerated() {
      port.input.sourceNames = plugged.sorted().filter { $0.port == index }.map {
        "Keyboard \($0.source.number)"
      }
    }
  }

  /// Performs `body` while no keyboard is connected, so that there is neither a sound device nor a unit.
  func whileNothingIsConnected<Result>(_ body: () -> Result) throws -> Result {
    for port in ports { port.input.sourceNames = [] }
    // The device is closed when it has been silent for two seconds.
    sound.play(seconds: 3)
    try play(until: "the device is closed") {
      !sound.isRunning
        && ports.allSatisfy { $0.input.playedUnit == nil && $0.input.zoneUnits.isEmpty }
    }
    defer { connectKeyboards() }
    return body()
  }

  func send(_ message: ChannelMessage, from keyboard: SoakKeyboard) {
    send(.channel(message), from: keyboard)
  }

  func send(_ content: MIDIContent, from keyboard: SoakKeyboard) {
    ports[keyboard.port].input.send(content, from: keyboard.source, at: time(of: keyboard))
  }

  /// A host renders in real time: for it, everything was played long ago, and acts at once.
  private func time(of keyboard: SoakKeyboard) -> Int64 {
    ports[keyboard.port].input.isHosted ? 1 : sound.now
  }
}
