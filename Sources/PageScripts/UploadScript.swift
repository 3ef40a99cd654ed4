import Fetching
import HTTPCacheSemantics
import HTTPTypes

/// The script that makes uploads of pages readable for a scheme handler, and tells it of options that no field shows.
///
/// A scheme handler gets a request's content complete for text and buffers only: a Blob or File
/// inside it is lost on Apple platforms, and reading it crashes WebKitGTK 2.50. The script lets
/// such a request go without its content, and sends that in buffers beside it, piece by piece
/// (``UploadPart``); forms that the web view sends by itself too. It marks every request whose
/// content it has seen to be readable. The mark is part of `Accept`, which also requests without
/// CORS may set; ``takeMark(from:)`` takes it off again. Requests of other schemes get none.
///
/// A page can't tell its functions from the web view's own by their text, names, lengths, prototypes, errors or by how
/// often they convert what they are given; only another document's `Function.prototype.toString` shows the difference.
///
/// The script also shows the page where redirects led that native code has followed: in reply to what it has marked,
/// the address stands before the status text (``RequestEvidence/redirectMark``), and it takes that off.
///
/// A web view stops what a page has under way when a form replaces that page: then the content is sent beforehand, and
/// the adapter lets the web view navigate when it is there (``ViewRequests/waitForForms(at:)``).
///
/// It can't help in workers, in synchronous requests with a File or a long Blob, and in forms that are
/// multipart/form-data and are in a shadow tree, or have letters beyond ASCII in an encoding of several bytes that is
/// not UTF-8. Those are refused.
package struct UploadScript: Sendable {
    /// The script's marks on a request whose content can be read.
    package struct Mark: Hashable, Sendable {
        package var options = ScriptOptions()
        /// The sender of the request; `nil` for parts of uploads.
        package var concern: PagePatch?
        /// The script has met a fault of its own there, and left a request to the web view.
        package var fault: PagePatch?
        /// The request's part in an upload in pieces; `nil` for one whose content is its own.
        package var upload: UploadPart?
        /// The request only says this, and is for no server.
        package var addresses: AddressCounts?
    }

    private let token: String
    /// Stands behind URLs of `EventSource`, where pages can come to see it: it says nothing else.
    private let sourceMark: String
    private let schemes: [String]
    private let unpatched: [String: Set<PagePatch>]

    /// The beginning of the status text of an answer whose redirects native code has followed; no
    /// page knows it. Use it as ``RequestEvidence/redirectMark`` of requests that have a mark.
    package let redirectMark = "moved-" + String(UInt64.random(in: .min ... .max), radix: 36)

    /// - Parameters:
    ///   - token: Text that no page can guess, of letters and digits. A page that learns it can crash the web view's
    ///     process on Linux, and do nothing else with it. In the web view's own frames a page can: of a frame whose
    ///     first empty document it has changed, and in `httpsScheme` from its service worker, which sees the field.
    ///   - schemes: The schemes that the handler answers, without a colon.
    ///   - unpatched: What is left out, by host: its uploads are refused there. Nothing unless stated.
    package init(token: String, schemes: [String], unpatched: [String: Set<PagePatch>] = [:]) {
        self.token = token
        sourceMark = "source-" + Self.randomToken()
        self.unpatched = unpatched
        self.schemes = schemes
    }

    /// A token for ``init(token:schemes:unpatched:)``: 128 random bits.
    package static func randomToken() -> String {
        (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    }

    /// Run it at the start of every document, in all frames, in the page's own world.
    package var script: String {
        let schemes = schemes.map { "'\($0):'" }.joined(separator: ", ")
        return ScriptStart.once(
            "bodies",
            "(\(Self.source))('\(mark)', '\(sourceMark)', '\(redirectMark)', '\(Self.ownRequestField)', "
                + "[\(schemes)], \(PagePatch.leftOut(unpatched)));"
        )
    }

    /// Run it in the same documents, in a world of its own: it sends what ``script`` hands over of forms, which a
    /// page's policy for what it fetches (`connect-src`) must not stop. Without it such a policy does.
    package var isolatedWorldScript: String {
        ScriptStart.once("bodies", "(\(Self.isolatedWorldSource))('\(mark);apart');")
    }

    var mark: String { "larder/\(token)" }

    /// Takes the mark off; `nil` if the script has not seen the request.
    package func takeMark(from fields: inout HTTPFields) -> Mark? {
        guard let accept = fields[.accept] else { return nil }
        let ranges = accept.split(separator: ",").map { $0.drop { $0 == " " } }
        let isMark = { (range: Substring) in range == mark || range.hasPrefix(mark + ";") }
        guard let found = ranges.last(where: isMark) else { return nil }
        let left = ranges.filter { !isMark($0) }.joined(separator: ", ")
        fields[.accept] = left.isEmpty ? "*/*" : left
        return Self.mark(found)
    }

    /// Takes the mark of an `EventSource` off a URL, behind which it stands because such a request has no fields of the
    /// page's; `nil` without one.
    ///
    /// It is not the mark of other requests, as a page can come to see it: a frame without scripts has natives that
    /// tell a URL as it is. It counts for requests for event streams alone, so that who knows it gains nothing for
    /// images or frames.
    package func takeMark(from url: inout String, _ fields: HTTPFields) -> Mark? {
        guard let place = url.lastIndex(of: "#") else { return nil }
        let fragment = url[url.index(after: place)...]
        guard fragment.hasPrefix(sourceMark + ";") else { return nil }
        let mark = Self.mark(fragment)
        url.removeSubrange(place...)
        guard mark.concern == .eventSource, fields[values: .accept] == ["text/event-stream"] else { return nil }
        return Mark(options: ScriptOptions(credentials: mark.options.credentials), concern: .eventSource)
    }

    /// The script adds this field to what a page sends to its own origin where the web view sends no `Sec-Fetch-Site`.
    /// It is no secret: the web view itself sends it to another origin with CORS only, and then with `Origin`, so that
    /// a request that has this field and no `Origin` is surely one of the page's own origin
    /// (``RequestEvidence/needsCORSElsewhere``).
    static let ownRequestField = "X-Larder-Own"

    /// Takes ``ownRequestField`` off, which no server gets.
    ///
    /// - Returns: Whether it was there.
    package static func takeOwnRequestField(from fields: inout HTTPFields) -> Bool {
        guard let name = HTTPField.Name(ownRequestField), fields.contains(name) else { return false }
        fields[name] = nil
        return true
    }

    private static func mark(_ text: Substring) -> Mark {
        let options = text.split(separator: ";").dropFirst().reduce(into: [Substring: Substring]()) {
            options, option in
            let parts = option.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { options[parts[0]] = parts[1] }
        }
        return Mark(
            options: ScriptOptions(
                credentials: options["credentials"].flatMap { FetchRequest.Credentials(rawValue: String($0)) },
                redirect: options["redirect"].flatMap { FetchRequest.Redirect(rawValue: String($0)) },
                isForOwnOrigin: options["mode"] == "same-origin",
                cacheMode: options["cache"].flatMap { CacheMode(fetchMode: String($0)) },
                referrerPolicy: options["policy"].flatMap { ReferrerPolicy(rawValue: String($0)) },
                isKeepalive: options["keepalive"] != nil,
                timeout: options["timeout"].flatMap { UInt32($0) }.map { .milliseconds(Int64($0)) }),
            concern: options["by"].flatMap { PagePatch(rawValue: String($0)) },
            fault: options["fault"].flatMap { PagePatch(rawValue: String($0)) }, upload: part(options),
            addresses: options["addresses"].flatMap { AddressCounts(report: $0) })
    }

    private static func part(_ options: [Substring: Substring]) -> UploadPart? {
        if let begun = options["begin"].flatMap({ UploadID($0) }) {
            if options["whole"] != nil { return .follow(begun) }
            let length = options["length"].flatMap { Int64($0) } ?? 0
            if options["form"] == "held" { return .hold(begun, length: length) }
            return .begin(begun, length: length, isForm: options["form"] != nil)
        }
        if let failed = options["failed"].flatMap({ UploadID($0) }) { return .failure(failed) }
        guard let id = options["upload"].flatMap({ UploadID($0) }) else { return nil }
        return options["piece"].map { .piece(id, number: Int($0) ?? -1) } ?? .content(id)
    }
}

/// The role of a marked request in an upload in pieces.
///
/// A scheme handler can't read a Blob or File, so the request itself goes without its content. The script sends that in
/// requests of its own, to the same URL, each with a buffer, which a handler can read.
package enum UploadPart: Hashable, Sendable {
    /// Begins an upload of so many bytes, and is answered when it has ended. `isForm` for that of a form that the web
    /// view sends by itself, so that its request carries no mark.
    case begin(UploadID, length: Int64, isForm: Bool)
    /// Begins that of a form whose answer takes the place of its own page: its pieces are answered when they are
    /// stored, and the web view navigates when all of them are (``ViewRequests/waitForForms(at:)``).
    case hold(UploadID, length: Int64)
    /// Begins to follow content that its request carries by itself: answered when that has been taken.
    case follow(UploadID)
    /// The next bytes. Numbers count up from zero; answered when the origin's connection takes them, and not before is
    /// the next one to come.
    case piece(UploadID, number: Int)
    /// The page's file can't be read any more.
    case failure(UploadID)
    /// The request whose content it is.
    case content(UploadID)
}

/// The name of one upload: 16 letters or digits that the injected script chose at random.
package struct UploadID: Hashable, Sendable {
    package let text: String

    /// - Returns: `nil` for a text of another form.
    package init?(_ text: some StringProtocol) {
        let isName = text.utf8.allSatisfy { ByteScanner.isLetter($0) || ByteScanner.isDigit($0) }
        guard isName, text.utf8.count == Self.length else { return nil }
        self.text = String(text)
    }

    /// The boundary of a form uploaded under this name, RFC 7578 §4.1. It looks like WebKit's.
    package var boundary: String { "----WebKitFormBoundary" + text }

    /// All names that stand between quotation marks in a form's content.
    package static func quoted(in content: [UInt8]) -> [UploadID] {
        content.split(separator: 0x22).compactMap { UploadID(String(decoding: $0, as: UTF8.self)) }
    }

    private static let length = 16
}
