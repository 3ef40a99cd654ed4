import CacheEngine
import WebVisit

/// Options of `larder demo`.
package struct DemoOptions: Sendable {
    /// How requests reach Larder.
    package var mode = InterceptionMode.proxy
    /// The program that has the web views of scheme handlers, beside this one.
    package var sessionProgram = "larder-webview"
    /// A page of somebody else's instead of the bundled site.
    package var url: String?
    /// Host map entries for ``url``, see `HostMap`.
    package var hostMap: [String] = []
    /// Authorities for ``url``'s origin.
    package var originAuthorities: String?
    /// The policy for ``url``, as `RulesSource` reads it.
    package var rules = "default"
    /// The way to ``url``'s host: as slow at each visit, or with a fault at one visit more. The bundled site's origin
    /// is always behind the line of `4g`, and has its own visits with faults.
    package var network = SimulatedNetwork.direct
    /// Changes ``url``'s server to another release, for a visit after that; no such visit without it. Once for each of
    /// ``runs``.
    package var deploy: (@Sendable () async throws -> Void)?
    /// Where the run keeps store, pictures and certificates; a new temporary folder unless set.
    package var workDirectory: String?
    /// The limit for each visit.
    package var timeoutSeconds: Double = 60
    /// How long nothing may be loading before a page counts as finished and its picture is taken.
    package var quietMilliseconds = 500
    /// How often all visits are made, each time with empty stores; two times more where the times differ too much.
    package var runs = 1
    /// Whether the same visits are made without Larder.
    package var hasControl = true

    /// How many other files of the bundled site are preloaded while a page is opened for the first time, in a visit
    /// more. In ``InterceptionMode/proxy`` alone: there the queue and the page are in one process, as in an app. 0 for
    /// no such visit.
    package var filesPreloadedMeanwhile = 0

    package init() {}
}
