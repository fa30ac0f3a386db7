/// The sample encodings that we can write, the best first.
///
/// The corresponding C type is `snd_pcm_format_t`.
enum SampleEncoding: CaseIterable, Sendable, BitwiseCopyable {
  case float32
  case integer32
  /// 24 bits in the lower three bytes of four.
  case integer24
  case packed24
  case integer16

  /// Bytes of a sample in memory.
  var size: Int {
    @_noLocks get {
      switch self {
      case .float32, .integer32, .integer24: 4
      case .packed24: 3
      case .integer16: 2
      }
    }
  }

  var name: String {
    switch self {
    case .float32: "32 bits float"
    case .integer32: "32 bits"
    case .integer24, .packed24: "24 bits"
    case .integer16: "16 bits"
    }
  }
}
