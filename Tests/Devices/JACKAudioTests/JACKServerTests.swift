import JACKTestSupport
import Testing

/// Tests with a real server without a sound card. They are serialized, across suites, because the JACK library supports
/// one server at a time in a process.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: TestJACKServer.isRequired, "needs jackd: apt-get install jackd2"), .serialized)
enum JACKServerTests {}
