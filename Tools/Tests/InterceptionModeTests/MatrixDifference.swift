/// Kinds that a mode handles unlike a plain network, and why.
struct MatrixDifference: Sendable {
    var reason: String
    /// What comes of each kind instead.
    var results: [String: String]

    /// All that differs in a mode. Whatever is not named must be as with WebKit's own network.
    static func all(in mode: MatrixMode) -> [MatrixDifference] {
        switch mode {
        case .network: []
        case .proxy: ofProxy
        case .httpsScheme: ofHandlers + ofHTTPSScheme
        case .appScheme: ofHandlers + ofAppScheme
        }
    }

    private static let ofProxy = [
        MatrixDifference(
            reason: "A proxy can only answer: with 504, and with the reason in its content.",
            results: ["fetch, an origin that hangs up": "504"])
    ]

    private static let ofHandlers = [
        MatrixDifference(
            reason: """
                A handler can't tell WebKit of a redirect, so the page could read the other origin's content as its own; \
                Larder refuses it unless the other origin allows CORS.
                """,
            results: [
                "script, redirected to another origin": "error",
                "style sheet, redirected to another origin": "error",
                "canvas of an img, redirected to another origin": "error",
            ]),
        MatrixDifference(
            reason: """
                A handler can't tell WebKit of a redirect: relative addresses in a file go by the address that was asked for. \
                A frame gets a document that leads on, in a sandbox without scripts once the page around it is loaded.
                """,
            results: [
                "module script, redirected: what it imports": "error",
                "style sheet, redirected: what it imports": "error",
            ]),
        MatrixDifference(
            reason: "The injected script can't read a Blob before a synchronous request returns.",
            results: ["XHR POST slice of a Blob, synchronous": "NetworkError"]),
        MatrixDifference(
            reason: """
                Scripts are not injected into workers. Without the script the content can't be read, nor known to be empty, \
                so Larder refuses the upload; nothing is sent without its content.
                """,
            results: [
                "worker, POST without a body": "TypeError", "worker, POST string": "TypeError",
                "worker, POST ArrayBuffer": "TypeError", "worker, POST Blob": "TypeError",
                "worker, POST Blob without a type": "TypeError",
            ]),
        MatrixDifference(
            reason: """
                WebKit does not tell a handler which `redirect` the `fetch` of a worker has; Larder follows redirects there.
                """,
            results: [
                "worker, fetch that refuses redirects": "some text",
                "worker, fetch that follows no redirect": "some text",
            ]),
        MatrixDifference(
            reason: """
                Larder keeps to RFC 6265bis §5.2; WebKitGTK's own network sends Strict and Lax cookies with requests of \
                another site's frame too.
                """,
            results: [
                "SameSite, requests of another site’s frame": "Strict: not sent, Lax: not sent, None: sent"
            ]),
        MatrixDifference(
            reason:
                "WebKit's own network lets a page read captions of another origin without CORS, which HTML forbids.",
            results: ["track, other origin": "error", "track, redirected to another origin": "error"]),
        MatrixDifference(
            reason: """
                At https WebKit blocks an image of srcset at http, and upgrades others; where a handler answers, it upgrades \
                these too.
                """,
            results: ["mixed content: img srcset": "https"]),
    ]

    private static let ofHTTPSScheme = [
        MatrixDifference(
            reason: """
                WebKit does not tell a handler which `credentials` the `fetch` of a worker has; Larder sends cookies as for \
                one without.
                """,
            results: ["worker, fetch without credentials": "sent"]),
        MatrixDifference(
            reason: "WebKit asks the page's handler first, past its service worker.",
            results: ["service worker, fetch event": "from the origin"]),
        MatrixDifference(
            reason: "WebKit measures network loads only.", results: ["PerformanceResourceTiming": "fetch 0"]),
    ]

    private static let ofAppScheme = [
        MatrixDifference(
            reason: """
                At schemes of an app's own WebKit sends no Sec-Fetch fields, and Referer only with fetch; documents have no \
                referrer.
                """,
            results: [
                "script: request": "sec-fetch-dest: -; sec-fetch-mode: -; sec-fetch-site: -; referer: -",
                "img: request": "sec-fetch-dest: -; sec-fetch-mode: -; sec-fetch-site: -; referer: -",
                "fetch: request":
                    "accept: */*; origin: -; referer: https://example.com/matrix.html; sec-fetch-dest: -; "
                    + "sec-fetch-mode: -; sec-fetch-site: -; x-own: 1",
                "fetch: request to another origin":
                    "accept: text/x; origin: https://example.com; referer: https://example.com/; sec-fetch-site: -",
                "XHR POST: request": "origin: https://example.com; referer: -",
                "XHR DELETE: request": "origin: https://example.com; referer: -",
                "form POST: request": "origin: https://example.com; referer: -",
                "iframe": "https://example.com, referrer ",
                "iframe, other origin": "https://example.net, referrer ",
                "iframe, sandboxed": "null, referrer ",
            ]),
        MatrixDifference(
            reason: "GStreamer loads nothing from schemes of an app's own (WebKitGTK only).",
            results: ["video": "error", "video, seek": "error", "canvas of a video": "error", "audio": "error"]),
        MatrixDifference(
            reason: "WebKit has shared workers, service workers and CacheStorage at http and https only.",
            results: [
                "shared worker": "TypeError", "service worker": "TypeError",
                "service worker, fetch event": "TypeError", "CacheStorage": "TypeError",
            ]),
        MatrixDifference(
            reason: """
                WebKit has no cookies for such a document. Larder sends and keeps cookies itself, where the request shows \
                which origin asks: what scripts fetch does, images and workers do not, nor on WebKitGTK frames beside one of another \
                site.
                """,
            results: [
                "document.cookie": "not seen, not sent", "Set-Cookie of fetch": "not seen, sent 1",
                "Set-Cookie of an img": "not seen, not sent", "Set-Cookie of a frame": "not seen, not sent",
                "cookies of an img request": "not sent", "cookies of a worker’s fetch": "not sent",
                "cookies to a sibling host, img": "not sent",
            ]),
        MatrixDifference(
            reason: "WebKit measures network loads only.", results: ["PerformanceResourceTiming": "no entry"]),
        MatrixDifference(
            reason: """
                Content rules upgrade what is at the port of its scheme, and a handler does not see that an image is one: both \
                are blocked, where WebKit upgrades them at https.
                """,
            results: [
                "mixed content: img at a port of its own": "nothing",
                "mixed content: img, redirected by the own origin": "nothing",
            ]),
        MatrixDifference(
            reason: """
                Imports of scripts are not turned: the engine asks for them itself, past Larder, as another origin's, which \
                has to allow it (CORS).
                """,
            results: ["absolute: import()": "TypeError"]),
    ]
}
