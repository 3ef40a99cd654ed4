#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import Foundation
import HTTPCacheSemantics

extension CacheMode {
    /// The mode that a `URLRequest` asks for. By name: the raw values on Linux are not those on Apple's platforms.
    init(_ policy: URLRequest.CachePolicy) {
        switch policy {
        case .useProtocolCachePolicy: self = .protocolDefault
        case .reloadIgnoringLocalCacheData: self = .reloadIgnoringLocal
        case .reloadIgnoringLocalAndRemoteCacheData: self = .reload
        case .returnCacheDataElseLoad: self = .preferStored
        case .returnCacheDataDontLoad: self = .onlyIfStored
        case .reloadRevalidatingCacheData: self = .revalidate
        @unknown default: self = .protocolDefault
        }
    }
}
