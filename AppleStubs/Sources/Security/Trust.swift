import Foundation

// c:@T@CFArrayRef | iOS 2.0, macOS 10.0 | nonisolated | M
public typealias CFArray = [AnyObject]
// c:@T@CFDataRef | iOS 2.0, macOS 10.0 | nonisolated | M
public typealias CFData = NSData

// Apple's is not known to be Sendable.
// c:@T@SecTrustRef | iOS 2.0, macOS 10.3 | nonisolated | M
public final class SecTrust {
    let chain: [SecCertificate]

    /// Not in Apple's module.
    public init(simulating chain: [[UInt8]]) { self.chain = chain.map { SecCertificate($0) } }
}

// c:@T@SecCertificateRef | iOS 2.0, macOS 10.3 | nonisolated | M
public final class SecCertificate {
    let der: [UInt8]

    init(_ der: [UInt8]) { self.der = der }
}

// c:@F@SecTrustCopyCertificateChain | iOS 15.0, macOS 12.0 | nonisolated | M
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { trust.chain }

// c:@F@SecCertificateCopyData | iOS 2.0, macOS 10.3 | nonisolated | M
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { NSData(data: Data(certificate.der)) }
