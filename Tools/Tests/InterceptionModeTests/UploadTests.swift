import Foundation
import LarderHost
import Testing
import WebVisit

/// Uploads that need more than a row of ``InterceptionModeTests``: great ones, pages that are hostile, other patches.
@Suite("Uploads of pages that a scheme handler answers, in a real web view", .serialized, .timeLimit(.minutes(10)))
struct UploadTests {
    static let modes = [MatrixMode.httpsScheme, .appScheme]

    /// Runs a script in the page of all kinds of loads, with `size` as the length of the largest upload.
    private func run(_ script: String, in mode: MatrixMode) async throws -> String {
        let stage = try await MatrixStage()
        let (text, notices) = try await stage.run(mode, script)
        await stage.stop()
        #expect(notices.isEmpty)
        return text
    }

    /// In bytes; `make test` uploads a megabyte.
    private static let size =
        ProcessInfo.processInfo.environment["LARDER_UPLOAD_BYTES"].flatMap { Int($0) } ?? 1_000_000

    private struct Seen: Decodable {
        var results: [String: String]
        /// The longest time that a timer of 10 ms was late, in milliseconds.
        var longest: Double
    }

    @Test("every kind of body arrives as it was, whatever its length", arguments: modes)
    func sizes(_ mode: MatrixMode) async throws {
        let text = try await run("return await everyBody(\(Self.size))", in: mode)
        let seen = try JSONDecoder().decode(Seen.self, from: Data(text.utf8))
        #expect(seen.results.count >= 40)
        for (name, result) in seen.results { #expect(result == "as it was", "\(name)") }
        if Self.isMeasuring { print("\(mode): a timer was late by \(Int(seen.longest)) ms at most") }
    }

    /// Longer content goes in pieces; see `largestAtOnce` in the scripts and ``ViewRequests``.
    @Test(
        "a buffer and a string that are too long to go with their request arrive, as those that just fit",
        arguments: modes)
    func limit(_ mode: MatrixMode) async throws {
        let text = try await run(
            """
            const results = [], most = 67108864, made = document.createElement('iframe');
            document.body.append(made);
            const add = async (url, body) => results.push(upload(await (await fetch(url, {method: 'POST', body})).json()));
            await add('/pattern', await large(most).arrayBuffer());
            await add('/pattern', new DataView(await large(most + 1).arrayBuffer()));
            await add('/pattern?ascii', await largeText(most + 1));
            await add('/echo', new URLSearchParams({a: 'b'.repeat(most)}));
            const fields = form(['a', 'b'], ['text', 'c'.repeat(most)]);
            const octets = (await new Response(fields).arrayBuffer()).byteLength;
            results.push(String(await got('/echo', {method: 'POST', body: fields}) === `POST multipart/form-data; boundary=B ${octets} octets`));
            // Made where no script of ours has seen its content.
            const request = new made.contentWindow.Request('/pattern', {method: 'POST', body: await large(most + 1).arrayBuffer()});
            results.push(upload(await (await fetch(request)).json()));
            const ends = [], sent = new XMLHttpRequest();
            for (const name of ['loadstart', 'progress', 'load', 'loadend']) {
              sent.upload.addEventListener(name, ({loaded}) => ends.push(`${name} ${loaded === 0 ? 0 : loaded === most + 1 ? 'all' : 'some'}`));
            }
            sent.open('POST', '/pattern');
            const over = new Promise(resolve => { sent.onload = resolve; });
            sent.send(await large(most + 1).arrayBuffer());
            await over;
            results.push([...new Set(ends)].join(', '));
            return results;
            """, in: mode)
        let results = try JSONDecoder().decode([String].self, from: Data(text.utf8))
        #expect(
            results == [
                "POST - 67108864 bytes, as they were", "POST - 67108865 bytes, as they were",
                "POST text/plain;charset=UTF-8 67108865 bytes, as they were",
                "POST application/x-www-form-urlencoded;charset=UTF-8 67108866 octets", "true",
                "POST - 67108865 bytes, as they were",
                "loadstart 0, progress some, progress all, load all, loadend all",
            ])
    }

