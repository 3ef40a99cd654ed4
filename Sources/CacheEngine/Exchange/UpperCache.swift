import HTTPCacheSemantics
import HTTPTypes

/// The cache of the web view that asks. It lies above this one, and is told by the fields of answers how to use them.
package enum UpperCache: Hashable, Sendable {
    /// Answers have the fields of their responses.
    case asStated
    /// It asks here before each use (RFC 9111 §5.2.2.4), so that it hides no decision, removal, account or deploy. The
    /// exception is a name with a content hash under ``Verdict/permanent``: it asks again after a day or two.
    ///
    /// WebKit loads ahead what a page asked for at the visit before, and may use that unasked for 10 s, also when its
    /// cache was emptied meanwhile (seen in WebKitGTK 2.50; no field of a response changes that).
    case asks
    /// It keeps nothing (§5.2.2.5).
    case off
}

/// The differences between the fields of a response and those of an answer made of it.
struct AnswerFields: Hashable {
    private enum Reuse: Hashable {
        case asStated, asked, never
        /// Until the response has this age, in seconds.
        case unasked(until: Int64)
    }

    /// Fields that the answer lacks.
    var omitted: Set<HTTPField.Name>
    private var reuse: Reuse

    private static let day: Int64 = 86_400

    /// - Parameter age: The response's current age in seconds.
    init(_ machine: ExchangeMachine, age: Int64) {
        omitted = machine.context.fieldsOmittedFromHits
        reuse =
            switch machine.context.upperCache {
            case .asStated: .asStated
            case .off: .never
            case .asks where machine.policy.verdict == .neverStore: .never
            case .asks where machine.policy.verdict == .permanent && machine.policy.restsOnHashedName:
                // In whole days, so that the answers of a day share their head.
                .unasked(until: (max(0, min(age, .max / 2)) / Self.day + 2) * Self.day)
            case .asks: .asked
            }
    }

    func apply(to fields: inout HTTPFields) {
        for name in omitted { fields[name] = nil }
        guard reuse != .asStated else { return }
        let stated = CacheControl(lines: fields[values: .cacheControl])
        guard !stated.has("no-store") else { return }
        switch reuse {
        case .asStated: break
        case .never: fields[.cacheControl] = "no-store"
        case .unasked(let age): fields[.cacheControl] = "max-age=\(age), immutable"
        // Added to what is stated: a page that reads the field finds that as well.
        case .asked:
            fields[.cacheControl] = [fields[.cacheControl], "no-cache"].compactMap { $0 }.joined(separator: ", ")
        }
    }
}
