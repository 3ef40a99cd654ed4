// An app that imports LarderKit needs no second import for what the guides use; docs/public-api.txt lists what it sees.
// Modules that also serve apps with a transport or rules of their own are exported type by type. Types with operators
// need their whole module: a scoped import hides operators.
@_exported import struct CacheEngine.EngineError
@_exported import struct CacheEngine.ExchangeReport
@_exported import struct CacheEngine.Explanation
@_exported import struct CacheEngine.OfflinePage
@_exported import struct CacheEngine.OriginLimits
@_exported import struct CacheRules.Connectivity
@_exported import struct CacheRules.RuleList
@_exported import Foundation
@_exported import HTTPCacheSemantics
@_exported import HTTPTypes
@_exported import enum Preloading.AskingClient
@_exported import enum Preloading.PreloadEvent
@_exported import enum Preloading.PreloadGroup
@_exported import struct Preloading.PreloadItem
@_exported import struct Preloading.PreloadRefusal
@_exported import struct Preloading.PreloadWait
@_exported import struct Preloading.SeedError
@_exported import ResponseStore
