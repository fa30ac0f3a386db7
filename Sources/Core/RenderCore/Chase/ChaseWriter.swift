/// Writes the messages of one channel, and knows what data entry the instrument has received.
struct ChaseWriter {
  let channel: UInt8
  let target: UnsafeMutablePointer<ChannelMessage>
  private(set) var count = 0
  private var selection: ParameterSelection
  private var data: ControllerPair
  private var selectedData: ControllerPair

  /// - Parameters:
  ///   - selection: The parameter that is selected in the instrument.
  ///   - data: The last CC 6 and CC 38 that it received.
  ///   - selectedData: Those since the selection.
  @_noLocks init(
    channel: UInt8, target: UnsafeMutablePointer<ChannelMessage>,
    selection: ParameterSelection = ParameterSelection(), data: ControllerPair = ControllerPair(),
    selectedData: ControllerPair = ControllerPair()
  ) {
    self.channel = channel
    self.target = target
    self.selection = selection
    self.data = data
    self.selectedData = selectedData
  }

  @_noLocks mutating func write(
    _ kind: ChannelMessage.Kind, _ data1: UInt8, _ data2: UInt8 = 0
  ) {
    target[count] = ChannelMessage(kind, channel: channel, data1, data2)
    count += 1
  }

  @_noLocks mutating func control(_ controller: UInt8, _ value: UInt8) {
    write(.controlChange, controller, value)
  }

  @_noLocks mutating func bend(_ bend: UInt16) {
    write(.pitchBend, UInt8(bend & 127), UInt8(bend >> 7 & 127))
  }

  /// Enters a parameter so that each version of FluidSynth has its own value of it, and other instruments have
  /// the bytes that were sent for it.
  ///
  /// - Parameter hasCoarse: Whether CC 6 is needed, for an instrument that has received it, or should have.
  @_noLocks mutating func enter(_ number: Int, _ value: ParameterValue, _ hasCoarse: Bool) {
    let parameter = ParameterSelection(coarse: 0, fine: UInt8(number))
    if hasCoarse {
      if value.atEither.fine == value.atCoarse.fine,
        value.sinceSelection.fine != value.atCoarse.fine
      {
        // CC 38 came before the selection.
        remember(fine: value.atCoarse.fine)
        select(parameter)
      } else {
        select(parameter)
        let fine = value.atCoarse.fine
        if fine != data.fine || fine != selectedData.fine { send(38, fine) }
      }
      send(6, value.atCoarse.coarse)
    }
    if value.sinceSelection.coarse != selectedData.coarse
      || value.atEither.coarse != data.coarse || !hasCoarse
    {
      // CC 38 came alone, after a CC 6 for another parameter.
      remember(coarse: value.atEither.coarse)
      select(parameter)
      send(38, value.atEither.fine)
    } else if value.atEither.fine != data.fine || value.sinceSelection.fine != selectedData.fine {
      send(38, value.atEither.fine)
    }
  }

  /// Leaves a parameter selected, and the data entry that later messages combine with.
  @_noLocks mutating func finish(
    with wanted: ParameterSelection, _ wantedData: ControllerPair,
    _ wantedSelectedData: ControllerPair
  ) {
    if isFinished(wanted, wantedData, wantedSelectedData) { return }
    remember(coarse: wantedData.coarse)
    remember(fine: wantedData.fine)
    if isFinished(wanted, wantedData, wantedSelectedData) { return }
    select(wanted)
  }

  /// Whether the instrument combines later messages as it should.
  @_noLocks func isFinished(
    _ wanted: ParameterSelection, _ wantedData: ControllerPair, _ wantedSelectedData: ControllerPair
  ) -> Bool {
    selection.isSame(as: wanted) && data.isSame(as: wantedData)
      && (wanted.registered == nil || selectedData.isSame(as: wantedSelectedData))
  }

  /// Gives CC 6 while no parameter is selected, so that it is combined with a later CC 38 only.
  @_noLocks private mutating func remember(coarse: UInt8) {
    if data.coarse == coarse { return }
    selectNone()
    send(6, coarse)
  }

  /// The same with CC 38.
  @_noLocks private mutating func remember(fine: UInt8) {
    if data.fine == fine { return }
    selectNone()
    send(38, fine)
  }

  @_noLocks private mutating func send(_ controller: UInt8, _ value: UInt8) {
    control(controller, value)
    data.enter(controller, value)
    selectedData.enter(controller, value)
  }

  @_noLocks private mutating func selectNone() {
    let none = ParameterSelection()
    if !selection.isSame(as: none) { select(none) }
  }

  /// A parameter that is not registered becomes none, but what is known of registered ones stays.
  @_noLocks private mutating func select(_ wanted: ParameterSelection) {
    control(101, wanted.coarse)
    control(100, wanted.fine)
    if !wanted.isRegistered {
      control(99, 127)
      control(98, 127)
    }
    selection = wanted
    selectedData = ControllerPair()
  }
}
