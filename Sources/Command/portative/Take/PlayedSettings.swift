import LivePlayer
import MIDIFile
import NodeDirectory
import NodeHost
import RenderCore

/// The settings with which keyboards play a port, as far as they differ from those of a host that renders offline.
struct PlayedSettings {
  private(set) var assignments: [Assignment] = []

  /// Acquires the port for a moment, which does not interrupt what keyboards play.
  ///
  /// - Parameter track: What was played. A program that it selects on the first channel is not a setting.
  init(_ component: Component, _ host: AudioHost, _ track: StandardMIDIFile.Track) throws {
    let control = try host.control(of: component)
    let (values, files) = try (control.values(), control.files())
    let fresh = try host.connect(to: component)
    defer { fresh.close() }
    let takesAudio = component.port.component.type.takesAudio
    try fresh.initialize(
      Format(sampleRate: 48_000, inputChannels: takesAudio ? 2 : 0, maximumFrames: 1024),
      mode: .offline)
    let freshFiles = try fresh.files()
    for (file, own) in zip(files, freshFiles) where file.file.path != own.file.path {
      assignments.append(Assignment(name: file.identifier, value: file.file.path))
    }
    let freshValues = try fresh.parameterValues()
    let parameters = control.parameters.parameters
    for (index, parameter) in parameters.enumerated() where index < freshValues.count {
      let isProgram = ["preset.bank", "preset.program"].contains(parameter.identifier)
      if values[index] == freshValues[index] || isProgram && track.selectsProgram { continue }
      let text = ParameterText(parameter: parameter).text(values[index])
      assignments.append(Assignment(name: parameter.identifier, value: text))
    }
  }
}

extension StandardMIDIFile.Track {
  /// Whether a program is selected on the first channel.
  fileprivate var selectsProgram: Bool {
    events.contains { event in
      guard case .channel(let message) = event.content else { return false }
      return message.kind == .programChange && message.channel == 0
    }
  }
}
