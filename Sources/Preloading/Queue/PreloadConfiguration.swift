import CacheRules
import HTTPCacheSemantics

/// The settings of a ``PreloadQueue``.
package struct PreloadConfiguration: Sendable {
    /// The state of the network, asked before each fetch. Constrained: nothing is fetched. Expensive, or low power:
    /// ``PreloadGroup/boot`` only.
    package var connectivity: @Sendable () -> Connectivity
    /// The account, see `ExchangeContext.partition`; the default one unless set. When it signs out, remove its sets
    /// first: what is still listed would be fetched again.
    package var partition: String
    /// How many are fetched at once in all; 8 unless set.
    package var atOnce = 8
    /// How many are fetched at once from one host; 6 unless set, as many as browsers do.
    package var atOncePerHost = 6
    /// The most that is fetched of what has no stated size.
    package static let largestContent = ByteCount.mebibytes(64)
    /// The longest wait for the head of an answer; a server that is silent longer is left alone for a minute. `nil`,
    /// the default, for the transport's own limit.
    package var answerTimeout: Duration?
    /// The fields of requests until a page has sent one.
    package var viewFields: ViewFields
    package var budget: PreloadBudget

    package init(
        connectivity: @escaping @Sendable () -> Connectivity = { .connected }, partition: String = "",
        viewFields: ViewFields = ViewFields(), budget: PreloadBudget = PreloadBudget()
    ) {
        self.connectivity = connectivity
        self.partition = partition
        self.viewFields = viewFields
        self.budget = budget
    }
}

/// How many bytes may be fetched ahead in a day, and how many have been.
public struct PreloadBudget: Hashable, Sendable {
    /// Content as it is transferred, in a day of Universal Time; `nil` for no limit.
    public var bytesPerDay: ByteCount?
    /// The day of ``spent``, counted from 1970-01-01.
    package private(set) var day: Int64
    public private(set) var spent: ByteCount

    public init(bytesPerDay: ByteCount? = nil) {
        (self.bytesPerDay, day, spent) = (bytesPerDay, 0, .zero)
    }

    /// The bytes left for today; `nil` for no limit.
    public func left(at now: WallInstant) -> ByteCount? {
        bytesPerDay.map { max(.zero, $0 - (Self.day(now) == day ? spent : .zero)) }
    }

    /// Counts bytes; a negative count gives some back.
    package mutating func spend(_ count: ByteCount, at now: WallInstant) {
        let today = Self.day(now)
        if today != day { (day, spent) = (today, .zero) }
        spent = max(.zero, spent + count)
    }

    /// When the next day begins.
    public static func nextDay(after now: WallInstant) -> WallInstant {
        WallInstant(unixSeconds: (day(now) + 1) * 86_400)
    }

    private static func day(_ now: WallInstant) -> Int64 {
        let (days, rest) = now.unixSeconds.quotientAndRemainder(dividingBy: 86_400)
        return rest < 0 ? days - 1 : days
    }

    /// One that was kept, without its limit; `nil` if less than nothing is spent.
    package init?(day: Int64, spentBytes spent: Int64) {
        guard spent >= 0 else { return nil }
        (bytesPerDay, self.day, self.spent) = (nil, day, ByteCount(spent))
    }
}
