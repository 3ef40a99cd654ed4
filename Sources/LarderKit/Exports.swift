// What the public API of this module shows: an app that imports LarderKit needs no second import to use it, and none to
// reach the members of these types.
//
// Foundation: URL, URLRequest, Data. HTTPTypes: requests, responses and fields. HTTPCacheSemantics: ByteCount, WallInstant,
// CacheMode, CacheStatus. CacheRules: RuleList and its parts, Connectivity, Destination. ResponseStore: EntrySelection,
// StoreBudget, StoreError. CacheEngine: EngineResponse, EngineError, OriginTransport, ExchangeReport, OfflinePage. Preloading
// and Manifests: events, summaries, errors and refusals of what is fetched ahead of need.
@_exported import CacheEngine
@_exported import CacheRules
@_exported import Foundation
@_exported import HTTPCacheSemantics
@_exported import HTTPTypes
@_exported import Manifests
@_exported import Preloading
@_exported import ResponseStore
