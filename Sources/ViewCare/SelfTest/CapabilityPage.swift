/// The page of a self-test and what it loads.
enum CapabilityPage {
    static let resources: [String: (type: String, content: String)] = [
        "/": ("text/html; charset=utf-8", page),
        "/text": ("text/plain", "probe"),
        "/json": ("application/json", "{\"probe\":1}"),
        "/script.js": ("text/javascript", "window.scriptRan = true"),
        "/module.js": ("text/javascript", "export default 'probe'"),
        "/worker.js": (
            "text/javascript",
            "fetch('/text').then(r => r.text()).then(t => postMessage(t), e => postMessage(String(e)))"
        ),
        "/style.css": ("text/css", "@import '/imported.css'; #styled { width: 17px }"),
        "/imported.css": ("text/css", "#imported { width: 19px }"),
        "/image.svg": (
            "image/svg+xml",
            "<svg xmlns='http://www.w3.org/2000/svg' width='3' height='3'><rect width='3' height='3'/></svg>"
        ),
        "/frame.html": ("text/html", "<!doctype html><title>probe</title>"),
        "/events": ("text/event-stream", "data: probe\n\n"),
    ]

    private static let page = """
        <!doctype html><meta charset=utf-8><title>Capabilities</title>
        <p id=styled style="display:block"></p><p id=imported></p>
        <script>
        const limit = 30000;
        const text = async url => (await fetch(url)).text();
        const is = (seen, expected) => seen === expected ? 'works' : `${String(seen).slice(0, 80)}`;
        const loaded = (name, set) => new Promise(resolve => {
          const element = document.createElement(name);
          element.onload = () => resolve(element);
          element.onerror = () => resolve(null);
          set(element);
          document.body.append(element);
        });
        const upload = async body => is(await (await fetch('/echo', {method: 'POST', body})).text(), 'probe');
        const xhr = (method, url, isAsync, body) => new Promise(resolve => {
          const request = new XMLHttpRequest();
          request.open(method, url, isAsync);
          request.onloadend = () => resolve(request.responseText);
          request.send(body);
          if (!isAsync) resolve(request.responseText);
        });
        const posted = (type, fill) => new Promise(resolve => {
          const frame = document.createElement('iframe'), form = document.createElement('form');
          frame.name = `f${Math.random()}`;
          [form.target, form.action, form.method, form.enctype] = [frame.name, '/form', 'post', type];
          fill(form);
          document.body.append(frame, form);
          frame.onload = () => { if (frame.contentDocument?.title) resolve(is(frame.contentDocument.title, 'whole')); };
          form.submit();
        });
        const field = (form, name, value) => {
          const input = document.createElement('input');
          [input.name, input.value] = [name, value];
          form.append(input);
        };
        const kinds = {
          'script': async () => is(!!await loaded('script', e => { e.src = '/script.js'; }) && window.scriptRan, true),
          'module': async () => is((await import('/module.js')).default, 'probe'),
          'style sheet': async () => {
            await loaded('link', e => { e.rel = 'stylesheet'; e.href = '/style.css'; });
            return is(getComputedStyle(document.getElementById('styled')).width, '17px');
          },
          'style sheet that another imports': async () => {
            await loaded('link', e => { e.rel = 'stylesheet'; e.href = '/style.css?again'; });
            return is(getComputedStyle(document.getElementById('imported')).width, '19px');
          },
          'image': async () => is((await loaded('img', e => { e.src = '/image.svg'; }))?.naturalWidth, 3),
          'frame': async () => {
            const frame = await loaded('iframe', e => { e.src = '/frame.html'; });
            return is(frame?.contentDocument?.title, 'probe');
          },
          'fetch': async () => is((await (await fetch('/json')).json()).probe, 1),
          'fetch across origins': async () => is(await text('https://other.larder.test/text'), 'probe'),
          'redirect': async () => is(await text('/redirect'), 'probe'),
          'XMLHttpRequest': async () => is(await xhr('GET', '/text', true), 'probe'),
          'XMLHttpRequest, synchronous': async () => is(await xhr('GET', '/text', false), 'probe'),
          'EventSource': () => new Promise(resolve => {
            const source = new EventSource('/events');
            source.onmessage = event => { source.close(); resolve(is(event.data, 'probe')); };
            source.onerror = () => resolve('an error');
          }),
          'worker that fetches': () => new Promise(resolve => {
            const worker = new Worker('/worker.js');
            worker.onmessage = event => resolve(is(event.data, 'probe'));
            worker.onerror = () => resolve('an error');
          }),
          'upload of text': () => upload('probe'),
          'upload of a buffer': () => upload(new TextEncoder().encode('probe')),
          'upload of a Blob': () => upload(new Blob(['probe'])),
          'upload of a File': () => upload(new File(['probe'], 'a.txt')),
          'upload of a form with a file': async () => {
            const form = new FormData();
            form.append('file', new File(['probe'], 'a.txt'));
            const seen = await (await fetch('/echo', {method: 'POST', body: form})).text();
            return is(seen.includes('probe') && seen.includes('filename="a.txt"'), true);
          },
          'beacon': async () => {
            navigator.sendBeacon('/keep?beacon', 'probe');
            for (let n = 0; n < 200; n += 1) {
              if (await text(`/kept?beacon`) === 'probe') return 'works';
              await new Promise(resolve => setTimeout(resolve, 50));
            }
            return 'nothing came';
          },
          'form': () => posted('application/x-www-form-urlencoded', form => field(form, 'a', 'probe')),
          'form with a file': () => posted('multipart/form-data', form => {
            const input = document.createElement('input'), files = new DataTransfer();
            [input.type, input.name] = ['file', 'file'];
            files.items.add(new File(['probe'], 'a.txt'));
            input.files = files.files;
            form.append(input);
          }),
          'cookie': async () => { await text('/cookie'); return is(await text('/seen-cookie'), 'yes'); },
          'localStorage': async () => { localStorage.probe = 'probe'; return is(localStorage.probe, 'probe'); },
          'IndexedDB': () => new Promise(resolve => {
            const request = indexedDB.open('probe');
            request.onsuccess = () => { request.result.close(); resolve('works'); };
            request.onerror = () => resolve('an error');
          }),
        };
        const measured = async probe => {
          const late = new Promise(resolve => setTimeout(() => resolve('no answer'), limit));
          try {
            return await Promise.race([probe(), late]);
          } catch (error) {
            return String(error).replace(/\\s+/g, ' ').slice(0, 120);
          }
        };
        window.larderCapabilities = (async () => {
          const lines = Object.entries(kinds).map(async ([name, probe]) => `${name}\\t${await measured(probe)}`);
          return (await Promise.all(lines)).join('\\n');
        })();
        </script>
        """
}

