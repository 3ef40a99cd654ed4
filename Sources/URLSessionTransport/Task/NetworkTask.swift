/// What is told to a task of a session. Nothing is told to it after its end.
package protocol NetworkTask: Sendable {
    func resume()
    func suspend()
    func cancel()
}
