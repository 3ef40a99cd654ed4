#if Proxy
import CachingProxy
import ViewCare

extension InterceptPolicy {
    /// The policy that the options of a web view's proxy mean.
    init(_ hosts: InterceptedHosts) {
        switch hosts {
        case .none: self = .none
        case .only(let names): self = .only(names.map { HostNamePattern($0) })
        case .allExcept(let names): self = .allExcept(Self.signInHosts + names.map { HostNamePattern($0) })
        }
    }
}
#endif
