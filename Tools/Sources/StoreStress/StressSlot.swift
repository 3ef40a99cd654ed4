import HTTPCacheSemantics
import HTTPTypes

/// One place for a response: a key, and one of its variants.
package struct StressSlot: Hashable, Sendable {
    package static let variants = 3
    /// Keys of one worker, which share an origin.
    package static let keysPerWorker = 12

    package var key: Int
    package var variant: Int

    package init(key: Int, variant: Int) {
        self.key = key
        self.variant = variant
    }

    package static func origin(_ worker: Int) -> String { "https://w\(worker).stress.test" }

    package static func cacheKey(_ key: Int) -> CacheKey {
        CacheKey(uri: "\(origin(key / keysPerWorker))/\(key)")
    }
}

/// The state of a slot: which version of the response, over which content.
package struct StressState: Hashable, Sendable, CustomStringConvertible {
    package var version: UInt64
    package var content: UInt64

    package init(version: UInt64, content: UInt64) {
        self.version = version
        self.content = content
    }

    package var description: String { "\(version):\(content)" }

    /// The response of a version, all of it: whoever finds another one has found a mixture.
    package func response(in slot: StressSlot) -> StoredResponse {
        let time = WallInstant(unixSeconds: 1_700_000_000 + Int64(version % 100_000))
        var fields: HTTPFields = [
            .contentType: "application/octet-stream", .cacheControl: "max-age=60", .eTag: "\"\(version)\"",
        ]
        if let name = HTTPField.Name("X-Stress") { fields[name] = "\(slot.key) \(slot.variant) \(version) \(content)" }
        // Some heads are long, so that they don't all lie in one page.
        if version % 7 == 0 { fields[.contentSecurityPolicy] = String(repeating: "\(version) ", count: 200) }
        var response = StoredResponse(
            nominatedFields: NominatedFields(values: slot.variant == 0 ? [:] : ["accept": "\(slot.variant)"]),
            status: .ok, fields: fields, requestTime: time, responseTime: time,
            needsValidation: version % 11 == 0)
        if let parts = StressParts(content) { response.extent = parts.extent }
        return response
    }

    /// The slot and state that a found response states; `nil` if it can't have been stored.
    package static func read(_ response: StoredResponse) -> (slot: StressSlot, state: StressState)? {
        guard let name = HTTPField.Name("X-Stress"), let text = response.fields[name] else { return nil }
        let numbers = text.split(separator: " ").compactMap { UInt64($0) }
        guard numbers.count == 4 else { return nil }
        let slot = StressSlot(key: Int(clamping: numbers[0]), variant: Int(clamping: numbers[1]))
        let state = StressState(version: numbers[2], content: numbers[3])
        return response == state.response(in: slot) ? (slot, state) : nil
    }
}
