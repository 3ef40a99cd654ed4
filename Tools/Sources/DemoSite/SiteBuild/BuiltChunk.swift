/// Stage two's result: a chunk whose name carries the hash of its bytes.
struct BuiltChunk {
    let source: ChunkSource
    /// Name of the host that serves it.
    let host: String
    /// Absolute path, `/assets/js/home.1a2b3c4d.js`.
    let path: String
    /// Contents with every reference resolved.
    let bytes: [UInt8]
}
