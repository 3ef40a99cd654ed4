@testable import PageRewriting

/// A document or style sheet whose addresses are turned; the first byte chooses which.
enum PageRewritingTarget: FuzzTarget {
    static let name = "page-rewriting"
    static let shapes = [
        HostileShape("<img src=https://a.test/>", after: "h"), HostileShape("url(https://a.test/)", after: "c"),
        HostileShape("https://a.test/ 1x,", after: "h<img srcset='"),
        HostileShape("\"https://a.test/\",", after: "h<script type=importmap>["),
        HostileShape("&#60;img src=https://a.test/>", after: "h<iframe srcdoc='"),
        HostileShape(" https://a.test 'self'", after: "h<meta http-equiv=content-security-policy content=\"img-src"),
        HostileShape("\\", after: "h<script type=importmap>\""), HostileShape("<", after: "h"),
        HostileShape("<img integrity=a src=b>", after: "h"),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        guard let first = input.bytes.first else { return }
        let kind: PageRewriter.Kind = first == 0x68 || first % 2 == 0 ? .document : .styleSheet
        let source = Array(input.bytes.dropFirst())
        var outputs: [[UInt8]] = []
        for pieces in PagePieces.cuts(of: source) {
            var rewriter = PageRewriter(kind, .init(hosts: NamedHosts(["a.test"]), host: "a.test"))
            var (output, fed) = ([UInt8](), 0)
            for piece in pieces {
                output += rewriter.rewrite(Array(piece))
                fed += piece.count
                try claim(
                    fed <= PageRewriter.mostBeforeFirst || !output.isEmpty, "the first byte comes in time", [fed])
            }
            outputs.append(output + rewriter.finish())
        }
        try claim(outputs[1] == outputs[0] && outputs[2] == outputs[0], "pieces become what the whole becomes")
        try claim(isSubsequence(source, of: outputs[0]), "nothing is taken out")
        let text = String(decoding: source, as: UTF8.self)
        // A policy is given other things than that.
        guard !text.lowercased().contains("content-security"), !text.contains("App-Cache-") else { return }
        try claim(without(NamedHosts.insertion, outputs[0]) == source, "without what was put in, it is the source")
    }

    private static func isSubsequence(_ source: [UInt8], of output: [UInt8]) -> Bool {
        var index = 0
        for byte in output where index < source.count && byte == source[index] { index += 1 }
        return index == source.count
    }

    private static func without(_ text: String, _ bytes: [UInt8]) -> [UInt8] {
        let pattern = Array(text.utf8)
        var (kept, index) = ([UInt8](), 0)
        while index < bytes.count {
            if bytes[index...].starts(with: pattern) {
                index += pattern.count
            } else {
                kept.append(bytes[index])
                index += 1
            }
        }
        return kept
    }
}
