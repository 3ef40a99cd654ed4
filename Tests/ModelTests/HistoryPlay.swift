import CacheEngine
import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// The result of playing a history.
struct PlayedHistory: Sendable {
    var exchanges: [ModelExchange] = []
    /// What is wrong with the last exchange; `nil` when all were allowed.
    var complaint: String?
}

/// Plays a history with a real cache and asks the model about every exchange.
struct HistoryPlay {
    private let plan: HistoryPlan
    private let clock = ManualClock()
    private let origin: PlayedOrigin
    private let cache: ResponseCache

    init(_ plan: HistoryPlan) {
        self.plan = plan
        origin = PlayedOrigin(clock: clock)
        var configuration = EngineConfiguration(
            rules: plan.hasDisconnectedRule ? RuleList([Rule.disconnected]) : .protocolOnly,
            kind: plan.isShared ? .shared : .private, clock: clock.engineClock)
        // The model knows neither weak hosts nor what is asked behind a stale answer.
        configuration.limits.beforeFallback = nil
        cache = ResponseCache(store: MemoryResponseStore(), transport: origin, configuration: configuration)
    }

    /// - Returns: The exchanges up to the first one that was not allowed.
    func run() async -> PlayedHistory {
        let kind = ModelKind(isShared: plan.isShared, hasDisconnectedRule: plan.hasDisconnectedRule)
        var model = ModelCache(kind)
        var played = PlayedHistory()
        for (number, step) in plan.steps.enumerated() {
            clock.advance(by: .seconds(step.wait))
            let exchange = await play(step, number: number + 1)
            let invariants = ModelInvariants(cache: kind, history: model.history)
            played.complaint = invariants.broken(by: exchange) ?? model.observe(exchange)
            played.exchanges.append(exchange)
            if played.complaint != nil { break }
        }
        return played
    }

    private func play(_ step: HistoryPlan.Step, number: Int) async -> ModelExchange {
        let uri = ModelTarget.canonical(
            scheme: step.request.scheme, authority: step.request.authority, path: step.request.path)
        let resource = origin.prepare(step.origin, for: uri)
        let presentedAt = clock.now.unixSeconds
        let request = step.request.request(now: presentedAt, resource, tag: resource.tag(uri))
        let answer = await answer(to: request)
        let answeredAt = clock.now.unixSeconds
        await cache.waitForBackgroundWork()
        return ModelExchange(
            step: number, request: request, presentedAt: presentedAt, contacts: origin.takeContacts(), answer: answer,
            answeredAt: answeredAt)
    }

    /// Reads the answer to its end and releases it.
    private func answer(to request: ModelRequest) async -> ModelAnswer {
        guard let method = HTTPRequest.Method(request.method) else {
            return ModelAnswer(status: 0, fields: [], body: "no method")
        }
        let response = await cache.respond(
            to: EngineRequest(
                head: HTTPRequest(
                    method: method, scheme: request.scheme, authority: request.authority, path: request.path,
                    headerFields: HTTPFields(request.fields)),
                context: ExchangeContext(
                    partition: request.partition, connectivity: request.isDisconnected ? .disconnected : .connected)))
        var answer = ModelAnswer(
            status: response.head.status.code,
            fields: response.head.headerFields.map { ModelField($0.name.canonicalName, $0.value) }, body: "",
            failure: response.failure?.code.name, saysHit: response.cacheStatus.isHit,
            saysForwarded: response.cacheStatus.forward != nil, saysStored: response.cacheStatus.isStored)
        var bytes: [UInt8] = []
        let source = response.body.makeSource()
        do {
            while let piece = try await source.next() { bytes += piece }
        } catch {
            answer.brokeOff = true
        }
        answer.body = String(decoding: bytes, as: UTF8.self)
        return answer
    }
}

extension RequestPlan {
    func request(now: Int64, _ resource: PlayedOrigin.Representation, tag: String) -> ModelRequest {
        func text(_ tags: Tags) -> String? {
            switch tags {
            case .none: nil
            case .current: tag
            case .weakCurrent: "W/" + tag
            case .currentAmongOthers: "\"x,y\", \(tag) , W/\"z\""
            case .other: "\"other\""
            case .any: "*"
            }
        }
        func text(_ moment: Moment) -> String? {
            switch moment {
            case .none: nil
            case .modified: ModelDate.print(resource.lastModified)
            case .ago(let seconds): ModelDate.print(now - seconds)
            case .broken: "yesterday"
            }
        }
        let conditions: [(String, String?)] = [
            ("if-none-match", text(ifNoneMatch)), ("if-modified-since", text(ifModifiedSince)),
            ("if-match", text(ifMatch)), ("if-unmodified-since", text(ifUnmodifiedSince)), ("if-range", text(ifRange)),
        ]
        return ModelRequest(
            partition: partition, method: method, scheme: scheme, authority: authority, path: path,
            fields: fields + conditions.compactMap { name, value in value.map { ModelField(name, $0) } },
            isDisconnected: isDisconnected)
    }
}
