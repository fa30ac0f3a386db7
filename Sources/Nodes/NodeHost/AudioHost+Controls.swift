package import NodeProtocol

extension AudioHost {
  /// Asks a node to learn the control that a player moves next, and waits for it.
  ///
  /// - Throws: ``ConnectionError``: `refused` with `unknownMethod` by a node without keyboards.
  package func learn(
    _ request: LearnControl, ofNode node: String
  ) throws(ConnectionError) -> LearnControl.Response {
    // The node may make a unit first, to find its parameters.
    try ask(
      node, socketPath(ofNode: node), request,
      seconds: request.seconds + ControlLink.preparationLimit)
  }

  /// Returns the controls of a node.
  package func controls(ofNode node: String) throws(ConnectionError) -> [ControlReport] {
    let link = try openLink(node, socketPath(ofNode: node))
    defer { link.close() }
    return try link.requestAll { offset throws(ConnectionError) in
      let part = try link.send(GetControls(offset: offset), seconds: ControlLink.preparationLimit)
      return (part.items, part.total)
    }
  }

  /// Makes a node forget learned controls.
  package func clear(
    _ request: ClearControls, ofNode node: String
  ) throws(ConnectionError) -> ClearControls.Response {
    try ask(node, socketPath(ofNode: node), request)
  }
}
