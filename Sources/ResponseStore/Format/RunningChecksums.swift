/// The checksums of the blocks of a body that arrives in pieces.
struct RunningChecksums {
    private var checksums: [UInt64] = []
    /// The bytes of the incomplete block.
    private var rest: [UInt8] = []

    init() {}

    /// Continues after complete blocks.
    init(after checksums: some Sequence<UInt64>) {
        self.checksums = Array(checksums)
    }

    mutating func update(_ bytes: [UInt8]) {
        var position = 0
        if !rest.isEmpty {
            position = min(bytes.count, BlockChecksum.blockLength - rest.count)
            rest += bytes[..<position]
            guard rest.count == BlockChecksum.blockLength else { return }
            checksums.append(BlockChecksum.of(rest))
            rest = []
        }
        bytes.withUnsafeBytes { buffer in
            while bytes.count - position >= BlockChecksum.blockLength {
                let end = position + BlockChecksum.blockLength
                checksums.append(BlockChecksum.of(UnsafeRawBufferPointer(rebasing: buffer[position..<end])))
                position = end
            }
        }
        rest += bytes[position...]
    }

    /// All checksums; the last block may be shorter.
    mutating func finish() -> [UInt64] {
        if !rest.isEmpty { checksums.append(BlockChecksum.of(rest)) }
        rest = []
        return checksums
    }
}
