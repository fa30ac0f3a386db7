import Threads

/// Plans on their way from the thread that makes them to the render thread: a few cycles ahead.
///
/// Realtime: yes, apart from making and destroying it. Threads: one makes plans, one plays them.
struct LookaheadRing: @unchecked Sendable, BitwiseCopyable {
  private let plans: UnsafeMutablePointer<ScheduledCycle>
  private let words: UnsafeMutablePointer<UInt32>

  /// How many cycles a command takes effect later, so that planning may be late by as much.
  static var capacity: UInt32 { @_noLocks get { 4 } }

  init() {
    plans = .allocate(capacity: Int(Self.capacity))
    for index in 0..<Int(Self.capacity) { (plans + index).initialize(to: ScheduledCycle()) }
    words = .allocate(capacity: 2)
    words.initialize(repeating: 0, count: 2)
  }

  func destroy() {
    for index in 0..<Int(Self.capacity) { plans[index].destroy() }
    plans.deallocate()
    words.deallocate()
  }

  private var made: SharedWord { @_noLocks get { SharedWord(at: words) } }
  private var played: SharedWord { @_noLocks get { SharedWord(at: words + 1) } }

  /// The plan to make next; `nil` while there are enough.
  var nextToMake: UnsafeMutablePointer<ScheduledCycle>? {
    let number = made.value
    return number &- played.value < Self.capacity ? plans + Int(number % Self.capacity) : nil
  }

  /// That of the plan to make next, counted from 0.
  var numberToMake: UInt32 { made.value }

  /// Whether all plans before the one of this number have been played.
  func hasPlayed(_ number: UInt32) -> Bool { Int32(bitPattern: played.value &- number) >= 0 }

  /// Hands the plan over that was to be made.
  func finishMaking() { made.increase() }

  /// Waits until there is something to make, or for a tenth of a second.
  func waitForRoom() {
    let played = played.value
    if nextToMake != nil { return }
    self.played.wait(while: played, until: MonotonicClock.now + 100_000_000)
  }

  /// The plan to play; `nil` where none was made in time.
  var nextToPlay: UnsafeMutablePointer<ScheduledCycle>? {
    @_noLocks get {
      let number = played.value
      return number == made.value ? nil : plans + Int(number % Self.capacity)
    }
  }

  /// Gives the plan back that was to be played.
  @_noLocks func finishPlaying() {
    played.increase()
    played.wake()
  }
}
