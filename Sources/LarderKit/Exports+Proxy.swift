#if Proxy
// One by one: the module has a ProxyConfiguration, and so has Network on Apple's platforms, which an app needs beside this.
@_exported import struct CachingProxy.HostNamePattern
@_exported import enum CachingProxy.InterceptPolicy
@_exported import struct CachingProxy.ProxyCredentials
@_exported import struct CachingProxy.ProxyError
@_exported import struct CachingProxy.SecretError
@_exported import struct CachingProxy.SecretFiles
@_exported import protocol CachingProxy.SecretStore
#endif
