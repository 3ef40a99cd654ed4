import CDeflate

enum GzipCoding {
    /// Longer files are stored as they are: media, which do not get shorter.
    private static let longest = 64 << 20

    /// - Returns: `nil` if it saves less than a tenth.
    static func coded(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count <= longest else { return nil }
        let space = larder_gzip_bound(bytes.count)
        let coded = [UInt8](unsafeUninitializedCapacity: space) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            count = larder_gzip(bytes, bytes.count, start, buffer.count)
        }
        return !coded.isEmpty && coded.count < bytes.count - bytes.count / 10 ? coded : nil
    }
}
