import CacheRules
import HTTPCacheSemantics

/// What a ``PreloadQueue`` depends on.
package struct PreloadConfiguration: Sendable {
    /// What is known about the network, asked before each fetch. Constrained: nothing is fetched. Expensive, or low power:
    /// ``PreloadGroup/boot`` only.
    package var connectivity: @Sendable () -> Connectivity
    /// The account, see `ExchangeContext.partition`; the default one unless set. When it signs out, remove its sets first:
    /// what is still listed would be fetched again.
    package var partition: String
    /// How many are fetched at once in all; 8 unless set.
    package var atOnce = 8
    /// How many are fetched at once from one host; 6 unless set, as many as browsers do.
    package var atOncePerHost = 6
    /// The most that is fetched of what has no stated size; 64 MiB unless set.
    package var largestContent = ByteCount.mebibytes(64)
    /// How often something is tried that breaks off or is put off, before it is refused; 5 unless set.
    package var attempts = 5
    /// The longest wait for the head of an answer; a server that is silent longer is left alone for a minute. `nil`, the
    /// default, for the transport's own limit.
    package var answerTimeout: Duration?
    /// What requests look like until one of a page was seen.
    package var viewFields: ViewFields
    package var budget: PreloadBudget

    package init(
        connectivity: @escaping @Sendable () -> Connectivity = { .connected }, partition: String = "",
        viewFields: ViewFields = ViewFields(), budget: PreloadBudget = PreloadBudget()
    ) {
        self.connectivity = connectivity
        self.partition = partition
        self.viewFields = viewFields
        self.budget = budget
    }
}
