/// Writes to a stream only after the stream has said that there is room, one write for each time.
struct OutletMachine {
    enum Action: Equatable {
        /// Write these bytes and say how many were taken.
        case write(ArraySlice<UInt8>)
        /// The piece is written, or never will be: let the sender go on.
        case goOn
        case close
    }

    private enum State {
        case open
        case stopped
        case closed
    }

    private var state = State.open
    private var hasRoom = false
    private var isWriting = false
    private var piece: ArraySlice<UInt8> = []

    /// Whether what is offered is still wanted.
    var isOpen: Bool { if case .open = state { true } else { false } }

    mutating func offer(_ bytes: [UInt8]) -> [Action] {
        guard isOpen else { return [.goOn] }
        piece = bytes[...]
        guard !piece.isEmpty else { return [.goOn] }
        return write()
    }

    mutating func gotRoom() -> [Action] {
        hasRoom = true
        return isOpen ? write() : []
    }

    mutating func wrote(_ count: Int) -> [Action] {
        isWriting = false
        guard isOpen else { return [] }
        guard count >= 0 else { return failed() }
        piece = piece.dropFirst(count)
        return piece.isEmpty ? [.goOn] : write()
    }

    /// The stream has failed.
    mutating func failed() -> [Action] { close() }

    /// Nothing more is written. The stream stays open.
    mutating func stop() -> [Action] {
        guard isOpen else { return [] }
        state = .stopped
        piece = []
        return [.goOn]
    }

    /// Ends the stream: after all of the content, or when nobody reads it any more.
    mutating func close() -> [Action] {
        if case .closed = state { return [] }
        state = .closed
        piece = []
        return [.close, .goOn]
    }

    private mutating func write() -> [Action] {
        guard hasRoom, !isWriting, !piece.isEmpty else { return [] }
        (hasRoom, isWriting) = (false, true)
        return [.write(piece)]
    }
}
