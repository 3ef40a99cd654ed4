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
    public var errorDescription: String? { description }
}

extension OriginTrustError: LocalizedError {
    public var errorDescription: String? { description }
}
#endif
