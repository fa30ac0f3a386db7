import Configuration
import Effects
import FluidSynthEngine
import LocalSystem
import NodeHost
import NodeProtocol
import PluginNodes
import RenderCore

/// A port whose SoundFont is loaded.
package struct LoadedPort: Equatable, Sendable {
  let plan: PortPlan
  /// The unit for hosts.
  let source: any RenderUnitSource
  /// The unit for keyboards, which plays on the sound device: in stereo, or in a graph with all outputs.
  let localSource: any RenderUnitSource
  let soundFont: SoundFont?
  /// Receives a sentence about the unit while it plays.
  private let report: @Sendable (String) -> Void

  /// Whether the plans are equal and the file of the SoundFont has not changed.
  package static func == (first: Self, second: Self) -> Bool {
    first.plan == second.plan && first.soundFont === second.soundFont
  }

  /// Loads the SoundFont, unless it is already loaded, and checks that the unit can be played.
  ///
  /// - Parameters:
  ///   - search: Finds the SoundFonts that hosts choose.
  ///   - observer: Receives warnings about the unit while it plays.
  init(_ plan: PortPlan, _ search: SoundFontSearch, _ observer: any ServerObserver) throws {
    self.plan = plan
    report = { observer.log(warning: "\(plan.description.name): \($0)") }
    var (source, localSource): (any RenderUnitSource, any RenderUnitSource)
    if let instrument = plan.instrument {
      let font = try SoundFont.open(instrument.soundFont)
      try font.check(instrument.settings.preset)
      let settings = instrument.settings
      let files = SoundFontFiles(search: search, standard: font)
      source = SoundFontChoiceSource(font, from: files) { plan.source($0, settings) }
      localSource =
        plan.unit == .multiSynth
        ? SoundFontChoiceSource(font, from: files) { plan.localSource($0, settings) } : source
      if plan.unit == .split {
        source = try plan.split(others: source, settings, report)
        localSource = source
      }
      soundFont = font
    } else {
      source = plan.sourceWithoutSoundFont(report)
      localSource = source
      soundFont = nil
    }
    if !plan.parameters.isEmpty {
      source = PresetSource(source: source, parameters: plan.parameters)
      localSource = PresetSource(source: localSource, parameters: plan.parameters)
    }
    (self.source, self.localSource) = (source, localSource)
    // Unknown parameters are reported now instead of when a host uses the port. The nodes of a chain may not be
    // running.
    if plan.parameters.isEmpty || plan.usesOtherProcesses { return }
    _ = try parameters()
  }

  /// Makes a unit, and returns its parameters.
  func parameters() throws -> ParameterTree {
    let unit = try localSource.makeUnit(Format(inputChannels: plan.type.takesAudio ? 2 : 0))
    return unit.parameters?.tree ?? ParameterTree()
  }
}

extension LoadedPort {
  var sourceWithoutSoundFont: any RenderUnitSource { plan.sourceWithoutSoundFont(report) }

  /// Returns what plays the plugin, which may have another preset than that of the port.
  func source(of plugin: PluginSelection) -> any RenderUnitSource { plan.source(plugin, report) }
}

extension PortPlan {
  /// The names of the pairs of outputs, if there are several.
  var outputPairs: [String]? {
    unit == .multiSynth ? type.outputPairs(channels: MultiSynthSource.outputChannels) : nil
  }

  /// Returns what plays a SoundFont on the sound device, in the device's number of channels.
  func localSource(_ font: SoundFont, _ settings: InstrumentSettings) -> any RenderUnitSource {
    unit == .multiSynth
      ? LocalMultiSynthSource(font: font, settings: settings) : source(font, settings)
  }

  fileprivate func source(
    _ font: SoundFont, _ settings: InstrumentSettings
  ) -> any RenderUnitSource {
    switch unit {
    case .synth, .split: InstrumentSource(soundFont: font, settings: settings)
    case .multiSynth: MultiSynthSource(soundFont: font, settings: settings)
    case .layer: LayerSource(soundFont: font, settings: settings)
    case .resonator, .delay, .metronome, .chain, .lv2:
      preconditionFailure("these units have none")
    }
  }

