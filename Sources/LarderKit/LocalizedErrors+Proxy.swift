#if Proxy
import CachingProxy
import OriginDialing

extension ProxyError: MessageError {}
extension SecretError: MessageError {}
extension DialerError: DescribedError {}
#endif
