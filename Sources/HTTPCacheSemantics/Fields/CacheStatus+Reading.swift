import HTTPTypes

extension CacheStatus {
    /// Reads every line of `Cache-Status`: the cache closest to the origin first, the one closest to the user last.
    ///
    /// - Returns: Empty if the field is absent or not a valid List: an invalid field is ignored as a whole
    ///   (RFC 9651 §4.2).
    package static func list(_ fields: HTTPFields) -> [CacheStatus] {
        list(lines: fields[values: .cacheStatus])
    }

    /// - Parameter lines: The values of the field's lines, in order.
    package static func list(lines: [String]) -> [CacheStatus] {
        (StructuredField.list(lines: lines) ?? []).compactMap(CacheStatus.init)
    }

    /// One member; `nil` for an inner list and for a name that is neither String nor Token (RFC 9211 §2).
    ///
    /// Unknown parameters, values of another type and reasons that ``ForwardReason`` does not list count as absent.
    private init?(_ member: StructuredField.Member) {
        guard case .item(let item) = member else { return nil }
        switch item.value {
        case .string(let name), .token(let name): self.init(cache: name)
        default: return nil
        }
        isHit = item.parameters["hit"] == .boolean(true)
        isStored = item.parameters["stored"] == .boolean(true)
        isCollapsed = item.parameters["collapsed"] == .boolean(true)
        if case .token(let reason) = item.parameters["fwd"] { forward = ForwardReason(rawValue: reason) }
        if case .integer(let code) = item.parameters["fwd-status"] {
            forwardStatus = Int(exactly: code).flatMap { Self.statusCodes.contains($0) ? $0 : nil }
        }
        if case .integer(let seconds) = item.parameters["ttl"] { timeToLive = seconds }
        if case .string(let text) = item.parameters["key"] { key = text }
        switch item.parameters["detail"] {
        case .string(let text), .token(let text): detail = text
        default: break
        }
    }
}
