import LarderKit

/// The fields from which a manifest is preloaded.
public struct ManifestForm: Hashable, Sendable {
    public var address = ""
    public var id = ""
    /// `ed25519:` and 64 digits, as `larder manifest keygen` prints it.
    public var key = ""

    public init() {}

    /// `nil` while a field is missing. Whether the key is one is checked where it is used.
    public var manifest: LarderManifest? {
        guard let url = PageAddress.url(typed: address), !id.isEmpty, !key.isEmpty else { return nil }
        return LarderManifest(url: url, id: id, keys: [key])
    }
}
