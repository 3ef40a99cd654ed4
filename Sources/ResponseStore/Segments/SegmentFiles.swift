import Locking

/// The open segments of a store.
final class SegmentFiles: Sendable {
    /// The most segments that are kept open.
    static let openLimit = 64

    let layout: StoreLayout
    let fileSystem: any FileSystem
    private let open = LockedBox<[UInt32: Segment]>([:])

    init(_ layout: StoreLayout, _ fileSystem: any FileSystem) {
        (self.layout, self.fileSystem) = (layout, fileSystem)
    }

    /// - Returns: `nil` if there is no such segment, or its first bytes are damaged.
    func segment(_ number: UInt32) throws -> Segment? {
        if let known = open.withLock({ $0[number] }) { return known }
        do {
            guard let segment = try Segment.open(number, at: layout.segment(number), fileSystem) else { return nil }
            keep(segment)
            return segment
        } catch let error as FileSystemError where error.isMissing {
            return nil
        }
    }

    func keep(_ segment: Segment) {
        open.withLock { open in
            if open.count >= Self.openLimit, let other = open.keys.first { open[other] = nil }
            open[segment.number] = segment
        }
    }

    func forget(_ number: UInt32) {
        open.withLock { $0[number] = nil }
    }

    func forgetAll() {
        open.withLock { $0 = [:] }
    }

    /// The numbers of the existing segments.
    func numbers() -> [UInt32] {
        fileSystem.names(in: layout.segments).compactMap { UInt32($0) }.sorted()
    }

    func remove(_ number: UInt32) {
        forget(number)
        try? fileSystem.unlink(layout.segment(number))
    }
}
