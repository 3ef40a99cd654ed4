import HTTPCacheSemantics

/// A number of seconds, RFC 9111 §1.2.2: the text of it.
enum DeltaSecondsTarget: FuzzTarget {
    static let name = "delta-seconds"
    static let shapes = [HostileShape("9"), HostileShape("0"), HostileShape("0", after: "1"), HostileShape(" ")]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let text = input.text
        let value = DeltaSeconds.parse(text)
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        try claim((value != nil) == isNumber, "1*DIGIT and nothing else", [text])
        guard let value else { return }
        let significant = text.drop { $0 == "0" }
        let expected =
            significant.utf8.count > 18
            ? DeltaSeconds.greatest : min(DeltaSeconds.greatest, Int64("0" + significant) ?? -1)
        try claim(value == .seconds(expected), "the number that is written, or the greatest", [text, value])
        try claim(DeltaSeconds.parse("0" + text) == value, "leading zeros say nothing", [text])
        try claim(DeltaSeconds.parse(String(expected)) == value, "printed and read again", [text])
    }
}
