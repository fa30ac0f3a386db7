import CCLAP
import LocalSystem
import RenderCore
import Synchronization

/// The values of an instance's parameters, between its host and its unit.
///
/// A value that the host sets outside of a cycle is wanted until the render thread has sent it to the unit. A value that
/// another program sets is news until the host was told. A new unit receives all values that the host has ever set.
///
/// Realtime: yes, except for creation and ``destroy()``. Threads: any; ``takeWanted(_:all:)``, ``learn(_:_:)`` and
/// ``takeNews(_:)`` on one thread at a time. `@unchecked Sendable`: all values are atomic.
struct ParameterValueExchange: @unchecked Sendable, BitwiseCopyable {
  private let values: UnsafeMutablePointer<Atomic<UInt32>>
  private let marks: UnsafeMutablePointer<Atomic<UInt32>>
  private let ranges: UnsafeMutablePointer<Range>
  /// CLAP's ID of each parameter, and that of the bypass.
  private let identifiers: UnsafeMutablePointer<UInt32>
  let bypass: UInt32
  private let words = SharedWords(count: 2)
  let count: Int

  private struct Range: BitwiseCopyable {
    let minimum: Float
    let maximum: Float
    let isStepped: Bool
  }

  /// The host has set the value.
  private static var isHosts: UInt32 { @_noLocks get { 1 } }
  private static var isWanted: UInt32 { @_noLocks get { 2 } }
  private static var isNews: UInt32 { @_noLocks get { 4 } }

  /// The values are the defaults at first.
  init(_ parameters: [Parameter], _ identifiers: ParameterIdentifiers) {
    bypass = identifiers.bypass
    self.identifiers = .allocate(capacity: max(1, parameters.count))
    count = parameters.count
    values = .allocate(capacity: max(1, count))
    marks = .allocate(capacity: max(1, count))
    ranges = .allocate(capacity: max(1, count))
    for (index, parameter) in parameters.enumerated() {
      (values + index).initialize(to: Atomic(parameter.defaultValue.bitPattern))
      (marks + index).initialize(to: Atomic(0))
      (self.identifiers + index).initialize(to: identifiers.all[index])
      (ranges + index).initialize(
        to: Range(
          minimum: parameter.minimum, maximum: parameter.maximum,
          isStepped: parameter.isStepped))
    }
  }

  /// Returns the index of a parameter; `nil` if there is none, and for the bypass.
  @_noLocks func index(of identifier: UInt32) -> Int? {
    for index in 0..<count where identifiers[index] == identifier { return index }
    return nil
  }

  /// CLAP's ID of a parameter.
  @_noLocks func identifier(at index: Int) -> UInt32 { identifiers[index] }

  /// Takes the host's values without rendering.
  @_noLocks func receive(_ events: UnsafePointer<clap_input_events>?, _ signals: CLAPSignals) {
    for number in 0..<cclap_event_count(events) {
      guard let event = cclap_event(events, number), event.isParameterValue else { continue }
      let change = event.parameterValue
      if change.param_id == bypass {
        signals.setBypass(change.value)
      } else if let index = index(of: change.param_id), let value = allowed(index, change.value) {
        want(index, value)
      }
    }
  }

  /// Returns the nearest value in the parameter's range, without decimals if it is stepped; `nil` for NaN and infinity.
  @_noLocks func allowed(_ index: Int, _ value: Double) -> Float? {
    if !value.isFinite { return nil }
    let range = ranges[index]
    let nearest = max(Double(range.minimum), min(value, Double(range.maximum)))
    return range.isStepped ? Float(Int(nearest)) : Float(nearest)
  }

  func destroy() {
    values.deallocate()
    marks.deallocate()
    ranges.deallocate()
    identifiers.deallocate()
    words.destroy()
  }

  /// The value that the host has set last, or was told.
  subscript(index: Int) -> Float {
    @_noLocks get { Float(bitPattern: values[index].load(ordering: .acquiring)) }
  }

  /// Sets a value that the unit has received from the host.
  @_noLocks func set(_ index: Int, _ value: Float) {
    values[index].store(value.bitPattern, ordering: .releasing)
    marks[index].store(Self.isHosts, ordering: .releasing)
  }

  /// Sets a value that the unit must receive from the host.
  @_noLocks func want(_ index: Int, _ value: Float) {
    values[index].store(value.bitPattern, ordering: .releasing)
    marks[index].store(Self.isHosts | Self.isWanted, ordering: .releasing)
    words[0].store(1)
  }

  /// Sets a value of which the host must be told, because another program has set it.
  @_noLocks func announce(_ index: Int, _ value: Float) {
    values[index].store(value.bitPattern, ordering: .releasing)
    marks[index].store(Self.isNews, ordering: .releasing)
    words[1].store(1)
  }

  /// Takes the value of a new unit, unless the host has set one.
  @_noLocks func learn(_ index: Int, _ value: Float) {
    if self[index] != value { announce(index, value) }
  }

  /// Whether any value is wanted.
  var hasWanted: Bool { @_noLocks get { words[0].value != 0 } }
  /// Precedes calls of ``takeWanted(_:all:)``.
  @_noLocks func beginTaking() { words[0].store(0) }

  /// Returns a value that the unit must receive; `nil` for none.
  ///
  /// - Parameter all: Whether the unit is new, and receives all values of the host.
  @_noLocks func takeWanted(_ index: Int, all: Bool) -> Float? {
    let mark = marks[index].load(ordering: .acquiring)
    if mark & Self.isWanted == 0 { return all && mark & Self.isHosts != 0 ? self[index] : nil }
    // Before the value is read: a value that is set in between is wanted again.
    marks[index].store(Self.isHosts, ordering: .sequentiallyConsistent)
    return self[index]
  }

  /// Whether there are news.
  var hasNews: Bool { @_noLocks get { words[1].value != 0 } }
  /// Precedes calls of ``takeNews(_:)``.
  @_noLocks func beginReporting() { words[1].store(0) }

  /// Returns a value of which the host must be told; `nil` for none.
  @_noLocks func takeNews(_ index: Int) -> Float? {
    if marks[index].load(ordering: .acquiring) & Self.isNews == 0 { return nil }
    marks[index].store(0, ordering: .sequentiallyConsistent)
    return self[index]
  }
}
