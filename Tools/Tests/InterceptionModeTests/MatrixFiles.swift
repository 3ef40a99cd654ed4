import DemoSite
import Foundation

/// What the origin answers the same every time: the page's own files, and small files of every kind.
struct MatrixFiles: Sendable {
    struct File: Sendable {
        var type: String
        var bytes: [UInt8]
        var coding: String?
        var otherFields: [String: String] = [:]

        init(_ type: String, _ bytes: [UInt8]) {
            self.type = type
            self.bytes = bytes
        }

        init(_ type: String, _ text: String) { self.init(type, Array(text.utf8)) }
    }

    /// The folder with the page and its scripts.
    static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Page")

    private let files: [String: File]

    init() throws {
        var files = Self.texts.merging(Self.withAddresses) { first, _ in first }
        for url in try FileManager.default.contentsOfDirectory(at: Self.page, includingPropertiesForKeys: nil) {
            let type = url.pathExtension == "html" ? "text/html; charset=utf-8" : "text/javascript; charset=utf-8"
            files["/" + url.lastPathComponent] = File(type, Array(try Data(contentsOf: url)))
        }
        // Film and font of the sample site: both are generated, and need no codec.
        for file in try DemoSite.build(version: 1).files {
            if file.path.hasSuffix(".mov") { files["/film.mov"] = File(file.contentType, file.bytes) }
            if file.path.hasSuffix(".ttf") { files["/font.ttf"] = File(file.contentType, file.bytes) }
        }
        files["/image.png"] = File("image/png", Self.decoded(Self.image))
        files["/sound.wav"] = File("audio/wav", Self.sound)
        files["/large"] = File("application/octet-stream", (0..<5_242_880).map { $0 % 8 == 7 ? 7 : 0 })
        self.files = files
    }

    func answer(_ request: MatrixRequest) -> MatrixAnswer? {
        if request.path == "/coded" {
            let isGzip = request["coding"] == "gzip"
            var answer = MatrixAnswer(
                "text/plain", Self.decoded(isGzip ? Self.gzip : Self.deflate), cache: "max-age=600")
            answer.fields.add(name: "Content-Encoding", value: isGzip ? "gzip" : "deflate")
            answer.fields.add(name: "Vary", value: "Accept-Encoding")
            return answer
        }
        guard let file = files[request.path] else { return nil }
        var answer = MatrixAnswer(file.type, file.bytes, cache: "max-age=600")
        for (name, value) in file.otherFields { answer.fields.add(name: name, value: value) }
        answer.fields.add(name: "Accept-Ranges", value: "bytes")
        if let range = request.fields.first(name: "Range"), request.method == "GET" { select(range, in: &answer) }
        return answer
    }

    /// One range, RFC 9110 §14.1.2; others are ignored, as §14.2 allows.
    private func select(_ range: String, in answer: inout MatrixAnswer) {
        let ends = range.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard range.hasPrefix("bytes="), ends.count == 2, let first = Int(ends[0]) else { return }
        let length = answer.body.count
        guard first < length else {
            answer.status = 416
            answer.body = []
            answer.fields.add(name: "Content-Range", value: "bytes */\(length)")
            return
        }
        let end = max(first + 1, min((Int(ends[1]) ?? length - 1) + 1, length))
        answer.status = 206
        answer.body = Array(answer.body[first..<end])
        answer.fields.add(name: "Content-Range", value: "bytes \(first)-\(end - 1)/\(length)")
    }

    private static func decoded(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }

    /// Two by two pixels of red.
    private static let image =
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAEUlEQVR42mP4z8DwH4QZYAwAR8oH+Rq28akAAAAASUVORK5CYII="
    /// The words "compressed content", twenty times, in the two codings of RFC 9110 §8.4.1.2 and §8.4.1.3.
    private static let gzip = "H4sIAAAAAAACA0vOzy0oSi0uTk1RSM7PK0nNKwHSo0J0EQIAxclPfnwBAAA="
    private static let deflate = "eNpLzs8tKEotLk5NUUjOzytJzSsB0qNCdBECAO6ilME="

    /// A second of silence: PCM, 8000 samples of 8 bits.
    private static let sound: [UInt8] = {
        func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
        func half(_ value: UInt32) -> [UInt8] { Array(word(value).prefix(2)) }
        let format = word(16) + half(1) + half(1) + word(8_000) + word(8_000) + half(1) + half(8)
        let samples = [UInt8](repeating: 128, count: 8_000)
        return Array("RIFF".utf8) + word(8_036) + Array("WAVEfmt ".utf8) + format + Array("data".utf8) + word(8_000)
            + samples
    }()

    static let script = "text/javascript; charset=utf-8"
    static let html = "text/html; charset=utf-8"
    /// A document that says something to the page around it.
    static func telling(_ code: String) -> String {
        """
        <!doctype html><body><script>
        const id = new URLSearchParams(location.search).get('id');
        const tell = text => parent.postMessage({id, text}, '*');
        const site = `${location.protocol}//example.com`, cdn = `${location.protocol}//example.net`;
        \(code)
        </script>
        """
    }

