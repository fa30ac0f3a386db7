/// Called by libFuzzer with one input after another; a law that an input breaks stops the program.
@c(LLVMFuzzerTestOneInput)
public func fuzzMIDIFile(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if let law = DecodingLaws.broken(by: bytes) { fatalError("broken: \(law)") }
  return 0
}
