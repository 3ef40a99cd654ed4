#if canImport(Darwin)
import Darwin
import Foundation

/// Starting a program, posix_spawn(2). Not yet run on a Mac.
enum Spawning {
    /// - Parameters:
    ///   - arguments: With the program's name first.
    ///   - environment: Entries such as `NAME=value`.
    ///   - standard: The child's descriptors 0, 1 and 2; `/dev/null` for `nil`. None of them may be
    ///     0, 1 or 2 of this process unless it is its own place.
    static func start(
        _ program: String, _ arguments: [String], _ environment: [String], standard: [Int32?]
    ) throws(POSIXError) -> pid_t {
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (place, descriptor) in standard.enumerated() {
            if let descriptor {
                posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(place))
            } else {
                posix_spawn_file_actions_addopen(&actions, Int32(place), "/dev/null", O_RDWR, 0)
            }
        }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes,
            Int16(
                POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_CLOEXEC_DEFAULT))
        let (values, variables) = (arguments.map { strdup($0) }, environment.map { strdup($0) })
        defer { for copy in values + variables { free(copy) } }
        var identifier: pid_t = 0
        let status = posix_spawn(&identifier, program, &actions, &attributes, values + [nil], variables + [nil])
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: status) ?? .EINVAL) }
        return identifier
    }
}
#endif