  /// Whether other processes play, which are not started only to check the port.
  fileprivate var usesOtherProcesses: Bool {
    unit == .chain || unit == .split || plugin != nil && isIsolated
  }

  fileprivate func sourceWithoutSoundFont(
    _ report: @escaping @Sendable (String) -> Void
  ) -> any RenderUnitSource {
    switch unit {
    case .resonator: ResonatorSource()
    case .delay: DelaySource(musicEffect: type == .musicEffect)
    case .metronome: MetronomeSource()
    case .chain: ChainSource(nodes)
    case .lv2: pluginSource(report)
    case .synth, .multiSynth, .split, .layer:
      preconditionFailure("these units have an instrument")
    }
  }
}

extension PortPlan {
  private func pluginSource(
    _ report: @escaping @Sendable (String) -> Void
  ) -> any RenderUnitSource {
    guard let plugin else { preconditionFailure("a port of a plugin has one") }
    return source(plugin, report)
  }

  /// - Parameter report: Receives sentences about the plugin's process.
  func source(
    _ plugin: PluginSelection, _ report: @escaping @Sendable (String) -> Void
  ) -> any RenderUnitSource {
    isIsolated
      ? IsolatedPluginSource(plugin, from: AudioHost(name: "portative serve"), report: report)
      : plugin.source
  }
}

/// Makes instruments in stereo, or with an output for each MIDI channel if the format has as many.
private struct LocalMultiSynthSource: RenderUnitSource {
  let font: SoundFont
  let settings: InstrumentSettings

  func makeUnit(_ format: Format) throws -> any RenderUnit {
    if format.outputChannels == MultiSynthSource.outputChannels {
      return try MultiSynthSource(soundFont: font, settings: settings).makeUnit(format)
    }
    return try InstrumentSource(soundFont: font, settings: settings).makeUnit(format)
  }
}

extension ChainSource {
  /// - Parameter names: Names as for ``NodeFinder``.
  init(_ names: [String]) {
    let host = AudioHost(name: "portative serve")
    self.init { () throws(ConnectionError) in
      var connections: [Connection] = []
      for name in names {
        do {
          if let plugin = try PluginSelection(prefixed: name) {
            connections.append(try PluginProcess.connect(plugin, from: host))
          } else {
            connections.append(try host.connect(to: NodeFinder(for: .port).find(name)))
          }
        } catch let error as ConnectionError {
          throw error
        } catch {
          throw .system(Failure(error).message)
        }
      }
      return connections
    }
  }
}

/// Finds the SoundFonts of states that hosts have saved, possibly on another machine.
struct SoundFontFiles: SoundFontLibrary {
  let search: SoundFontSearch
  /// The SoundFont of the configuration.
  let standard: SoundFont

  /// Opens the first of these: a file with the contents of the reference, at its path, in the configuration, or under its
  /// name in a folder for SoundFonts; a file with other contents at its path, because it may have been edited.
  func open(_ reference: FileReference) throws(UnitFileError) -> SoundFont {
    if let hash = reference.hash {
      let named = search.paths(named: reference.path.folderAndName.name)
      for path in [reference.path, standard.path] + named {
        if let font = try? SoundFont.open(path), font.contentHash() == hash { return font }
      }
    }
    do throws(InstrumentError) {
      return try SoundFont.open(reference.path)
    } catch {
      throw UnitFileError(
        "\(error); put the SoundFont back, or copy it to ~/.local/share/soundfonts, or choose "
          + "another")
    }
  }

  func reference(to soundFont: SoundFont) -> FileReference {
    FileReference(
      path: resolvedPath(soundFont.path) ?? soundFont.path, hash: soundFont.contentHash())
  }
}
