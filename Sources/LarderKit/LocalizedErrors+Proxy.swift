#if Proxy
import CachingProxy
import Foundation
import OriginDialing

extension ProxyError: LocalizedError {
    public var errorDescription: String? { message }
}

extension SecretError: LocalizedError {
    public var errorDescription: String? { message }
}

extension HostMapError: LocalizedError {
    package var errorDescription: String? { description }
}

extension OriginTrustError: LocalizedError {
    package var errorDescription: String? { description }
}
#endif
