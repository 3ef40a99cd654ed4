/// A session's task, as far as it is driven here. Nothing is told to it after its end.
package protocol NetworkTask: Sendable {
    func resume()
    func suspend()
    func cancel()
}
