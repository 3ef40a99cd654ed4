// What Foundation on Linux has as Apple's has it, as far as we use it.
@_exported import Foundation
@_exported import class FoundationNetworking.CachedURLResponse
@_exported import class FoundationNetworking.HTTPCookie
@_exported import class FoundationNetworking.HTTPCookieStorage
@_exported import class FoundationNetworking.HTTPURLResponse
@_exported import class FoundationNetworking.URLCache
@_exported import class FoundationNetworking.URLCredentialStorage
@_exported import struct FoundationNetworking.HTTPCookiePropertyKey
@_exported import struct FoundationNetworking.URLRequest
@_exported import class FoundationNetworking.URLResponse
