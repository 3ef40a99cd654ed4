import WebVisit

/// What `larder demo` is asked to do.
public struct DemoOptions: Sendable {
    /// How requests reach Larder.
    public var mode = InterceptionMode.proxy
    /// The program that has the web views of scheme handlers, beside this one.
    public var sessionProgram = "larder-webview"
    /// A page of somebody else's instead of the bundled site.
    public var url: String?
    /// Host map entries for ``url``, see `HostMap`.
    public var hostMap: [String] = []
    /// Authorities for ``url``'s origin.
    public var originAuthorities: String?
    /// How far away ``url``'s host is made; the bundled site's origin is always behind ``DemoNetwork/fourG``'s line.
    public var network = DemoNetwork.direct
    /// Where the report goes; its folder is made.
    public var reportPath: String
    /// Where the run keeps store, pictures and certificates; a new temporary folder unless set.
    public var workDirectory: String?
    /// The limit for each visit.
    public var timeoutSeconds: Double = 60
    /// How long nothing may be loading before a page counts as finished and its picture is taken.
    public var quietMilliseconds = 500
    /// Whether the same visits are made without Larder.
    public var hasControl = true

    /// How many other files of the bundled site are preloaded while a page is opened for the first time, in a visit more.
    /// In ``InterceptionMode/proxy`` alone: there the queue and the page are in one process, as in an app. 0 for no such visit.
    public var filesPreloadedMeanwhile = 0

    public init(reportPath: String) {
        self.reportPath = reportPath
    }
}
