// An app that imports LarderKit needs no second import for what the guides use; docs/public-api.txt lists what it sees. Modules
// that also serve apps with a transport or rules of their own are exported type by type. Types with operators need their whole
// module: a scoped import hides operators.
@_exported import struct CacheEngine.EngineError
@_exported import struct CacheEngine.ExchangeReport
@_exported import struct CacheEngine.OfflinePage
@_exported import struct CacheEngine.OriginLimits
@_exported import struct CacheRules.Connectivity
@_exported import enum CacheRules.Destination
@_exported import struct CacheRules.KeyRule
@_exported import struct CacheRules.Rule
@_exported import struct CacheRules.RuleList
@_exported import struct CacheRules.RulesFileError
@_exported import enum CacheRules.Verdict
@_exported import struct CacheRules.When
@_exported import enum CacheRules.Workbox
@_exported import Foundation
@_exported import HTTPCacheSemantics
@_exported import HTTPTypes
@_exported import struct Preloading.PreloadBudget
@_exported import enum Preloading.PreloadEvent
@_exported import enum Preloading.PreloadGroup
@_exported import struct Preloading.PreloadItem
@_exported import struct Preloading.PreloadRefusal
@_exported import struct Preloading.PreloadSummary
@_exported import struct Preloading.PreloadWait
@_exported import struct Preloading.SeedError
@_exported import struct Preloading.SeedSummary
@_exported import ResponseStore
