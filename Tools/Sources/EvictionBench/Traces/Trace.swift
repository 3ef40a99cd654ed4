/// A series of requests, in order.
package struct Trace: Sendable {
    /// One step.
    package enum Step: Hashable, Sendable {
        /// A page asks for a response. These count for the ratios.
        case request(Int)
        /// A preload brings a response, unless it is stored. These count for nothing.
        case preload(Int)
    }

    package internal(set) var responses: [TracedResponse]
    package internal(set) var steps: [Step]

    /// - Parameter steps: Each names a response by its place.
    package init(responses: [TracedResponse] = [], steps: [Step] = []) {
        self.responses = responses
        self.steps = steps
    }

    /// The bytes of all its responses, each counted once.
    package var footprint: Int { responses.reduce(0) { $0 + $1.size } }

    /// The same for a memory tier, which holds heads, and bodies up to 64 KiB; every hit saves the same.
    package var inMemory: Trace {
        let limit = 65_536 + TracedResponse.headSize
        let held = responses.map {
            TracedResponse(size: $0.size > limit ? TracedResponse.headSize : $0.size, cost: 1)
        }
        return Trace(responses: held, steps: steps)
    }
}
