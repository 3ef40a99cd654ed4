import AppleFoundation

/// Foundation on Linux asks no object whether it has a method; the one of ForwardingObject+ObjectiveC.swift does.
class ForwardingObject: NSObject {
    nonisolated(unsafe) weak var receiver: (any NSObjectProtocol)?
    nonisolated(unsafe) weak var former: (any NSObjectProtocol)?
}
