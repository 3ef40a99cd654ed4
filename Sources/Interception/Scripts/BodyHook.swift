import HTTPTypes

/// The script that makes uploads of pages readable for a scheme handler, and tells it of options that no field shows.
///
/// What a scheme handler gets of a request's content is complete for text and buffers only: a Blob or File inside it is
/// lost on Apple platforms, and reading it crashes WebKitGTK 2.50. The script turns those into buffers before the
/// request leaves, and marks every request whose content it has seen to be readable. The mark is part of `Accept`, which
/// also requests without CORS may set; ``takeMark(from:)`` takes it off again. Requests of other schemes get none.
///
/// A page can't tell its functions from the web view's own by their text, names, lengths, prototypes, errors or by how
/// often they convert what they are given; only another document's `Function.prototype.toString` shows the difference.
///
/// It can't help in workers, in synchronous requests with a Blob, and in forms that upload files.
public struct BodyHook: Sendable {
    /// What the script says of a request whose content can be read.
    public struct Mark: Hashable, Sendable {
        /// `credentials` of `fetch`, or `withCredentials`.
        public var credentials: InterceptedRequest.Credentials?
        /// `redirect` of `fetch`.
        public var redirect: InterceptedRequest.Redirect?
    }

    private let token: String
    private let schemes: [String]
    /// A name that no page knows.
    private let once = "_" + String(UInt64.random(in: .min ... .max), radix: 36)

    /// - Parameters:
    ///   - token: Text that no page can guess, of letters and digits. A page that learns it can crash the web view's
    ///     process on Linux, and do nothing else with it. In the web view's own frames a page can: of a frame whose
    ///     first empty document it has changed, and in `httpsScheme` from its service worker, which sees the field.
    ///   - schemes: The schemes that the handler answers, without a colon.
    public init(token: String, schemes: [String]) {
        self.token = token
        self.schemes = schemes
    }

    /// Run it at the start of every document, in all frames, in the page's own world.
    public var script: String {
        // `document.open` has it run again in the same world, after the page: the second declaration ends it.
        "const \(once) = 0;\n(\(Self.source))('\(mark)', [\(schemes.map { "'\($0):'" }.joined(separator: ", "))]);"
    }

    private var mark: String { "larder/\(token)" }

    /// Takes the mark off; `nil` if the script has not seen the request.
    public func takeMark(from fields: inout HTTPFields) -> Mark? {
        guard let accept = fields[.accept] else { return nil }
        let ranges = accept.split(separator: ",").map { $0.drop { $0 == " " } }
        let isMark = { (range: Substring) in range == mark || range.hasPrefix(mark + ";") }
        guard let found = ranges.last(where: isMark) else { return nil }
        let left = ranges.filter { !isMark($0) }.joined(separator: ", ")
        fields[.accept] = left.isEmpty ? "*/*" : left
        func option(_ name: String) -> String? {
            found.split(separator: ";").first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
        }
        return Mark(
            credentials: option("credentials").flatMap { InterceptedRequest.Credentials(rawValue: $0) },
            redirect: option("redirect").flatMap { InterceptedRequest.Redirect(rawValue: $0) })
    }
}
