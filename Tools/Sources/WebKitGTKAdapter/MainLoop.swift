import CWebKitGTK
import Dispatch
import Glibc

/// The one loop of the process: GLib's, which also runs the jobs of `MainActor`.
///
/// On Linux, jobs of `MainActor` go to libdispatch's main queue, and nobody drains that queue while GLib's loop holds
/// the main thread. libdispatch offers run loops an eventfd that becomes readable when the queue has work, and a
/// function that does the work; Core Foundation's run loop lives on the same pair. Polled from GLib, `Task`,
/// `Task.sleep`, and continuations run between WebKit's own callbacks, on the thread that GTK demands.
@MainActor
enum MainLoop {
    private static let loop = g_main_loop_new(nil, 0)

    /// Runs until ``quit()``.
    static func run() {
        _ = g_unix_fd_add(
            _dispatch_get_main_queue_handle_4CF(), G_IO_IN,
            { eventDescriptor, _, _ in
                var wakeUps: UInt64 = 0
                _ = read(eventDescriptor, &wakeUps, MemoryLayout<UInt64>.size)
                _dispatch_main_queue_callback_4CF(nil)
                return 1
            }, nil)
        g_main_loop_run(loop)
    }

    /// Makes ``run()`` return.
    static func quit() { g_main_loop_quit(loop) }
}
