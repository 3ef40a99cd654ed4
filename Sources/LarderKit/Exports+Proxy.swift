#if Proxy
@_exported import struct CachingProxy.HostNamePattern
@_exported import enum CachingProxy.InterceptPolicy
@_exported import struct CachingProxy.ProxyCredentials
@_exported import struct CachingProxy.ProxyError
#endif
