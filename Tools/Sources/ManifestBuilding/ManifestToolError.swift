/// Why a manifest can't be built, signed or compared: bad use, or a file that is missing or damaged.
package struct ManifestToolError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The failure and its remedy.
    package var message: String

    package init(_ message: String) { self.message = message }

    package var description: String { message }
}
