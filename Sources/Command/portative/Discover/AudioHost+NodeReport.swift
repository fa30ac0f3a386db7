import LocalSystem
import NodeDirectory
import NodeHost
import NodeProtocol

extension AudioHost {
  /// Asks a node how it is doing.
  ///
  /// - Throws: When it does not say, with what to do about it.
  func report(of node: PublishedNode) throws(Failure) -> NodeReport {
    do throws(ConnectionError) {
      return try report(ofNode: node.name)
    } catch {
      let name = "the node '\(node.name)' (process \(node.pid))"
      if error == .connectionLost(.noAnswer) {
        throw Failure(
          .failed,
          "\(name) does not answer: if it goes on so, end it with 'kill -9 \(node.pid)'")
      }
      throw Failure(.failed, "\(name) does not say how it is: \(error)")
    }
  }
}
