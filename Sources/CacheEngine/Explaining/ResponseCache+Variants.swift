import HTTPCacheSemantics
import HTTPTypes

/// A stored response that a request may mean, and the request by which it is selected.
public struct StoredVariant: Sendable {
    /// With the fields by which the response was selected (RFC 9111 §4.1), where the request that was asked about has none
    /// of that name.
    public var request: EngineRequest
    public var response: StoredResponse
}

extension ResponseCache {
    /// What a request may mean whose author does not know what fields a web view sends: the stored responses under its key
    /// that fit the fields which it has, each with those that it lacks as they were when that response was asked for. What
    /// the request selects as it is comes first, then the most recent response.
    ///
    /// - Returns: Nothing where no stored response fits.
    public func variants(of request: EngineRequest) async -> [StoredVariant] {
        guard let key = key(for: request) else { return [] }
        await arrivals.waitForCommits(key)
        let own = request.head.headerFields
        let stored = await lookUp(key).map(\.response).sorted { one, other in
            let (first, second) = (one.nominatedFields.match(own), other.nominatedFields.match(own))
            return first == second ? one.date > other.date : first
        }
        var found: [StoredVariant] = []
        for response in stored {
            var variant = request
            for (name, value) in response.nominatedFields.values {
                guard let name = HTTPField.Name(name), let value, !own.contains(name) else { continue }
                variant.head.headerFields[name] = value
            }
            guard response.nominatedFields.match(variant.head.headerFields),
                !found.contains(where: { $0.request.head == variant.head })
            else { continue }
            found.append(StoredVariant(request: variant, response: response))
        }
        return found
    }
}
