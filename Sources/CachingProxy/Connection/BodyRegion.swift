#if Proxy
import NIOCore
import ResponseStore

/// A part of a stored body as a file region, which the system sends without a copy through our memory.
///
/// Requests share the open file: a region names its offset. NIO's handles can't be shared between event loops, so each
/// region has one of its own around the same descriptor, and gives it up instead of closing it.
struct BodyRegion: Sendable {
    let region: FileRegion
    private let handle: NIOFileHandle
    private let file: BodyFile

    /// Compares what was not compared yet, which reads the part.
    ///
    /// - Throws: ``BodyRegion/Fault`` when the file does not hold the part any more, `StoreError` when it is damaged.
    init(_ part: StoredPart) throws {
        file = part.file
        try file.verify(part.range)
        // Of a file that was cut short the system would send nothing, for ever.
        guard file.holds(part.range) else { throw Fault.cutShort }
        handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: file.descriptor)
        region = FileRegion(
            fileHandle: handle, readerIndex: Int(part.range.lowerBound), endIndex: Int(part.range.upperBound))
    }

    enum Fault: Error {
        case cutShort
    }

    /// Lets go of the file, once the region was sent or can't be sent. What was not sent before never will be. Calling
    /// it again does nothing.
    func release() {
        _ = try? handle.takeDescriptorOwnership()
        withExtendedLifetime(file) {}
    }
}
#endif
