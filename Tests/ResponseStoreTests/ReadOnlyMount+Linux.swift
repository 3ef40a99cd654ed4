#if os(Linux)
import Foundation
import Glibc

/// A read-only bind mount of a directory, mount(2). By system calls: running a program would need `Process`, which can
/// end the test process on Linux.
enum ReadOnlyMount {
    static func make(of original: String, at path: String) throws {
        try mount(original, path, UInt(MS_BIND))
        try mount(nil, path, UInt(MS_BIND | MS_REMOUNT | MS_RDONLY))
    }

    static func allowWriting(_ path: String) throws {
        try mount(nil, path, UInt(MS_BIND | MS_REMOUNT))
    }

    static func remove(_ path: String) {
        umount2(path, Int32(MNT_DETACH))
    }

    private static func mount(_ original: String?, _ path: String, _ flags: UInt) throws {
        guard Glibc.mount(original, path, nil, flags, nil) == 0 else { throw CocoaError(.fileWriteNoPermission) }
    }
}
#endif
