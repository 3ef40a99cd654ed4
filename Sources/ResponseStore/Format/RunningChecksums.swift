/// The checksums of the blocks of a body that comes in pieces.
struct RunningChecksums {
    private var checksums: [UInt64] = []
    /// What has come of the block that is not full yet.
    private var rest: [UInt8] = []

    init() {}

    /// Goes on behind full blocks.
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

    /// All of them, the last one of a block that may be shorter.
    mutating func finish() -> [UInt64] {
        if !rest.isEmpty { checksums.append(BlockChecksum.of(rest)) }
        rest = []
        return checksums
    }
}
