/// A history before it is played. Every choice is a value, so that it can be played again without some steps.
struct HistoryPlan: Hashable, Sendable {
    var isShared: Bool
    /// Whether the rule for requests without a network is in force.
    var hasDisconnectedRule = false
    var steps: [Step]

    struct Step: Hashable, Sendable {
        /// How far the wall clock moves before the request, in seconds; negative if it goes back.
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
        /// This many seconds before now.
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
        /// 304 with an entity tag that no response has.
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
        /// This many seconds before now; after now when negative.
        case ago(Int64)
        case literal(String)
    }

    var manner = Manner.proper
    /// Whether the representation changes before the request arrives.
    var changes = false
    /// When the new representation was last modified, in seconds before now.
    var modifiedAgo: Int64 = 1000
    /// Seconds until the response head arrives.
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
    /// Whether a 304 has a `Content-Length` that is not the representation's.
    var misstatesLength = false
    /// The other fields.
    var fields: [ModelField] = []
}
