import LocalSystem

/// Reports which sound servers of this user are running. Those of other users cannot be reached.
enum SoundServerCheck {
  static let jack = "JACK"
  static let pipeWire = "PipeWire"
  private static let names = [
    "pipewire": pipeWire, "pulseaudio": "PulseAudio", "jackd": jack, "jackdbus": jack,
  ]

  static func servers(in environment: ProcessEnvironment) -> [String] {
    let programs = SystemFiles(environment: environment).programs
    return Set(programs.compactMap { names[$0] }).sorted()
  }

  static func findings(in environment: ProcessEnvironment) -> [Finding] {
    let servers = servers(in: environment)
    if servers.isEmpty {
      return [
        .good(
          "sound server",
          "none is running: Portative uses the sound card exclusively while it plays")
      ]
    }
    return [.good("sound server", "running: \(servers.joined(separator: ", "))")]
  }
}
