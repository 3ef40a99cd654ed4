import HTTPCacheSemantics

/// How many bytes may be fetched ahead in a day, and how many have been. Its text is for the caller to keep.
public struct PreloadBudget: Hashable, Sendable, LosslessStringConvertible {
    /// Content as it is transferred, in a day of Universal Time; `nil` for no limit.
    public var bytesPerDay: ByteCount?
    /// The day of ``spent``, counted from 1970-01-01.
    package private(set) var day: Int64
    public private(set) var spent: ByteCount

    package init(bytesPerDay: ByteCount? = nil) {
        (self.bytesPerDay, day, spent) = (bytesPerDay, 0, .zero)
    }

    /// What is left of today; `nil` for no limit.
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

    /// The day and what is spent, such as `20411 1048576`. The limit is not part of it.
    public var description: String { "\(day) \(spent.bytes)" }

    /// - Parameter description: As ``description`` gives it.
    /// - Returns: `nil` for other texts.
    public init?(_ description: String) {
        let words = description.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, let day = Int64(words[0]), let spent = Int64(words[1]), spent >= 0 else { return nil }
        (bytesPerDay, self.day, self.spent) = (nil, day, ByteCount(spent))
    }
}
