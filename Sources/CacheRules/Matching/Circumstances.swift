/// The traits of an exchange other than names: those of its network, whether its response is for a page, and whether
/// there is a response.
struct Circumstances: OptionSet, Sendable {
    let rawValue: UInt8

    static let connected = Circumstances(rawValue: 1 << 0)
    static let disconnected = Circumstances(rawValue: 1 << 1)
    static let expensive = Circumstances(rawValue: 1 << 2)
    static let constrained = Circumstances(rawValue: 1 << 3)
    static let lowPower = Circumstances(rawValue: 1 << 4)
    static let page = Circumstances(rawValue: 1 << 5)
    static let noPage = Circumstances(rawValue: 1 << 6)
    static let response = Circumstances(rawValue: 1 << 7)
    static let all = Circumstances(rawValue: .max)
}

extension Circumstances {
    init(_ connectivity: Connectivity, _ destination: Destination, hasResponse: Bool) {
        self = Circumstances(destination)
        formUnion(connectivity.hasNetwork ? .connected : .disconnected)
        if connectivity.has(.expensive) { formUnion(.expensive) }
        if connectivity.has(.constrained) { formUnion(.constrained) }
        if connectivity.has(.lowPower) { formUnion(.lowPower) }
        if hasResponse { formUnion(.response) }
    }

    init(_ trait: Connectivity.Trait) {
        switch trait {
        case .connected: self = .connected
        case .disconnected: self = .disconnected
        case .expensive: self = .expensive
        case .constrained: self = .constrained
        case .lowPower: self = .lowPower
        }
    }

    init(_ destination: Destination) {
        self = destination.isPage ? .page : .noPage
    }
}
