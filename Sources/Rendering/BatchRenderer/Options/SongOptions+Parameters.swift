import Configuration
import FluidSynthEngine
import LocalSystem
import RenderCore

// Parameters of the instrument as `portative set` names them.
extension SongOptions {
  static let parameterRow = OptionTable<SongOptions>.Row(
    names: ["--set"], value: "NAME=VALUE",
    help:
      "set a parameter of the instrument, as portative set\ndoes: filter.cutoff=-1200; several with commas;\n"
      + "portative info synth lists them",
    repeats: true
  ) { try $0.setParameters($1) }

  /// The parameters that an option of a song sets, and for some values those of the option.
  private static let options: [String: (option: String, values: [String: String])] = [
    "gain": ("--gain", [:]), "polyphony": ("--polyphony", [:]),
    "transposition": ("--transpose", [:]), "velocity-curve": ("--velocity", ["linear": "1"]),
    "reverb.on": ("--reverb", [:]), "chorus.on": ("--chorus", [:]),
    "preset.bank-style": ("--bank-style", [:]),
  ]

  /// - Throws: ``Failure/Kind/usage``, as `portative set`.
  private mutating func setParameters(_ text: String) throws {
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      try set(Assignment(reading: String(word)))
    }
  }

  private mutating func set(_ assignment: Assignment) throws {
    let tree = InstrumentSettings(polyphony: 4096).parameters
    let parameter = try ParameterText.parameter(assignment.name, of: "the instrument", in: tree)
    let text = ParameterText(parameter: parameter)
    let value = try text.value(assignment.value)
    do throws(ParameterError) {
      _ = try tree.check(parameter.identifier, value)
    } catch {
      throw Failure.usage("--set: \(error)")
    }
    if ["preset.bank", "preset.program"].contains(parameter.identifier) {
      throw Failure.usage(
        "--set: songs choose their presets, so \(parameter.identifier) has no effect: use --program"
      )
    }
    guard let (option, values) = Self.options[parameter.identifier],
      let row = Self.table.rows.first(where: { $0.names.contains(option) })
    else {
      // A default has the same sound as no value, and so the same settings in a report.
      parameters[parameter.identifier] = value == parameter.defaultValue ? nil : value
      return
    }
    let written = text.text(value)
    try row.apply(&self, values[written] ?? written)
  }
}
