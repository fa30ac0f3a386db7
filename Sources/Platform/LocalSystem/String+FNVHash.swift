extension String {
  /// A number that depends on the text alone, in every version of the program.
  ///
  /// Source: G. Fowler, L. C. Noll, K. Vo, *FNV Hash*, 1991: FNV-1a with 32 bits.
  package var fnvHash: UInt32 {
    utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }
}
