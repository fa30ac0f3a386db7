extension ChannelChase {
  /// Performs Reset All Controllers as FluidSynth does. This differs from RP-015: balance is kept, all other
  /// controllers are reset, and so is the tuning by registered parameters 1 and 2, which FluidSynth stores in its
  /// generators.
  ///
  /// Source: *Response to Reset All Controllers*, RP-015; FluidSynth 2.3.1, `fluid_channel_init_ctrl`.
  @_noLocks mutating func resetControllers() {
    let fresh = ChannelChase()
    for controller in UInt8(0)..<120 where !Self.survivesReset(controller) {
      controllers[Int(controller)] = fresh.controllers[Int(controller)]
      known[controller] = false
    }
    for number in 1...2 {
      parameters[number] = fresh.parameters[number]
      known.parameters &= ~(1 << UInt8(number))
      known.coarseParameters &= ~(1 << UInt8(number))
    }
    bend = fresh.bend
    known.bend = false
    pressure = 0
    known.pressure = false
    selection = ParameterSelection()
    data = ControllerPair()
    selectedData = ControllerPair()
  }

  /// Returns whether a controller keeps its value: bank, volume, balance and pan with their fine controllers, sound
  /// controllers, and effect depths.
  @_noLocks private static func survivesReset(_ controller: UInt8) -> Bool {
    switch controller {
    case 0, 32, 7, 8, 10, 39, 40, 42, 70...79, 91...95: true
    default: false
    }
  }
}
