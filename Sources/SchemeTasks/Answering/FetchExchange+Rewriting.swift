import CacheEngine
import Fetching
import HTTPCacheSemantics
import HTTPTypes
import PageRewriting
import PageScripts
import ResponseStore

/// Delivering to pages at the app-cache scheme.
extension FetchExchange {
    /// Content in memory of up to 256 KiB is turned at once, so that a hit needs no `Task`.
    private static let atOnce = 262_144

    /// - Parameter body: With its codings taken off.
    func response(_ head: HTTPResponse, _ body: ResponseBody) -> LoadResponse {
        guard usesAppScheme, let rewriting = configuration.rewriting else {
            return LoadResponse(head: head, body: body)
        }
        var head = head
        let host = first.head.authority
        let policies = turnPolicies(&head, host)
        if first.mode == .navigate { turnLinks(&head, rewriting) }
        guard let content = RewrittenContent(head, to: first), !isHashed else {
            return LoadResponse(head: head, body: body)
        }
        head.headerFields.describeOtherForm()
        var options = PageRewriter.Options(hosts: hosts(rewriting), host: host)
        options.includesMedia = rewriting.includesMedia
        options.isUTF8 = content.isUTF8
        options.keepsInlineText = policies
        return LoadResponse(head: head, body: turned(body, PageRewriter(content.kind, options)))
    }

    private func turned(_ body: ResponseBody, _ rewriter: PageRewriter) -> ResponseBody {
        var rewriter = rewriter
        switch body {
        case .empty: return .empty
        case .bytes(let bytes) where bytes.count <= Self.atOnce:
            let output = rewriter.rewrite(bytes)
            let rest = rewriter.finish()
            noteHashed(rewriter.takeHashedAddresses())
            return .bytes(rest.isEmpty ? output : output + rest)
        case .bytes, .file, .stream:
            return .stream(RewritingBody(body.makeSource(), rewriter) { noteHashed($0) }, length: nil)
        }
    }

    /// The page's own, that of the file itself, and those that the app named.
    private func hosts(_ rewriting: AddressRewriting) -> NamedHosts {
        var hosts = rewriting.hosts
        if let own = first.head.authority { hosts.insert(own) }
        if let page = first.topLevelURL.flatMap({ WebURL($0) }), page.scheme == "https" {
            hosts.insert(page.authority.description)
        }
        return NamedHosts(hosts)
    }

    /// - Returns: Whether a policy allows text within the document by its hash.
    private func turnPolicies(_ head: inout HTTPResponse, _ host: String?) -> Bool {
        var hasHashes = false
        for index in head.headerFields.indices {
            let field = head.headerFields[index]
            guard field.name == .contentSecurityPolicy || field.name == FetchField.policyReportOnly else { continue }
            let policy = PolicyText(field.value, host: host)
            hasHashes = hasHashes || policy.hasHashes
            head.headerFields[index].value = policy.turned
        }
        return hasHashes
    }

    /// RFC 8288 §3: what a document is to preload. No page reads the field of its document.
    private func turnLinks(_ head: inout HTTPResponse, _ rewriting: AddressRewriting) {
        let hosts = hosts(rewriting)
        for index in head.headerFields.indices where head.headerFields[index].name == FetchField.link {
            let parts = head.headerFields[index].value.split(separator: "<", omittingEmptySubsequences: false)
            let turned = parts.enumerated().map { index, part in
                let isNamed = index > 0 && hosts.contains(String(part.prefix { $0 != ">" }))
                return isNamed ? NamedHosts.insertion + part : String(part)
            }
            head.headerFields[index].value = turned.joined(separator: "<")
        }
    }

    // MARK: Hashes

    private var isHashed: Bool {
        let url = first.url
        return responder.hashedAddresses.withLock { $0.contains(url) }
    }

    private func noteHashed(_ found: [(address: String, base: String?)]) {
        let document = first.url
        for (address, base) in found {
            let base = base.flatMap { Self.resolve($0, against: document) } ?? document
            guard let url = Self.resolve(address, against: base) else { continue }
            responder.hashedAddresses.withLock { $0.set(true, for: url) }
        }
    }

    private static func resolve(_ address: String, against base: String) -> String? {
        guard case .web(let web) = URLReference.resolve(address, against: base) else { return nil }
        return web.url
    }
}
