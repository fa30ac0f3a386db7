import CFluidSynthOverrides
package import RenderCore

extension InstrumentSettings {
  /// The parameters of an ``InstrumentUnit`` with these settings.
  package var parameters: ParameterTree {
    ParameterTree(SynthParameter.parameters(self), groups: SynthParameter.groups)
  }
}

extension Instrument {
  /// Sets parameters as in a new ``InstrumentUnit``, except for the gain, which is the unit's. For offline rendering.
  ///
  /// Realtime: no. Must be called before the instrument renders.
  ///
  /// - Parameter values: Values by identifier.
  /// - Precondition: ``InstrumentSettings/parameters`` accept the values.
  package final func set(_ values: [String: Float]) {
    if values.isEmpty { return }
    let store = ParameterStore(settings.parameters)
    var new = store.values
    var controls = SynthControls(new, settings)
    do throws(ParameterError) {
      try store.set(values)
    } catch {
      preconditionFailure(error.description)
    }
    new.begin()
    rendering_begin()
    defer { rendering_end() }
    withExtendedLifetime(store) { controls.apply(new, to: engine) }
  }
}