    /// A form in the main frame, whose answer tells what came.
    private static func ownForm(_ size: Int) -> String {
        """
        document.body.innerHTML = '<form method=post enctype=multipart/form-data action="/form-pattern?id=own">'
          + '<input name=a value=b><input type=file name=file><button>Go</button></form>';
        const transfer = new DataTransfer();
        transfer.items.add(largeFile(\(size)));
        document.querySelector('[type=file]').files = transfer.files;
        document.querySelector('button').click();
        """
    }

    /// Not for the network itself: what it sends again of a File that a script made is nothing once the page is
    /// collected.
    @Test(
        "a form whose answer takes its own page's place is sent whole, and once more when that is loaded again",
        arguments: modes)
    func ownPage(_ mode: MatrixMode) async throws {
        let stage = try await MatrixStage()
        let session = try await stage.start(mode)
        try await session.perform(.run(script: Self.ownForm(20_000_000)))
        let look = """
            const {text} = JSON.parse(document.scripts[0].textContent.split('text: ')[1].split('}, ')[0]);
            const asked = await (await fetch('/asked?of=own', {cache: 'no-store'})).json();
            return [location.pathname, history.length, text.slice(text.lastIndexOf('x-own')), asked.map(({method}) => method)].join(' ');
            """
        let first = try await MatrixStage.value(of: look, in: session)
        #expect(first == #""/form-pattern 2 x-own 20000000 bytes, as they were POST""#)
        try await session.perform(.reload(fromOrigin: false))
        var second = try await MatrixStage.value(of: look, in: session)
        // The form may still be on its way when the view is quiet; the limit guards against a hang.
        for _ in 0..<20 where !second.contains("POST,POST") {
            second = try await MatrixStage.value(of: look, in: session)
        }
        #expect(second == #""/form-pattern 2 x-own 20000000 bytes, as they were POST,POST""#)
        let left = try await session.perform(.back).seen
        await session.end()
        await stage.stop()
        #expect(left.finalURL?.hasSuffix("example.com/matrix.html") == true && left.loadError == nil)
    }

    @Test("a page that is left while its form is collected sends nothing of it", arguments: modes)
    func leftPage(_ mode: MatrixMode) async throws {
        let stage = try await MatrixStage()
        let session = try await stage.start(mode)
        try await session.perform(.run(script: Self.ownForm(60_000_000) + "location = '/frame.html?left';"))
        let seen = try await MatrixStage.value(
            of: "return `${location.pathname} ${await (await fetch('/asked?of=own')).text()}`", in: session)
        await session.end()
        await stage.stop()
        #expect(seen == #""/frame.html []""#)
    }

    private static let isMeasuring = ProcessInfo.processInfo.environment["LARDER_UPLOAD_BYTES"] != nil

    @Test("a session tells which requests the script has had a hand in, by what sent them", arguments: modes)
    func counts(_ mode: MatrixMode) async throws {
        let stage = try await MatrixStage()
        let counts = try await stage.counts(
            mode,
            """
            await send('hello');
            await send(large(9));
            await xhr('POST', '/echo', {body: 'hello'});
            await beacon('hello');
            await fileForm(form => form.submit());
            await fetch('/text');
            """)
        await stage.stop()
        #expect(counts.touched["xhr"] == 1 && counts.touched["form"] == 1 && counts.faults.isEmpty)
        // What asks for the beacon's arrival is no upload.
        #expect(counts.touched["beacon"] == 1 && counts.touched["fetch"] == 2)
    }

    @Test(
        "a great upload needs no more memory than a small one", .enabled(if: isMeasuring), arguments: [.network] + modes
    )
    func memory(_ mode: MatrixMode) async throws {
        let stage = try await MatrixStage()
        let sizes = [16_777_216, Self.size]
        var figures: [[String: Int]] = []
        for size in sizes {
            figures.append(
                try await stage.peaks(
                    mode,
                    """
                    const {results, longest} = await oneUpload(\(size));
                    return {results, longest};
                    """))
        }
        await stage.stop()
        print("\(mode): peaks in MiB, of \(sizes) bytes: \(figures)")
        for (name, peak) in figures[1] { #expect(peak < (figures[0][name] ?? 0) + 64, "\(name)") }
    }
}
