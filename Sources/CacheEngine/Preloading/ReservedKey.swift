import HTTPCacheSemantics

/// A key under which a preload will store. Requests of pages for it wait for that instead of asking the origin, and
/// make the preload hurry.
package struct ReservedKey: Sendable {
    /// What happens to a key that a preload wants.
    package enum Decision: Sendable {
        case reserved(ReservedKey)
        /// Another request is on its way.
        case taken(OtherRequest)
        /// Answers for this key are known not to be shareable, so nobody waits for another.
        case notShared
    }

    /// A request that is on its way.
    package struct OtherRequest: Sendable {
        let flight: InFlight

        /// Returns once it has ended and its response is stored, where it is to be; or when the task is cancelled.
        package func wait() async { await flight.landed() }
    }

    let key: CacheKey
    let flight: InFlight
    let cache: ResponseCache
    let terms: PreloadTerms

    /// Lets the requests that wait go on: they find the response in the store, or else one of them asks the origin for
    /// all. Has to be called once.
    package func end(isStored: Bool) {
        // In this order: a request that looks up again must not join the same flight.
        cache.flights.land(key, flight)
        flight.publish(isStored ? .confirmed : .abandoned)
        terms.end(in: cache.traffic)
    }
}
