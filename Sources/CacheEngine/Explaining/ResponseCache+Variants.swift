import HTTPCacheSemantics
import HTTPTypes

/// A stored response that a request may mean, and the request that selects it.
package struct StoredVariant: Sendable {
    /// The caller's request, with the fields that selected the response (RFC 9111 §4.1) where it lacks them.
    package var request: EngineRequest
    package var response: StoredResponse
}

extension ResponseCache {
    /// The stored responses that a request may mean if its author does not know which fields a web view sends: those
    /// under its key that match the fields it has. Each comes with the request completed by the fields that selected
    /// the response. Responses that the request selects as it is come first, then the others; among each, the most
    /// recent first.
    ///
    /// - Returns: An empty array if no stored response matches.
    package func variants(of request: EngineRequest) async -> [StoredVariant] {
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
