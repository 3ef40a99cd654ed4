import Foundation

// c:objc(cs)NSURLSessionTaskMetrics | iOS 10.0, macOS 10.12 | nonisolated, Sendable | D
public final class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
    // c:objc(cs)NSURLSessionTaskMetrics(py)transactionMetrics | iOS 10.0, macOS 10.12 | nonisolated | D
    public let transactionMetrics: [URLSessionTaskTransactionMetrics]

    /// Not in Apple's module.
    public init(_ transactionMetrics: [URLSessionTaskTransactionMetrics]) {
        self.transactionMetrics = transactionMetrics
    }
}

// c:objc(cs)NSURLSessionTaskTransactionMetrics | iOS 10.0, macOS 10.12 | nonisolated, Sendable | D
public final class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
    // c:objc(cs)NSURLSessionTaskTransactionMetrics(py)networkProtocolName | iOS 10.0, macOS 10.12 | nonisolated | B
    public var networkProtocolName: String?
    // c:objc(cs)NSURLSessionTaskTransactionMetrics(py)reusedConnection | iOS 10.0, macOS 10.12 | nonisolated | B
    public var isReusedConnection = false
    // c:objc(cs)NSURLSessionTaskTransactionMetrics(py)domainLookupStartDate | iOS 10.0, macOS 10.12 | nonisolated | B
    public var domainLookupStartDate: Date?
    // c:objc(cs)NSURLSessionTaskTransactionMetrics(py)domainLookupEndDate | iOS 10.0, macOS 10.12 | nonisolated | B
    public var domainLookupEndDate: Date?
    // c:objc(cs)NSURLSessionTaskTransactionMetrics(py)connectStartDate | iOS 10.0, macOS 10.12 | nonisolated | B
    public var connectStartDate: Date?
    // c:objc(cs)NSURLSessionTaskTransactionMetrics(py)connectEndDate | iOS 10.0, macOS 10.12 | nonisolated | B
    public var connectEndDate: Date?
    // c:objc(cs)NSURLSessionTaskTransactionMetrics(py)secureConnectionStartDate | iOS 10.0, macOS 10.12 | nonisolated | B
    public var secureConnectionStartDate: Date?
    // c:objc(cs)NSURLSessionTaskTransactionMetrics(py)secureConnectionEndDate | iOS 10.0, macOS 10.12 | nonisolated | B
    public var secureConnectionEndDate: Date?
    // c:objc(cs)NSURLSessionTaskTransactionMetrics(py)requestEndDate | iOS 10.0, macOS 10.12 | nonisolated | B
    public var requestEndDate: Date?
    // c:objc(cs)NSURLSessionTaskTransactionMetrics(py)responseStartDate | iOS 10.0, macOS 10.12 | nonisolated | B
    public var responseStartDate: Date?
    // c:objc(cs)NSURLSessionTaskTransactionMetrics(py)countOfResponseBodyBytesReceived | iOS 13.0, macOS 10.15 | nonisolated | D
    public var countOfResponseBodyBytesReceived: Int64 = 0
}
