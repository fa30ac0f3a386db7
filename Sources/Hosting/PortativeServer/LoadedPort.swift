import Effects
import FluidSynthEngine
import FluidSynthUnits
import LocalSystem
import NodeDirectory
import NodeHost
import NodeProtocol
import RenderCore

/// A port whose SoundFont is loaded.
package struct LoadedPort: Equatable, Sendable {
  let plan: PortPlan
  let source: any RenderUnitSource
  private let soundFont: SoundFont?

  /// Whether the plans are equal and the file of the SoundFont has not changed.
  package static func == (first: Self, second: Self) -> Bool {
    first.plan == second.plan && first.soundFont === second.soundFont
  }

  /// Loads the SoundFont, unless it is already loaded, and checks that the unit can be played.
  init(_ plan: PortPlan) throws {
    self.plan = plan
    let source: any RenderUnitSource
    if let instrument = plan.instrument {
      let font = try SoundFont.open(instrument.soundFont)
      try font.check(instrument.settings.preset)
      source =
        plan.unit == .layer
        ? LayerSource(soundFont: font, settings: instrument.settings)
        : InstrumentSource(soundFont: font, settings: instrument.settings)
      soundFont = font
    } else {
      source = plan.sourceWithoutSoundFont
      soundFont = nil
    }
    if plan.parameters.isEmpty {
      self.source = source
      return
    }
    self.source = PresetSource(source: source, parameters: plan.parameters)
    // Unknown parameters are reported now instead of when a host uses the port. The nodes of a chain may not be
    // running.
    if plan.unit == .chain { return }
    _ = try self.source.makeUnit(Format(inputChannels: plan.type.takesAudio ? 2 : 0))
  }
}

extension PortPlan {
  fileprivate var sourceWithoutSoundFont: any RenderUnitSource {
    switch unit {
    case .resonator: ResonatorSource()
    case .delay: DelaySource(musicEffect: type == .musicEffect)
    case .metronome: MetronomeSource()
    case .chain: ChainSource(nodes)
    case .synth, .layer: preconditionFailure("these units have an instrument")
    }
  }
}

extension ChainSource {
  /// - Parameter names: Names as for ``NodeFinder``.
  fileprivate init(_ names: [String]) {
    let host = AudioHost(name: "portative serve")
    self.init { () throws(ConnectionError) in
      var connections: [Connection] = []
      for name in names {
        let component: Component
        do throws(Failure) {
          component = try NodeFinder(for: .port).find(name)
        } catch {
          throw .system(error.message)
        }
        connections.append(try host.connect(to: component))
      }
      return connections
    }
  }
}
