/// One reader under test: how it is fed, and what must hold whatever it is fed.
protocol FuzzTarget: Sendable {
    /// The folder of its corpus, and the argument that chooses it.
    static var name: String { get }
    /// Inputs that a careless reader takes quadratic time for.
    static var shapes: [HostileShape] { get }
    /// Reads the input and checks its claims, in time proportional to its length.
    static func check(_ input: FuzzInput) throws(BrokenClaim)
}
