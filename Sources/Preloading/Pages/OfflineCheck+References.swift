import Fetching
import HTTPCacheSemantics
import HTTPTypes
import PageSyntax

/// The loads that stored content names.
extension OfflineCheck {
    /// The loads that a page, sheet or module refers to. A web view makes one of those with one choice, as of an image.
    ///
    /// - Parameters:
    ///   - content: Without codings; read where it may name something.
    ///   - facts: What is known of the page to which a file belongs.
    ///   - later: Whether is meant, too, what a page shows itself without at first: the code that a script loads when
    ///     it is needed, and the preloads of `Link` fields (RFC 8288).
    ///   - screen: The one for which images are chosen; `nil` leaves all of them.
    /// - Returns: The loads, and what is known of the page to which they belong.
    static func references(
        in content: @autoclosure () -> [UInt8]?, _ fields: HTTPFields, at url: String,
        _ destination: PreloadDestination, _ facts: PageFacts, andLater later: Bool = false,
        on screen: PageScreen? = nil
    ) -> (loads: [(load: Load, choice: Int?)], page: PageFacts) {
        let isPage = destination == .document || destination == .iframe
        // A page whose server names no type has the one that its beginning shows.
        let isUntyped = isPage && DocumentType.named(by: fields) == nil
        let type = isUntyped ? "text/html" : fields.mediaType ?? ""
        let isSheet =
            destination == .style && MediaTypeTolerance.takes(fields.mediaType, as: .style, fields, isSVG: false)
        let imports = destination == .module || destination == .worker
        let isModule = (imports || later && destination == .script) && MediaTypeKind(type) == .javaScript
        guard isSheet || isModule || isPage && ["text/html", "application/xhtml+xml", "image/svg+xml"].contains(type),
            let bytes = content(),
            !isUntyped || DocumentType.sniffed(bytes, mayBeScriptable: !SniffingCheck.hasNoSniff(fields)) == type
        else { return ([], facts) }
        var loads: [(load: Load, choice: Int?)] = []
        // An address is relative to the `base` before it, or around a document in an attribute (HTML §2.4.1).
        var (document, base, hasBase) = (url, url, false)
        func add(
            _ address: String, _ use: PreloadDestination, usesCORS: Bool = false, isNeeded: Bool = true,
            integrity: String = "", choice: Int? = nil
        ) {
            guard case .web(let target) = URLReference.resolve(address, against: base) else { return }
            let load = Load(
                url: target.url, destination: use, usesCORS: usesCORS, isNeeded: isNeeded, integrity: integrity)
            loads.append((load, choice))
        }
        if isPage, let next = fields[FetchField.refresh].flatMap({ PageRefresh($0) }), next.seconds < 10 {
            if !next.url.isEmpty { add(next.url, .iframe) }
        }
        // A document in an attribute has offsets of its own.
        var isWhole = true
        // A tag is there only while it is read.
        var (maps, scripts, modules) = ([[UInt8]](), [[UInt8]](), [[UInt8]]())
        var policies = fields[.contentSecurityPolicy] ?? ""
        var (images, fonts) = (ImageSelection(for: screen), FontSelection(for: nil))
        /// Whether it is of another site, and a page is as usable without: a picture, a frame, a film, and a script for
        /// which the page does not wait, such as one that counts visits.
        func isWaitedForByNone(_ use: PreloadDestination, _ tag: HTMLTag?, _ address: String) -> Bool {
            let isAsync = tag.map { tag in tag.attributes.contains { tag.name(of: $0) == "async" } } ?? false
            guard [.image, .iframe, .audio, .video].contains(use) || use == .script && isAsync,
                case .web(let target) = URLReference.resolve(address, against: base)
            else { return false }
            // As it is asked for, see below.
            let isUpgraded = url.hasPrefix("https:") && target.url.hasPrefix("http:")
            let asked = isUpgraded ? "https" + target.url.dropFirst(4) : target.url
            return PreloadItem(url: asked, destination: use, origin: url).relation(to: asked) == .crossSite
        }
        func meet(_ reference: PageReference, _ tag: HTMLTag?) {
            // A fragment alone is a part of this very document, also in its styles.
            let use = reference.url.hasPrefix("#") ? nil : use(reference.kind, tag)
            guard !reference.isInert else {
                if later, let use { add(reference.url, use, isNeeded: false) }
                return
            }
            switch reference.kind {
            case .base where !hasBase:
                hasBase = true
                if case .web(let target) = URLReference.resolve(reference.url, against: document) { base = target.url }
            case .importMap: maps.append(Array(reference.url.utf8))
            case .securityPolicy: policies += " " + reference.url
            case .inlineScript: scripts.append(Array(reference.url.utf8))
            case .inlineModule: modules.append(Array(reference.url.utf8))
            case .inlineDocument:
                let outer = (isWhole, images, document, base, hasBase)
                (isWhole, images, document, hasBase) = (false, ImageSelection(for: screen), base, false)
                PageReferences.read(Array(reference.url.utf8), meet)
                (isWhole, images, document, base, hasBase) = outer
            case .noscript where later:
                // Images that a script shows later have a twin here. Another host's counts visits, as does a query.
                PageReferences.read(Array(reference.url.utf8)) { reference, tag in
                    guard reference.kind == .image, !reference.url.utf8.contains(0x3F),
                        TargetURI.resolve(reference.url, against: base).map({ TargetURI.haveSameOrigin($0, url) })
                            == true
                    else { return }
                    let (isLoaded, choice) = tag.map { images.meet(reference, $0) } ?? (true, nil)
                    if isLoaded { add(reference.url, .image, isNeeded: false, choice: choice) }
                }
            default: break
            }
            guard let use else { return }
            let (isLoaded, choice) = tag.map { images.meet(reference, $0) } ?? (true, nil)
            guard isLoaded, use != .font || !isWhole || fonts.meet(reference, in: bytes) else { return }
            let isChecked = [.classicScript, .moduleScript, .style].contains(reference.kind)
            add(
                reference.url, use, usesCORS: tag?.attribute(.crossorigin) != nil,
                isNeeded: !isAside(reference.kind, tag, on: screen) && !isWaitedForByNone(use, tag, reference.url),
                integrity: isChecked ? tag?.value(.integrity) ?? "" : "", choice: choice)
        }
        var facts = facts
        if isSheet {
            fonts = FontSelection(for: facts.characters?.and(in: bytes))
            CSSReferences.read(bytes) { meet($0, nil) }
        } else if isModule {
            if imports { for address in facts.modules.addresses(in: bytes, at: url) { add(address, .module) } }
            if later {
                for file in laterFiles(of: bytes, at: url, facts) { add(file.url, file.use, usesCORS: file.usesCORS) }
            }
        } else {
            facts = PageFacts(characters: PageCharacters(in: bytes))
            fonts = FontSelection(for: facts.characters)
            PageReferences.read(bytes, readsScripts: true, meet)
            facts.upgradesRequests = policies.lowercased().contains("upgrade-insecure-requests")
            for map in maps { facts.modules.add(map, base: base) }
            for module in modules {
                for address in facts.modules.addresses(in: module, at: base) { add(address, .module) }
            }
            for script in later ? scripts + modules : [] {
                for file in laterFiles(of: script, at: base, facts) { add(file.url, file.use, usesCORS: file.usesCORS) }
            }
        }
        let needed = Set(loads.filter(\.load.isNeeded).map(\.load.url))
        loads.removeAll { !$0.load.isNeeded && needed.contains($0.load.url) }
        if isPage, later { loads += linked(by: fields, at: url, on: screen).map { ($0, nil) } }
        if url.hasPrefix("https:") || facts.upgradesRequests {
            loads = loads.compactMap { load, choice in
                withoutMixed(load, upgradesAll: facts.upgradesRequests).map { ($0, choice) }
            }
        }
        var seen: Set<Load> = []
        return (loads.filter { seen.insert($0.load).inserted }, facts)
    }

