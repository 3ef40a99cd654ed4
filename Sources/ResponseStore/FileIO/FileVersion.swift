/// What tells a file from another one of its name, and from what it was before a change: device, number, size, and the
/// time of the last write, as finely as the file system keeps it.
struct FileVersion: Hashable, Sendable {
    var device: UInt64
    var number: UInt64
    var size: Int64
    var writtenSeconds: Int64
    var writtenNanoseconds: Int64
}
