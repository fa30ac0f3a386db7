import Foundation

/// AddressSanitizer and ThreadSanitizer, with which `make test-memory` and `make test-threads` build the tests and the
/// programs that they start. Both use more memory, and keep what is freed.
package enum Sanitizer {
  /// Whether this process was built with one of them.
  package static let isLoaded = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

  /// The variables of programs that tests start with an environment of their own: the options of the Makefile.
  package static let variables = ProcessInfo.processInfo.environment.filter {
    ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key) || isLoaded && $0.key == "LD_PRELOAD"
  }
}
