/// Writes the messages of one channel, and tracks the data entry that the instrument has received.
struct ChaseWriter {
  let channel: UInt8
  let target: UnsafeMutablePointer<ChannelMessage>
  private(set) var count = 0
  private var selection: ParameterSelection
  private var data: ControllerPair
  private var selectedData: ControllerPair

  /// - Parameters:
  ///   - selection: The parameter that is selected in the instrument.
  ///   - data: The last CC 6 and CC 38 that the instrument received.
  ///   - selectedData: The last CC 6 and CC 38 since the selection.
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

  /// Enters a parameter so that each version of FluidSynth gets its own value, and other instruments get the bytes that
  /// were sent.
  ///
  /// - Parameter hasCoarse: Whether CC 6 is needed, because the instrument has received it or should have received it.
  @_noLocks mutating func enter(_ number: Int, _ value: ParameterValue, _ hasCoarse: Bool) {
    let parameter = ParameterSelection(coarse: 0, fine: UInt8(number))
    if hasCoarse {
      if value.atEither.fine == value.atCoarse.fine,
        value.sinceSelection.fine != value.atCoarse.fine
      {
        // CC 38 came before the selection.
        setUnselected(fine: value.atCoarse.fine)
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
      // Only CC 38 came, after a CC 6 for another parameter.
      setUnselected(coarse: value.atEither.coarse)
      select(parameter)
      send(38, value.atEither.fine)
    } else if value.atEither.fine != data.fine || value.sinceSelection.fine != selectedData.fine {
      send(38, value.atEither.fine)
    }
  }

  /// Restores the selected parameter and the data entry with which later messages are combined.
  @_noLocks mutating func finish(
    with wanted: ParameterSelection, _ wantedData: ControllerPair,
    _ wantedSelectedData: ControllerPair
  ) {
    if isFinished(wanted, wantedData, wantedSelectedData) { return }
    setUnselected(coarse: wantedData.coarse)
    setUnselected(fine: wantedData.fine)
    if isFinished(wanted, wantedData, wantedSelectedData) { return }
    select(wanted)
  }

  /// Returns whether the instrument has this selection and data entry.
  @_noLocks func isFinished(
    _ wanted: ParameterSelection, _ wantedData: ControllerPair, _ wantedSelectedData: ControllerPair
  ) -> Bool {
    selection.isSame(as: wanted) && data.isSame(as: wantedData)
      && (wanted.registered == nil || selectedData.isSame(as: wantedSelectedData))
  }

  /// Sends CC 6 while no parameter is selected, so that it is only combined with a later CC 38.
  @_noLocks private mutating func setUnselected(coarse: UInt8) {
    if data.coarse == coarse { return }
    selectNone()
    send(6, coarse)
  }

  /// Sends CC 38 while no parameter is selected, so that it is only combined with a later CC 6.
  @_noLocks private mutating func setUnselected(fine: UInt8) {
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

  /// Selects a parameter. For a non-registered one it selects the null parameter; registered parameters keep their
  /// values.
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
