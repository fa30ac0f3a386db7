/// Detects when the chorus may be suspended because it receives no signal.
///
/// When its delay lines are empty, the output of the chorus is zero. Its modulation continues, however, so
/// it must catch up in one go before it receives a signal again, which is possible only offline. Most songs
/// never use the chorus.
struct ChorusIdleDetector: BitwiseCopyable {
  /// The number of blocks that the chorus has skipped.
  var missedBlocks = 0
  /// The delay lines are empty initially.
  private var silentBlocks = emptyAfter

  /// The number of blocks after which a sample has no effect, at any rate: neither in the delay line of
  /// 2048 frames (`fluid_chorus.c`) nor in ``SendFilter``, whose poles attenuate it to 10⁻⁷⁰.
  private static var emptyAfter: Int { @_noLocks get { 512 } }

  @_noLocks init() {}

  @_noLocks mutating func observe(_ send: UnsafePointer<Float>) {
    silentBlocks = CompressedBlock.isSilent(send) ? silentBlocks + 1 : 0
  }

  var isIdle: Bool { @_noLocks get { silentBlocks > Self.emptyAfter } }
}