    /// Whether a page shows itself without a style sheet, as it is an alternate one, disabled, or not for a
    /// screen. One that does something once it is there is turned on then.
    private static func isAside(_ kind: PageReference.Kind, _ tag: HTMLTag?, on screen: PageScreen?) -> Bool {
        kind == .style && tag.map { tag in !tag.attributes.contains { tag.name(of: $0) == "onload" } } == true
            && (tag?.attribute(.disabled) != nil
                || tag?.value(.rel)?.lowercased().split(separator: " ").contains("alternate") == true
                || tag?.value(.media).flatMap { MediaQuery.matches($0, screen) } == false)
    }

    /// The files that a script names and loads later, when it needs them.
    private static func laterFiles(
        of script: [UInt8], at url: String, _ facts: PageFacts
    ) -> [(url: String, use: PreloadDestination, usesCORS: Bool)] {
        let named = ScriptReferences(script, at: TargetURI.split(url)?.path ?? "/")
        return named.imports.compactMap { facts.modules.address($0, in: url) }.map { ($0, .module, false) }
            // A relative worker is relative to the page, which a script of its own does not know.
            + named.styles.map { ($0, .style, true) } + named.scripts.map { ($0, .script, false) }
            + named.workers.filter { $0.hasPrefix("/") || $0.contains("://") }.map { ($0, .worker, false) }
            + named.files.compactMap { name in
                // A folder, a page or a film is fetched where it is asked for.
                switch PreloadDestination(guessedFromPath: name) {
                case .script, .module: (name, .worker, false)
                case .document, .audio, .video: nil
                case let use: (name, use, false)
                }
            }
    }

