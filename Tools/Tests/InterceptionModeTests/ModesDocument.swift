import Foundation

/// docs/modes.md: what each mode makes of each kind of load, as measured.
struct ModesDocument: Sendable {
    static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../docs/modes.md").standardizedFileURL

    let kinds: [MatrixKind]
    let passes: [MatrixMode: MatrixPass]

    /// Without the line that says what measured it.
    static func withoutVersion(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("Measured with") }
    }

    func text(webKit: String) -> String {
        let (notes, marks) = footnotes
        var lines = [Self.introduction.replacingOccurrences(of: "VERSION", with: webKit), "", summary, ""]
        lines += ["## Why cells differ", ""]
        lines += notes.enumerated().map { "\($0.offset + 1). \($0.element)" }
        var section = ""
        for kind in kinds {
            if kind.section != section {
                section = kind.section
                lines += ["", "## \(section)", "", "| kind | network | proxy | httpsScheme | appScheme |"]
                lines.append("|---|---|---|---|---|")
            }
            let cells = [MatrixMode.proxy, .httpsScheme, .appScheme].map { mode -> String in
                let result = passes[mode]?.cold[kind.name] ?? "?"
                if result == passes[.network]?.cold[kind.name] { return "same" }
                return Self.cell(result) + (marks[mode]?[kind.name].map { " [\($0)]" } ?? "")
            }
            let network = Self.cell(passes[.network]?.cold[kind.name] ?? "?")
            lines.append("| \(Self.escaped(kind.name)) | \(network) | \(cells.joined(separator: " | ")) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// How many kinds are as with WebKit's own network.
    private var summary: String {
        let counts = [MatrixMode.proxy, .httpsScheme, .appScheme].map { mode in
            let same = kinds.filter { passes[mode]?.cold[$0.name] == passes[.network]?.cold[$0.name] }.count
            return "`\(mode.rawValue)` \(same)"
        }
        return "Of \(kinds.count) kinds, this many are as with WebKit's own network: \(counts.joined(separator: ", "))."
    }

    private var footnotes: (notes: [String], marks: [MatrixMode: [String: Int]]) {
        var notes: [String] = []
        var marks: [MatrixMode: [String: Int]] = [:]
        for mode in MatrixMode.allCases {
            for difference in MatrixDifference.all(in: mode) {
                let place = notes.firstIndex(of: difference.reason) ?? notes.endIndex
                if place == notes.endIndex { notes.append(difference.reason) }
                for kind in difference.results.keys { marks[mode, default: [:]][kind] = place + 1 }
            }
        }
        return (notes, marks)
    }

    private static func cell(_ result: String) -> String {
        let short = result.count > 90 ? result.prefix(87) + "…" : result[...]
        return short.isEmpty ? "(empty)" : "`\(escaped(String(short)).trimmingCharacters(in: .whitespaces))`"
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "|", with: "\\|").replacingOccurrences(of: "\n", with: " ")
    }

    private static let introduction = """
        # What each mode carries

        A page with every kind of load was opened in a real web view in each mode; the tables show what it saw. `make modes`
        measures again and writes this file; the test `InterceptionModeTests` fails when a cell is no longer as it stands here.

        Measured with WebKitGTK VERSION on Linux, by `make modes`.

        **Nothing of this has run on an Apple device.** WebKitGTK shares WebKit's loader, its CORS, mixed-content and
        service-worker code with WKWebView. Its network, cookies and media are others, so there the cells may differ.

        ## The modes

        - **network**: WebKit's own network, without Larder; each other column is compared with it. Requests go through a tunnel
          that nobody reads.
        - **proxy**: the web view uses a proxy on loopback in the app. It opens TLS with a certificate of its own for the hosts
          that the app named. It carries everything, and needs a web view with a proxy setting: iOS 17, macOS 14, WebKitGTK.
        - **httpsScheme**: a scheme handler answers `https` and `http` themselves. The page keeps its origin. WebKit does not
          offer this; on Apple platforms a class method must be replaced, and WebKitGTK must be tricked, so that on Linux only a
          test program has it. WebSockets go to the network. A cookie that a script sets is missing from a request right after
          it now and then, as it takes another way to where Larder reads cookies. A download is named by what the server says or by
          its URL, as WebKitGTK does not tell of the link's attribute `download`; so it is in appScheme.
        - **appScheme**: the page is opened at `app-cache-https://host/`, which a scheme handler answers. Public API everywhere,
          but the page's origin is another one: cookies and service workers are missing, and other servers see a CORS request of
          an origin that they don't know unless Larder sends it. For packaged and offline sites. Absolute addresses of the page's own
          host go through Larder as well ([how](rewriting.md)). `SameSite` cookies of documents go by who has begun the navigation
          (`NavigationCookieTests`): as at https, but for what a script of the page begins beside a frame of another site, which on
          WebKitGTK goes without `Strict`. Media past Larder are loaded only where their path ends as those of film and sound do.

        In both scheme modes a request shows no embedder policy, so `Cross-Origin-Embedder-Policy` is not enforced on what Larder
        answers; a page is not cross-origin isolated there. WebKitGTK takes a head from a scheme handler with the first byte
        of its content, so a page learns of a response no earlier. Beyond UTF-8, as in GBK and Shift_JIS, a query of letters
        beyond ASCII goes out in the page's encoding at https, and in UTF-8 at the app-cache scheme, where the URL standard has
        no other.

        A server that asks for a password by Basic is answered in each mode: with the user name and password of the URL or of
        `XMLHttpRequest.open`, with what is remembered, or by the app (`PasswordTests`: as with the network in 19 of 20 kinds, in
        appScheme in 16: images, classic scripts, style sheets and workers go without, as nothing tells who asks for them). WebKit
        replaces a page's own `Authorization` after a 401 by what it remembers, and the scheme modes do not. Behind a proxy that asks for a password
        itself, as Larder's does, WebKitGTK gives pages the 401 of an `XMLHttpRequest` with user and password now and then. Digest and
        other schemes are not answered in the scheme modes.

        Each page was opened twice with the same store, first empty and then full; the cells are the same both times. Film and
        sound are PNG in QuickTime and PCM, as no codec was at hand: WebM and MP4 were not measured. A content coding other than
        gzip and deflate was not either.

        A film of 60 MB, of pictures that are not compressed, was sought from end to start and back (`FilmTests`): in `proxy` and
        `httpsScheme` duration, places, pictures and playing on are as with the network, cold and warm, also from an origin whose
        answers all stop after 4 MiB. Each place is asked for by range. How much is read besides depends on how fast it comes: from
        a fast origin the network read 2.6 times the film for seven places, the proxy up to 7 times.
        WebKitGTK stands still now and then when it plays on after many seeks, without Larder too, and in `httpsScheme` more
        often; a seek to the same place helps, and the test does that.
        """
}
