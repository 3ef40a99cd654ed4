import ResponseStore

/// The guarantees of every `ResponseStorage`, as checks that any implementation can run.
///
///     for guarantee in ResponseStorageConformance.Guarantee.allCases {
///         try await ResponseStorageConformance { MyStore() }.check(guarantee)
///     }
package struct ResponseStorageConformance: Sendable {
    package struct Guarantee: Sendable, CustomStringConvertible {
        /// The name of its check.
        package let description: String
        let check: @Sendable (StorageSubject) async throws -> Void

        private init(_ name: String, check: @escaping @Sendable (StorageSubject) async throws -> Void) {
            (description, self.check) = (name, check)
        }

        package static let allCases: [Guarantee] = [
            // A response is found only after its commit, and then unchanged.
            Guarantee("findsWhatWasCommitted") { try await $0.findsWhatWasCommitted() },
            // A response replaces the one with the same key and nominated fields, under a new identity.
            Guarantee("replacesSameVariant") { try await $0.replacesSameVariant() },
            // Responses with different nominated fields are separate variants, the last stored or validated first.
            Guarantee("keepsVariantsApart") { try await $0.keepsVariantsApart() },
            Guarantee("keepsPartitionsApart") { try await $0.keepsPartitionsApart() },
            Guarantee("keepsOddNamesApart") { try await $0.keepsOddNamesApart() },
            // The same URI under another site is another key, also for updates and queries.
            Guarantee("keepsSitesApart") { try await $0.keepsSitesApart() },
            // No account's name passes for the site of another one, and no site for an account.
            Guarantee("keepsOddSitesApart") { try await $0.keepsOddSitesApart() },
            // Invalidation and removal by URI, origin, host and account remove the responses of all sites; a selection
            // of one key those of its own.
            Guarantee("removesForAllSites") { try await $0.removesForAllSites() },
            // An update changes fields and times, keeps identity and content, and ignores entries that are gone.
            Guarantee("updatesAfterValidation") { try await $0.updatesAfterValidation() },
            // Removal removes all variants of one key, and nothing else, and returns their number.
            Guarantee("removesAllVariantsOfAKey") { try await $0.removesAllVariantsOfAKey() },
            // Bodies of no byte, one byte and a few megabytes are read back unchanged.
            Guarantee("keepsBodiesOfAnySize") { try await $0.keepsBodiesOfAnySize() },
            // Equal bodies count once in `usage()`, until their last entry is removed.
            Guarantee("countsEqualBodiesOnce") { try await $0.countsEqualBodiesOnce() },
            // A pending body can be read at any offset while it grows, and after its commit.
            Guarantee("readsWhilePending") { try await $0.readsWhilePending() },
            Guarantee("forgetsAbandonedBodies") { try await $0.forgetsAbandonedBodies() },
            Guarantee("keepsOpenedContent") { try await $0.keepsOpenedContent() },
            // Concurrent commits under one key leave one intact entry; under several keys, all of them.
            Guarantee("commitsConcurrently") { try await $0.commitsConcurrently() },
            Guarantee("refusesAppendingAfterCommit") { try await $0.refusesAppendingAfterCommit() },
            Guarantee("finishesChangesOfCancelledTasks") { try await $0.finishesChangesOfCancelledTasks() },
            Guarantee("keepsExtents") { try await $0.keepsExtents() },
            Guarantee("replacesPartsByTheWhole") { try await $0.replacesPartsByTheWhole() },
            // A response's need for validation is stored until an update changes it.
            Guarantee("keepsTheNeedOfValidation") { try await $0.keepsTheNeedOfValidation() },
            Guarantee("updatesKeepExtents") { try await $0.updatesKeepExtents() },
            // Added parts are read back in the order of their arrival, and the complete content in its own order.
            Guarantee("addsParts") { try await $0.addsParts() },
            // Two variants can share content, which counts once and stays as long as either of them.
            Guarantee("makesVariantsOfOneContent") { try await $0.makesVariantsOfOneContent() },
            Guarantee("makesNoVariantOfWhatIsGone") { try await $0.makesNoVariantOfWhatIsGone() },
            // A moved response is found under its new key alone, with its content; not if that key was invalidated
            // since.
            Guarantee("movesToAnotherKey") { try await $0.movesToAnotherKey() },
            Guarantee("movesAllOrNone") { try await $0.movesAllOrNone() },
            // Single entries are removed, without effect on other variants or on responses that are on their way.
            Guarantee("discardsSingleEntries") { try await $0.discardsSingleEntries() },
            // Each holder's pins are its own, and are listed as long as they last.
            Guarantee("keepsPinsOfHolders") { try await $0.keepsPinsOfHolders() },
            // Responses with `No-Vary-Search` that differ in their query are found together, and no others.
            Guarantee("findsSearchVariants") { try await $0.findsSearchVariants() },
            // Removal removes all responses of one origin in one partition, and nothing else, and returns their number.
            Guarantee("removesAnOrigin") { try await $0.removesAnOrigin() },
            // A response whose key was invalidated after its request is not stored, however many other keys change.
            Guarantee("refusesWhatWasInvalidated") { try await $0.refusesWhatWasInvalidated() },
            // The newer one of two responses stays, whatever the order of arrival; if it is unknown which is newer,
            // the stored one needs validation.
            Guarantee("keepsTheNewer") { try await $0.keepsTheNewer() },
            // A key has a limited number of variants, and a path of those with `No-Vary-Search`; the oldest are
            // removed.
            Guarantee("limitsVariants") { try await $0.limitsVariants() },
            Guarantee("keepsTagsAndExpiry") { try await $0.keepsTagsAndExpiry() },
            // A selection by URI, host, partition, age, type, tag and expiry, alone and together, includes exactly its
            // entries.
            Guarantee("selects") { try await $0.selects() },
            Guarantee("listsInPortions") { try await $0.listsInPortions() },
            // Selected entries are gone when their removal returns, which states their number and bytes.
            Guarantee("removesASelection") { try await $0.removesASelection() },
            // A note about a name survives the removal of its response, and is removed with everything.
            Guarantee("notesContentOfNames") { try await $0.notesContentOfNames() },
        ]
    }

    private let make: @Sendable () throws -> any ResponseStorage

    /// - Parameter make: Makes an empty store; called once for each check.
    package init(_ make: @escaping @Sendable () throws -> any ResponseStorage) {
        self.make = make
    }

    /// Checks one guarantee on a store of its own.
    package func check(_ guarantee: Guarantee) async throws {
        try await guarantee.check(StorageSubject(store: try make(), guarantee: guarantee.description))
    }
}
