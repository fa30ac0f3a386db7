/// Inverts the low-pass (1 + a₁z + a₂z²)⁻¹ of a voice, except for two poles near −1 that keep the result
/// bounded, and scales full scale to 24-bit steps.
struct SendFilter {
  var a1 = 0.0
  var a2 = 0.0
  /// The double pole is at −`pole`; 0 for none.
  var pole = 0.0
  var scale = 1.0
  private var input1 = 0.0
  private var input2 = 0.0
  private var output1 = 0.0
  private var output2 = 0.0

  init() {}

  @_noLocks mutating func next(_ input: Double) -> Double {
    let zeros = input + a1 * input1 + a2 * input2
    let output = zeros - 2 * pole * output1 - pole * pole * output2
    input2 = input1
    input1 = input
    output2 = output1
    output1 = output
    return output * scale
  }
}
