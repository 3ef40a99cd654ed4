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

        A page with every kind of load was opened in a real web view in each mode; the tables show what it saw. `make
        modes` measures again and writes this file; `InterceptionModeTests` fails when a cell no longer holds.

        Measured with WebKitGTK VERSION on Linux, by `make modes`.

        **Nothing of this has run on an Apple device.** WebKitGTK shares WebKit's loader, its CORS, mixed-content and
        service-worker code with WKWebView. Its network, cookies and media are others, so there the cells may differ.

        ## The modes

        - **network**: WebKit's own network, without Larder. Each other column is compared with it.
        - **proxy**: the web view uses a proxy on loopback in the app, which opens TLS with its own certificate for the
          hosts that the app named. It carries everything. It needs a web view with a proxy setting: iOS 17, macOS 14,
          WebKitGTK. Where a site has a service worker, what fails without a network fails for the worker, too, which
          then takes what it keeps itself, but for pages: those are Larder's. Without a worker a script gets a 504, and
          an event stream is opened again. `fetch` with `no-store` looks like `reload` there, so its answer is stored.
          NTLM and Negotiate sign in a connection, and those to servers are shared: leave such hosts to the network.
        - **httpsScheme**: a scheme handler answers `https` and `http` themselves, and the page keeps its origin. WebKit
          does not offer this: on Apple platforms a class method is replaced, on Linux only a test program has it.
          WebSockets go to the network, and what a service worker asks for itself. A cookie that a script sets is now
          and then missing from a request right after it.
        - **appScheme**: the page is opened at `app-cache-https://host/`, which a scheme handler answers. It uses public
          API everywhere, but the page's origin is another one: cookies and service workers are missing, and other
          servers see a CORS request of an origin that they don't know unless Larder sends it. Absolute addresses of the
          page's own host go through Larder as well ([how](rewriting.md)); so do navigations to them, but for forms with
          POST, and on WebKitGTK frames (`OwnNavigationTests`). `SameSite` cookies of documents go by who
          began the navigation, as at https (`NavigationCookieTests`); on WebKitGTK a script's navigation beside a frame
          of another site goes without `Strict`. Media past Larder are loaded only where their path ends as film and
          sound do. Nothing tells there who asks for a style, a script or an image, so the page in the address bar
          counts for `Cross-Origin-Resource-Policy`.

        In both scheme modes:

        - `Cross-Origin-Embedder-Policy` is not enforced on what Larder answers; a page is not cross-origin isolated.
        - WebKitGTK tells a page of a response with the first byte of its content, no earlier.
        - The `ping` of links is not sent, nor are reports of CSP: WebKit asks no handler for them. A frame that was
          redirected has the address that redirected it as `document.referrer`.
        - A redirect of the page is a load of its own: `location.replace` to one adds an entry to the history, one that
          leads back to the same address replaces its entry, and one to a place in the page that is shown gets its fragment
          once the new page is there. `beforeunload` fires twice.
        - A download is named by what the server says or by its URL, not by the link's attribute `download` (WebKitGTK).
        - Letters beyond ASCII in a query go out in the page's encoding at https, in UTF-8 at the app-cache scheme.
        - Digest and other schemes of authentication are not answered; Basic is, in each mode: with the user and
          password of the URL or of `XMLHttpRequest.open`, with what is remembered, or by the app. `PasswordTests`: 19
          of 20 kinds as with the network, 16 in appScheme, where images, classic scripts, style sheets and workers go
          without. WebKit replaces a page's own `Authorization` after a 401 by what it remembers; the scheme modes do
          not.

        Behind a proxy that asks for a password, as Larder's does, WebKitGTK now and then gives pages the 401 of an
        `XMLHttpRequest` with user and password.

        Each page was opened twice with the same store, first empty and then full; the cells are the same both times.
        Film and sound are PNG in QuickTime and PCM: WebM, MP4 and content codings other than gzip and deflate were not
        measured.

        `FilmTests` seek in a film of 60 MB, from end to start and back. In `proxy` and `httpsScheme` duration, places,
        pictures and playing on are as with the network, cold and warm, also from an origin whose answers stop after 4
        MiB. From a fast origin the network read 2.6 times the film for seven places, the proxy up to 7 times. WebKitGTK
        stands still now and then after many seeks, without Larder too, and in `httpsScheme` more often.
        """
}
