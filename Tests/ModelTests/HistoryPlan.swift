/// A history before it is played: every choice in it is a value, so that it can be played again with steps left out.
struct HistoryPlan: Hashable, Sendable {
    var isShared: Bool
    /// Whether the rule is in place that requests without a network need.
    var hasDisconnectedRule = false
    var steps: [Step]

    struct Step: Hashable, Sendable {
        /// Seconds on the wall clock before the request; it may go back.
        var wait: Int64
        var request: RequestPlan
        var origin: OriginPlan
    }
}

/// One request, in terms of what the origin has at that moment.
struct RequestPlan: Hashable, Sendable {
    enum Tags: Hashable, Sendable {
        case none, current, weakCurrent, currentAmongOthers, other, any
    }

    enum Moment: Hashable, Sendable {
        case none
        /// The current representation's last modification.
        case modified
        /// So many seconds before now.
        case ago(Int64)
        case broken
    }

    var partition: String
    var method: String
    var scheme = "http"
    var authority: String
    var path: String
    var fields: [ModelField]
    var ifNoneMatch = Tags.none
    var ifModifiedSince = Moment.none
    var ifMatch = Tags.none
    var ifUnmodifiedSince = Moment.none
    var ifRange = Tags.none
    var isDisconnected = false
}

/// What the origin does when it is asked.
struct OriginPlan: Hashable, Sendable {
    enum Manner: Hashable, Sendable {
        case proper
        case failure(ModelFailure)
        /// 304 whatever the conditions were.
        case needlessNotModified
        /// 304 with an entity tag that nobody has.
        case foreignTag
        /// 304 without validators.
        case bareNotModified
        /// 304 with the weak form of the tag.
        case weakenedTag
    }

    enum Tag: Hashable, Sendable {
        case none, strong, weak
        case broken(String)
    }

    enum Moment: Hashable, Sendable {
        case none
        /// So many seconds before now, after it when negative.
        case ago(Int64)
        case literal(String)
    }

    var manner = Manner.proper
    /// Whether there is a new representation before the request arrives.
    var changes = false
    /// When that one was last modified, in seconds before now.
    var modifiedAgo: Int64 = 1000
    /// Seconds until the response head is there.
    var delay: Int64 = 0
    var ignoresConditions = false
    var honoursRange = true
    var truncates = false
    var statesLength = true

    var status = 200
    var date = Moment.ago(0)
    var expires: [Moment] = []
    var tag = Tag.none
    var sendsLastModified = false
    var brokenLastModified: String?
    var contentType: String?
    /// A 304 with a `Content-Length` that is not the representation's.
    var misstatesLength = false
    /// Everything else.
    var fields: [ModelField] = []
}
