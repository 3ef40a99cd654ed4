import CacheRules
import Testing

@Suite("Fetch standard §2.2.5, Fetch Metadata §2.1: request destinations")
struct DestinationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var value: String?
        var destination: Destination

        var testDescription: String { "Sec-Fetch-Dest: \(value ?? "(absent)")" }
    }

    static let cases = [
        Case(value: "document", destination: .document),
        Case(value: "iframe", destination: .iframe),
        Case(value: "script", destination: .script),
        Case(value: "sharedworker", destination: .sharedWorker),
        Case(value: "serviceworker", destination: .serviceWorker),
        Case(value: "empty", destination: .fetch),
        Case(value: "Document", destination: .unknown),
        Case(value: "paintworklet", destination: .unknown),
        Case(value: "document, image", destination: .unknown),
        Case(value: "", destination: .unknown),
        Case(value: nil, destination: .unknown),
    ]

    @Test("a known value names its destination, anything else none", arguments: cases)
    func read(_ row: Case) {
        #expect(Destination(secFetchDest: row.value) == row.destination)
    }

    @Test("each is found by its name in a rules file, and nothing else is")
    func names() {
        for destination in Destination.allCases { #expect(Destination(name: "\(destination)") == destination) }
        #expect(Destination.fetch.description == "fetch")
        for name in ["empty", "Document", "", "page"] { #expect(Destination(name: name) == nil) }
    }

    @Test("a person sees documents and frames as pages, and nothing else")
    func pages() {
        #expect(Destination.allCases.filter(\.isPage) == [.document, .iframe])
    }
}