/// The loads that a web view's mode carries here, measured by ``CapabilityTransport``'s page.
public struct CapabilityReport: Hashable, Sendable, Codable {
    /// A kind of load or of storage.
    public struct Result: Hashable, Sendable, Codable {
        /// Such as `script` or `upload of a File`; the names are those of the page.
        public var kind: String
        /// Whether the load worked.
        public var works: Bool
        /// The observation instead, in a few words; empty where it works.
        public var detail: String
    }

    /// The result of each kind of load.
    public var results: [Result]

    /// The kinds that do not work.
    public var missing: [String] { results.filter { !$0.works }.map(\.kind) }

    /// Reads what ``CapabilityTransport/script`` gives: lines of a kind and what was seen, separated by a tab.
    ///
    /// - Returns: `nil` for what is no such text: of other lines than the page writes, or without any.
    public init?(_ text: String) {
        let lines = text.split(separator: "\n").prefix(Self.greatestCount + 1)
        guard !lines.isEmpty, lines.count <= Self.greatestCount else { return nil }
        results = []
        for line in lines {
            let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else { return nil }
            let works = parts[1] == "works"
            results.append(
                Result(
                    kind: String(parts[0].prefix(60)), works: works, detail: works ? "" : String(parts[1].prefix(200))))
        }
    }

    private static let greatestCount = 100
}

extension CapabilityReport {
    /// Kinds without which no page is what it should be.
    static let needed = ["script", "style sheet", "image", "fetch"]

    /// Why web views are better off without the mode that was measured; `nil` if it carries what every page needs.
    public var fault: String? {
        let works = Set(results.filter(\.works).map(\.kind))
        let missing = Self.needed.filter { !works.contains($0) }
        guard !missing.isEmpty else { return nil }
        return "The self-test found that this mode does not carry \(missing.joined(separator: ", ")) here."
    }
}
