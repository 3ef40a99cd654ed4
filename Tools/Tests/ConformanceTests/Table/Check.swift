/// What must hold after a step, besides its ``Outcome``. Texts may hold placeholders, see ``Placeholders``.
enum Check: Sendable {
    /// The client's status; without it 200, or that of the answer or stored response.
    case status(Int)
    /// `Name: value`: the client gets the field with exactly this value, lines joined with a comma and a space.
    case field(String)
    /// `Name: value`: the field's value starts so.
    case fieldStarts(String)
    /// `Name: value`: the client does not get the field with this value, though perhaps with another.
    case isNot(String)
    case has(String)
    case no(String)
    /// The content; without it that of the answer or stored response.
    case body(String)
    /// The content is another than this.
    case bodyIsNot(String)
    /// The content holds this text.
    case bodyHolds(String)
    case empty
    /// Whatever the content is.
    case anyBody
    /// `Name: value`: the origin saw the field with exactly this value.
    case sent(String)
    /// `Name: value`: the value that the origin saw starts so.
    case sentStarts(String)
    /// `Name: value`: the origin did not see the field with this value.
    case isNotSent(String)
    case sentHas(String)
    case sentNo(String)
    /// The request target that the origin saw, without the scenario's own path.
    case sentTarget(String)
    case sentBody(String)
    /// An interim response with these fields came before the final one; in the order of the checks.
    case interim(Int, [String])
    case noInterim
    /// A parameter of our member of `Cache-Status`: `stored`, or `fwd=miss`.
    case cacheStatus(String)
    case noCacheStatus(String)
}