    /// The preloads of `Link` fields, whose addresses are relative to that of the page (RFC 8288 §3.1).
    private static func linked(by fields: HTTPFields, at url: String, on screen: PageScreen?) -> [Load] {
        LinkField.preloads(fields).compactMap { preload in
            guard preload["imagesrcset"] == nil, let href = preload["href"],
                preload["media"].map({ MediaQuery.matches($0, screen) != false }) ?? true,
                case .web(let target) = URLReference.resolve(href, against: url),
                let use = preload["rel"] == "modulepreload"
                    ? .module : PreloadDestination(rawValue: preload["as"]?.lowercased() ?? "")
            else { return nil }
            return Load(url: target.url, destination: use, usesCORS: preload["crossorigin"] != nil)
        }
    }

    /// A load of an https page as web views make it: they ask for pictures and media at https, and block all else that
    /// is neither there nor on this device (Mixed Content §4).
    ///
    /// - Parameter upgradesAll: Whether the page has them ask for all at https (Upgrade Insecure Requests §3.1).
    private static func withoutMixed(_ load: Load, upgradesAll: Bool) -> Load? {
        guard load.url.hasPrefix("http:"), !TrustworthyOrigin.isPotentiallyTrustworthy(origin: load.url) else {
            return load
        }
        guard upgradesAll || [.image, .audio, .video].contains(load.destination) else { return nil }
        var load = load
        load.url.replaceSubrange(load.url.startIndex..<load.url.index(load.url.startIndex, offsetBy: 5), with: "https:")
        return load
    }

    /// The use of a reference; `nil` for what a page shows itself without.
    private static func use(_ kind: PageReference.Kind, _ tag: HTMLTag?) -> PreloadDestination? {
        switch kind {
        case .classicScript: tag?.attribute(.nomodule) == nil ? .script : nil
        case .moduleScript, .modulePreload: .module
        case .style, .styleImport: .style
        case .font: .font
        case .image, .cssImage, .cssOther, .svg: .image
        case .audio: tag?.value(.preload)?.lowercased() == "none" ? nil : .audio
        case .video: tag?.value(.preload)?.lowercased() == "none" ? nil : .video
        case .textTrack: tag?.attribute(.default) == nil ? nil : .track
        case .embedded: .iframe
        case .frame: tag?.attribute(.srcdoc) == nil ? .iframe : nil
        // A page that goes on within ten seconds (HTML §4.2.5.3) shows another one; later, a session may end there.
        case .refresh: (tag?.value(.content)).flatMap { PageRefresh($0) }.flatMap { $0.seconds < 10 ? .iframe : nil }
        case .preload:
            // No web view preloads documents (Preload §2.2).
            (tag?.value(.as)).flatMap { PreloadDestination(rawValue: $0.lowercased()) }
                .flatMap { [.document, .iframe].contains($0) ? nil : $0 }
        case .inlineDocument, .inlineScript, .inlineModule, .noscript, .icon, .webManifest, .prefetch, .base,
            .securityPolicy, .integrity, .importMap:
            nil
        }
    }
}
