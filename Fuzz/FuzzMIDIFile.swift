/// Called by libFuzzer with each input; traps if the input violates a law.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMIDIFile(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if let law = DecodingLaws.broken(by: bytes) { fatalError("violated: \(law)") }
  return 0
}