    private static let texts: [String: File] = {
        var files: [String: File] = [
            "/text": File("text/plain", "some text"),
            "/digits": File("text/plain", "0123456789"),
            "/data.json": File("application/json", #"{"a":1}"#),
            "/page.xml": File("application/xml", "<root/>"),
            "/app.webmanifest": File("application/manifest+json", #"{"name":"Kinds"}"#),
            "/script.js": File(script, "window.ran = 'ran';"),
            "/srcdoc.js": File(script, "parent.postMessage({id: parent.srcdocID, text: 'a script ran'}, '*');"),
            "/module.js": File(script, "export default 'a module';"),
            "/module-main.js": File(script, "import './module.js?imported'; window.moduleRan = 'ran';"),
            "/imported.js": File(script, "self.imported = 'imported';"),
            "/sheet.css": File("text/css", ".plain { color: rgb(1, 2, 3) }"),
            "/importing.css": File("text/css", "@import '/imported.css';"),
            "/imported.css": File("text/css", ".imported { color: rgb(4, 5, 6) }"),
            "/below/importing.css": File("text/css", "@import 'inner.css';"),
            "/below/inner.css": File("text/css", ".inner { color: rgb(7, 8, 9) }"),
            "/below/module.js": File(script, "import './inner.js';"),
            "/below/inner.js": File(script, "export default 'inner';"),
            "/font.css": File("text/css", "@font-face { font-family: sampled; src: url(/font.ttf) }"),
            "/pictured.css": File("text/css", ".pictured::before { content: url(/image.png?pictured) }"),
            "/captions.vtt": File("text/vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\na caption\n"),
            "/image.svg": File(
                "image/svg+xml",
                #"<svg xmlns="http://www.w3.org/2000/svg" width="8" height="6"><g id="shape"><rect width="5" height="4"/></g></svg>"#
            ),
            "/worker.js": File(script, worker("self", "self")),
            "/shared-worker.js": File(
                script, worker("port", "port", around: { "onconnect = ({ports: [port]}) => { \($0) };" })),
            "/module-worker.js": File(
                script, "import text from '/module.js?worker'; onmessage = () => postMessage(text);"),
            "/controlled/answered": File("text/plain", "from the origin"),
            "/controlled/service.js": File(
                script,
                """
                oninstall = () => skipWaiting();
                onactivate = event => event.waitUntil(clients.claim());
                onfetch = event => {
                  if (new URL(event.request.url).pathname !== '/controlled/answered') return;
                  event.respondWith(new Response('from the service worker'));
                };
                """),
            "/controlled/page.html": File(
                html, telling("fetch('/controlled/answered?cache=no-store').then(answer => answer.text()).then(tell);")),
            "/frame.html": File(html, telling("tell(`${origin}, referrer ${document.referrer}`);")),
            "/cookie-frame.html": File(
                html,
                telling(
                    """
                    fetch(`${site}/cookies?allow=credentials`, {credentials: 'include'})
                      .then(answer => answer.text()).then(tell, error => tell(error.name));
                    """)),
            "/own-cookie-frame.html": File(
                html,
                telling(
                    """
                    const cookie = encodeURIComponent('framed=1; Path=/; Secure; SameSite=None');
                    fetch(`/text?cache=no-store&set=${cookie}`).then(() => fetch('/cookies'))
                      .then(answer => answer.text())
                      .then(cookies => tell(cookies.includes('framed=1') ? 'sent' : 'not sent'), error => tell(error.name));
                    """)),
            "/styled.html": File(
                html,
                "<link rel=stylesheet href=/pictured.css><div class=pictured style='display: inline-block'></div>"
                    + telling(
                        "onload = () => tell(`${document.querySelector('.pictured').offsetWidth} wide`);")),
        ]
        var policy = File(
            html,
            telling(
                """
                const load = (tag, src) => new Promise(resolve => {
                  const made = document.createElement(tag);
                  [made.onload, made.onerror, made.src] = [() => resolve('loaded'), () => resolve('error'), src];
                  document.body.append(made);
                });
                Promise.all([load('img', `${site}/image.png?own`), load('img', `${cdn}/image.png?own`),
                  load('script', `${site}/script.js?own`), load('script', `${cdn}/script.js?own`)])
                  .then(([a, b, c, d]) => tell(
                    `own image: ${a}, other image: ${b}, own script: ${c}, other script: ${d}`));
                """))
        policy.otherFields["Content-Security-Policy"] = "default-src 'self'; script-src 'self' 'unsafe-inline'"
        files["/policy.html"] = policy
        return files
    }()

    /// A worker that loads what it is told to.
    private static func worker(
        _ scope: String, _ port: String, around wrap: (String) -> String = { $0 }
    ) -> String {
        wrap(
            """
            \(port).onmessage = async ({data: {url, options, xhr, script}}) => {
              try {
                if (script) {
                  importScripts(script);
                  \(port).postMessage(self.imported);
                } else if (xhr) {
                  const request = new XMLHttpRequest();
                  request.open('GET', xhr, false);
                  request.send();
                  \(port).postMessage(request.responseText);
                } else {
                  \(port).postMessage(await (await fetch(url, options)).text());
                }
              } catch (error) { \(port).postMessage(error.name); }
            };
            """)
    }
}
