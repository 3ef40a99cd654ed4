import Foundation

/// Texts that stand for octets.
package enum Octets {
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(bytes: bytes, encoding: .isoLatin1) ?? ""
    }

    package static func bytes(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }
}
