#if Proxy
import CachingProxy
import OriginDialing

extension ProxyError: MessageError {}
extension SecretError: MessageError {}
extension HostMapError: DescribedError {}
extension OriginTrustError: DescribedError {}
#endif
