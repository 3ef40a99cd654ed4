/// The end of a stream pair that is written to; a session reads from the other.
package protocol OutputPort: Sendable {
    /// Opens it. From then on it tells what happens, from one queue.
    func open(_ notify: @escaping @Sendable (OutputPortEvent) -> Void)

    /// Writes as much as there is room for, without waiting. Called from the queue of the events alone.
    ///
    /// - Returns: How many bytes were taken; negative after a failure.
    func write(_ bytes: ArraySlice<UInt8>) -> Int

    /// Calls back on the queue of the events.
    func enqueue(_ work: @escaping @Sendable () -> Void)

    /// Ends the stream. Nothing is called on it afterwards.
    func close()
}

/// An event of an ``OutputPort``.
package enum OutputPortEvent: Sendable {
    /// There is room again.
    case hasRoom
    /// The other end is gone.
    case failed
}
