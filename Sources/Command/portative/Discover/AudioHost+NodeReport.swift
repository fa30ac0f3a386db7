import LocalSystem
import NodeHost
import NodeProtocol

extension AudioHost {
  /// Requests the report of a node.
  ///
  /// - Throws: ``Failure`` with the remedy if the node does not answer.
  func report(of node: PublishedNode) throws(Failure) -> NodeReport {
    do throws(ConnectionError) {
      return try report(ofNode: node.name)
    } catch {
      let name = "the node '\(node.name)' (process \(node.processID))"
      throw Failure(
        .failed,
        error == .connectionLost(.noAnswer)
          ? "\(name) does not answer: if that does not change, end it with 'kill -9 \(node.processID)'"
          : "\(name) does not report its status: \(error)")
    }
  }
}
