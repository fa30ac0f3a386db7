import Foundation

/// AddressSanitizer, with which `make test-memory` builds the tests and the programs that they start.
package enum AddressSanitizer {
  /// Whether this process was built with it.
  package static let isLoaded = dlsym(nil, "__asan_init") != nil

  /// The variables of programs that tests start with an environment of their own: the options of the Makefile.
  package static let variables = ProcessInfo.processInfo.environment.filter {
    $0.key == "ASAN_OPTIONS"
  }
}
