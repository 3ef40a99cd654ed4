/// A secret that shows that a message comes from the script that Larder injected. 128 random bits.
public struct MessageToken: Hashable, Sendable {
    /// 32 hexadecimal digits, for the script.
    public let text: String

    init(random: inout some RandomNumberGenerator) {
        let digits = Array("0123456789abcdef".utf8)
        var bytes: [UInt8] = []
        for _ in 0..<2 {
            let bits: UInt64 = random.next()
            for shift in 0..<16 { bytes.append(digits[Int(bits >> UInt64(shift * 4) & 0xF)]) }
        }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// Looks at every byte, whatever the first ones are, so that the time says nothing of how many are right.
    func matches(_ candidate: String) -> Bool {
        let candidate = candidate.utf8
        guard candidate.count == text.utf8.count else { return false }
        return zip(text.utf8, candidate).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
