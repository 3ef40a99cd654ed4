import Foundation

/// A class of `URLProtocol` that answers from a cache whose network may be this transport.
package protocol AnswersForSessions: AnyObject {}

extension URLSessionConfiguration {
    /// Takes out the classes through which a session would ask the cache that asks it.
    package func removeAnsweringProtocols() {
        protocolClasses = protocolClasses?.filter { !($0 is any AnswersForSessions.Type) }
    }
}
