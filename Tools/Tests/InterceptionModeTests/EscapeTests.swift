import Foundation
import Testing
import WebVisit

/// Pages at the app-cache scheme some of whose addresses no one has turned, in a real web view.
@Suite("what gets past the rewriting of addresses", .serialized, .timeLimit(.minutes(20)))
struct EscapeTests {
    /// Something that a page does, what it reads of it then, and what is counted.
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var script: String
        var expected: String
        var repaired = 0
        /// At least: a request for an address that is turned late may have gone out.
        var escaped = 0

        var testDescription: String { name }
    }

    /// For the scripts of all rows. XML is not turned, so what comes out of it no patched function has seen.
    private static let functions = """
        const tick = () => new Promise(resolve => setTimeout(resolve));
        const parsed = markup => document.importNode(
          new DOMParser().parseFromString(`<div xmlns="http://www.w3.org/1999/xhtml">${markup}</div>`,
            'application/xhtml+xml').documentElement, true).firstElementChild;
        const slip = (markup, parent = document.body) =>
          parent.appendChild(parsed(markup.replaceAll('&', '&amp;')));
        const {url, id} = address('/image.png');
        const throughLarder = async (of = id) => {
          for (let round = 0; round < 100; round++) {
            if ((await asked(of)).some(request => request.fields['sec-fetch-site'] === undefined)) return true;
            await tick();
          }
          return false;
        };
        const reads = (...texts) => texts.find(text => text !== url) ?? 'as written';
        const rule = `{ background: url("${url}"); }`;

        """

    private static let late = [
        Row(
            name: "an image",
            script: """
                const image = slip(`<img src="${url}"/>`), mine = await throughLarder();
                return `${mine}, ${reads(image.src, image.getAttribute('src'), quotedIn(image.outerHTML))}`;
                """, expected: "true, as written", repaired: 1),
        Row(
            name: "an attribute that changes",
            script: """
                const image = slip('<img alt=""/>');
                await tick();
                image.attributes.alt.ownerElement.replaceWith(slip(`<img src="${url}"/>`));
                return `${await throughLarder()}`;
                """, expected: "true", repaired: 1),
        Row(
            name: "text of a style element, whose sheet stays the same and is turned before anything is asked for",
            script: """
                pictured('late');
                const style = put(make('style'));
                style.append(`.late ${rule} @media all { .late { color: red } }`);
                const {sheet} = style, [first] = sheet.cssRules;
                sheet.insertRule('.other { color: green }', 1);
                const mine = await throughLarder(), requests = (await asked(id)).length;
                return `${mine}, ${requests}, ${style.sheet === sheet && sheet.cssRules[0] === first && sheet.cssRules.length}, `
                  + reads(quotedIn(style.textContent), quotedIn(first.cssText));
                """, expected: "true, 1, 3, as written", repaired: 1),
        Row(
            name: "text of a style element that grows",
            script: """
                pictured('grown');
                const style = put(make('style')), text = style.appendChild(document.createTextNode('.grown '));
                await tick();
                text.appendData(rule);
                return `${await throughLarder()}`;
                """, expected: "true", repaired: 1),
        Row(
            name: "a style attribute",
            script: """
                const box = slip(`<p style='width: 5px; height: 5px; background: url("${url}")'></p>`);
                return `${await throughLarder()}, ${reads(quotedIn(box.getAttribute('style')), quotedIn(box.style.background))}`;
                """, expected: "true, as written", repaired: 1),
        Row(
            name: "a tag that is cut between two calls of document.write",
            script: """
                const inner = put(make('iframe')).contentDocument;
                inner.write('<img sr');
                inner.write(`c="${url}">`);
                inner.close();
                return `${await throughLarder()}, ${reads(inner.querySelector('img').src)}`;
                """, expected: "true, as written", repaired: 1),
        Row(
            name: "shadow trees, open and closed, of elements in the document and not",
            script: """
                const other = address('/image.png'), box = make('div'), part = make('p');
                box.attachShadow({mode: 'open'}).append(part);
                slip(`<img src="${url}"/>`, part.attachShadow({mode: 'closed'}));
                put(box);
                slip(`<img src="${other.url}"/>`, put(make('div')).attachShadow({mode: 'open'}));
                return `${await throughLarder()}, ${await throughLarder(other.id)}`;
                """, expected: "true, true", repaired: 2),
        Row(
            name: "SVG, by either name",
            script: """
                const other = address('/image.png');
                slip(`<svg xmlns="http://www.w3.org/2000/svg"><image href="${url}"/></svg>`);
                slip('<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
                  + `<image xlink:href="${other.url}"/></svg>`);
                return `${await throughLarder()}, ${await throughLarder(other.id)}`;
                """, expected: "true, true", repaired: 2),
        Row(
            name: "a script, which has run by then",
            script: """
                const script = address('/script.js'), made = parsed(`<script src="${script.url.replace('&', '&amp;')}"></script>`);
                const loaded = event(made, 'load');
                put(made);
                await loaded;
                return `${await whose(script.id)}, ${made.src === script.url}`;
                """, expected: "request past Larder, true", escaped: 1),
        Row(
            name: "import()",
            script: """
                const module = address('/module.js');
                await import(module.url);
                return await whose(module.id);
                """, expected: "request past Larder", escaped: 1),
    ]

    private static let others = [
        Row(
            name: "what is not meant to be turned: links, a canonical one, beacons; frames are, and need no repair",
            script: """
                const {url: beacon, id: beaconID} = address('/beacon'), {url: page, id: pageID} = address('/frame.html');
                slip(`<p><a href="${url}">a</a><link rel="canonical" href="${url}"/></p>`);
                navigator.sendBeacon(beacon, 'a');
                navigator.sendBeacon(new URL(beacon), 'b');
                const box = Object.assign(make('iframe'), {src: page}), loaded = event(box, 'load');
                put(box);
                await loaded;
                await text(`/beaconed?of=${beaconID}`);
                slip(`<img src="${url}"/>`);
                return `${await throughLarder()}, ${await whose(beaconID)}, ${await whose(pageID)}`;
                """, expected: "true, request past Larder, own request", repaired: 1),
        Row(
            name: "a page's own MutationObserver sees one change, and its records read as the page wrote",
            script: """
                const seen = [];
                new MutationObserver(records => records.forEach(({type, oldValue}) => seen.push(`${type} ${oldValue}`)))
                  .observe(document, {subtree: true, childList: true, attributes: true, attributeOldValue: true});
                put(make('img')).src = 'data:,';
                const image = make('img');
                image.src = url;
                put(image);
                await throughLarder();
                image.setAttribute('src', 'data:,');
                slip(`<img src="${url}"/>`);
                await tick();
                return seen.join('; ').replaceAll(url, 'URL');
                """,
            expected: "childList null; attributes null; childList null; attributes URL; childList null; attributes URL",
            repaired: 1),
        Row(
            name: "setNamedItem turns the address before the element has it",
            script: """
                const image = Object.assign(make('img'), {alt: ''}), node = document.createAttribute('src');
                node.value = url;
                image.attributes.setNamedItem(node);
                slip('<img src="https://example.com/image.png?slipped"/>');
                return `${await throughLarder()}, ${(await asked(id)).length}, ${reads(image.src, node.value)}`;
                """, expected: "true, 1, as written", repaired: 1),
        Row(
            name: "attachShadow can't be told from the web view's own",
            script: """
                slip(`<img src="${url}"/>`);
                const {attachShadow: own, attachInternals: native} = HTMLElement.prototype;
                const shape = made => Object.entries(Object.getOwnPropertyDescriptors(made))
                  .map(([name, {writable, enumerable}]) => [name, writable, enumerable]).join();
                let error;
                try { own.call({}, {mode: 'open'}); } catch (thrown) { error = thrown.name; }
                const isSame = String(own) === String(native).replace('attachInternals', 'attachShadow');
                return `${own.name}, ${own.length}, ${error}, ${shape(own) === shape(native)}, ${isSame}`;
                """, expected: "attachShadow, 1, TypeError, true, true", repaired: 1),
    ]

    private static let hostile = [
        Row(
            name: "a page that replaces observers and what they use, before",
            script: """
                for (const {prototype} of [MutationObserver, PerformanceObserver]) {
                  for (const name of ['observe', 'takeRecords', 'disconnect']) prototype[name] = () => [];
                }
                self.MutationObserver = self.PerformanceObserver = class { observe() {} takeRecords() { return []; } };
                EventTarget.prototype.dispatchEvent = EventTarget.prototype.addEventListener = () => true;
                Element.prototype.matches = Element.prototype.querySelectorAll = () => [];
                Array.prototype.map = Map.prototype.get = Set.prototype.has = String.prototype.startsWith = () => {};
                self.setTimeout = self.fetch = () => {};
                slip(`<img src="${url}"/>`);
                return 'done';
                """, expected: "done", repaired: 1),
        Row(
            name: "a page that freezes prototypes",
            script: """
                for (const name of Object.getOwnPropertyNames(self)) {
                  try { Object.freeze(self[name]?.prototype); } catch {}
                }
                slip(`<img src="${url}"/>`);
                return `${await throughLarder()}`;
                """, expected: "true", repaired: 1),
        Row(
            name: "a page that forges a report and events",
            script: """
                for (const accept of ['larder/0;addresses=9.9.9.1', 'larder/;addresses=9.9.9.1', ';addresses=9.9.9.1']) {
                  await fetch('/text', {method: 'POST', headers: {accept}}).catch(() => {});
                }
                for (const name of ['fault', ';fault', 'undefined;fault', 'signal;fault']) dispatchEvent(new Event(name));
                slip(`<img src="${url}"/>`);
                return `${await throughLarder()}`;
                """, expected: "true", repaired: 1),
    ]

    @Test(
        "an address that stands in the document is turned there, is read as it was written, and is counted",
        arguments: late)
    func lateAddress(_ row: Row) async throws { try await check(row) }

    @Test("nothing else is touched or counted", arguments: others)
    func untouched(_ row: Row) async throws { try await check(row) }

    @Test("a page neither stops nor misleads the net", arguments: hostile)
    func hostilePage(_ row: Row) async throws { try await check(row) }

    private func check(_ row: Row) async throws {
        let stage = try await MatrixStage()
        let (text, report) = try await run(row.script, on: stage) {
            $0.repaired >= row.repaired && $0.escaped >= row.escaped
        }
        await stage.stop()
        #expect(text == row.expected)
        #expect(report.repaired == row.repaired && report.faults == 0 && report.fallbacks == 0)
        #expect(report.escaped >= row.escaped && report.escaped <= row.escaped + row.repaired)
    }

    @Test("after a hundred of them a page is left to itself, and what was turned before is read as it was written")
    func flood() async throws {
        let stage = try await MatrixStage()
        let (text, report) = try await run(
            """
            const before = make('img'), other = address('/text');
            before.src = url;
            for (let n = 0; n < 300; n++) slip(`<img src="${url}&n=${n}"/>`);
            // The request past Larder is refused by CORS, and arrives.
            for (let round = 0; round < 100; round++) {
              const sent = await fetch(other.url).then(() => 'through Larder', () => 'past Larder');
              if (sent === 'past Larder') return `${await whose(other.id)}, ${reads(before.src, before.getAttribute('src'))}`;
              await tick();
            }
            return 'never';
            """, on: stage
        ) { $0.fallbacks == 1 }
        await stage.stop()
        #expect(text == "request past Larder, as written")
        #expect(report.fallbacks == 1 && report.repaired + report.escaped == 100 && report.faults == 0)
    }

    @Test("a page that puts back what is turned is left to itself, and does not hang")
    func quarrel() async throws {
        let stage = try await MatrixStage()
        let (text, report) = try await run(
            """
            let rounds = 0;
            new MutationObserver(records => {
              for (const {type, target} of records) if (type === 'attributes') {
                rounds += 1;
                target.replaceWith(parsed(`<img src="${url.replace('&', '&amp;')}"/>`));
              }
            }).observe(document, {subtree: true, attributes: true});
            slip(`<img src="${url}"/>`);
            await tick();
            await tick();
            return rounds >= 50 && rounds <= 100;
            """, on: stage
        ) { $0.fallbacks == 1 }
        await stage.stop()
        #expect(text == "true")
        #expect(report.fallbacks == 1 && report.repaired + report.escaped == 100)
    }

    /// What a script in a page of its own returns, and what is counted once it is there.
    private func run(
        _ script: String, on stage: MatrixStage, until isReported: (AddressReport) -> Bool
    ) async throws -> (String, AddressReport) {
        let session = try await stage.start(.appScheme)
        let result = try await session.perform(.run(script: Self.functions + script))
        let text = try result.seen.scriptResult.map {
            try JSONDecoder().decode(JSONText.self, from: Data($0.utf8)).text
        }
        var report = result.addresses ?? AddressReport()
        // Reports come in their own time; the limit guards against a hang.
        for _ in 0..<20 where !isReported(report) {
            report = try await session.perform(.run(script: "await text('/text?cache=no-store')")).addresses ?? report
        }
        await session.end()
        return (text ?? result.seen.scriptError ?? "", report)
    }

    /// A string, or another value in words.
    private struct JSONText: Decodable {
        var text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            text = try (try? container.decode(String.self)) ?? "\(container.decode(Bool.self))"
        }
    }
}
