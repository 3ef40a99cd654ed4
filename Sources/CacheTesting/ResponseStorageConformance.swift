import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// The guarantees of every `ResponseStorage`, as checks that any implementation can run.
///
///     for guarantee in ResponseStorageConformance.Guarantee.allCases {
///         try await ResponseStorageConformance { MyStore() }.check(guarantee)
///     }
package struct ResponseStorageConformance: Sendable {
    /// One guarantee.
    package enum Guarantee: String, Sendable, CaseIterable, CustomStringConvertible {
        /// A response is found only after its commit, and then unchanged.
        case findsWhatWasCommitted
        /// A response replaces the one with the same key and nominated fields, under a new identity.
        case replacesSameVariant
        /// Responses with different nominated fields are separate variants, the last stored or validated first.
        case keepsVariantsApart
        /// The same URI in another partition is another key.
        case keepsPartitionsApart
        case keepsOddNamesApart
        /// The same URI under another site is another key, also for updates and queries.
        case keepsSitesApart
        /// No account's name passes for the site of another one, and no site for an account.
        case keepsOddSitesApart
        /// Invalidation and removal by URI, origin, host and account remove the responses of all sites; a selection of
        /// one key those of its own.
        case removesForAllSites
        /// An update changes fields and times, keeps identity and content, and ignores entries that are gone.
        case updatesAfterValidation
        /// Removal removes all variants of one key, and nothing else, and returns their number.
        case removesAllVariantsOfAKey
        /// Bodies of no byte, one byte and a few megabytes are read back unchanged.
        case keepsBodiesOfAnySize
        /// Equal bodies count once in `usage()`, until their last entry is removed.
        case countsEqualBodiesOnce
        /// A pending body can be read at any offset while it grows, and after its commit.
        case readsWhilePending
        /// A pending body that is released leaves nothing.
        case forgetsAbandonedBodies
        /// Opened content stays intact when its entry is replaced or removed.
        case keepsOpenedContent
        /// Concurrent commits under one key leave one intact entry; under several keys, all of them.
        case commitsConcurrently
        /// A body accepts no bytes after its commit.
        case refusesAppendingAfterCommit
        /// A requested change is made even if its task is cancelled.
        case finishesChangesOfCancelledTasks
        /// The extent of a stored response is read back unchanged.
        case keepsExtents
        /// The whole replaces parts.
        case replacesPartsByTheWhole
        /// A response's need for validation is stored until an update changes it.
        case keepsTheNeedOfValidation
        /// An update of parts keeps their extent and content.
        case updatesKeepExtents
        /// Added parts are read back in the order of their arrival, and the complete content in its own order.
        case addsParts
        /// Two variants can share content, which counts once and stays as long as either of them.
        case makesVariantsOfOneContent
        /// No variant is stored with removed content.
        case makesNoVariantOfWhatIsGone
        /// A moved response is found under its new key alone, with its content; not if that key was invalidated since.
        case movesToAnotherKey
        /// Several moves are made as one change: all of them, or none.
        case movesAllOrNone
        /// Single entries are removed, without effect on other variants or on responses that are on their way.
        case discardsSingleEntries
        /// Each holder's pins are its own, and are listed as long as they last.
        case keepsPinsOfHolders
        /// Responses with `No-Vary-Search` that differ in their query are found together, and no others.
        case findsSearchVariants
        /// Removal removes all responses of one origin in one partition, and nothing else, and returns their number.
        case removesAnOrigin
        /// A response whose key was invalidated after its request is not stored, however many other keys change.
        case refusesWhatWasInvalidated
        /// The newer one of two responses stays, whatever the order of arrival; if it is unknown
        /// which is newer, the stored one needs validation.
        case keepsTheNewer
        /// A key has a limited number of variants, and a path of those with `No-Vary-Search`; the oldest are removed.
        case limitsVariants
        /// Tags and the expiry of a response are read back unchanged.
        case keepsTagsAndExpiry
        /// A selection by URI, host, partition, age, type, tag and expiry, alone and together, includes exactly its
        /// entries.
        case selects
        /// Summaries come in portions without gaps.
        case listsInPortions
        /// Selected entries are gone when their removal returns, which states their number and bytes.
        case removesASelection
        /// A note about a name survives the removal of its response, and is removed with everything.
        case notesContentOfNames

        /// The name of the case.
        package var description: String { rawValue }
    }

    private let make: @Sendable () throws -> any ResponseStorage

    /// - Parameter make: Makes an empty store; called once for each check.
    package init(_ make: @escaping @Sendable () throws -> any ResponseStorage) {
        self.make = make
    }

    /// Checks one guarantee on a store of its own.
    ///
    /// - Throws: ``ConformanceFailure``, or the store's error.
    package func check(_ guarantee: Guarantee) async throws {
        let subject = StorageSubject(store: try make(), guarantee: guarantee.rawValue)
        switch guarantee {
        case .findsWhatWasCommitted: try await subject.findsWhatWasCommitted()
        case .replacesSameVariant: try await subject.replacesSameVariant()
        case .keepsVariantsApart: try await subject.keepsVariantsApart()
        case .keepsPartitionsApart: try await subject.keepsPartitionsApart()
        case .keepsOddNamesApart: try await subject.keepsOddNamesApart()
        case .keepsSitesApart: try await subject.keepsSitesApart()
        case .keepsOddSitesApart: try await subject.keepsOddSitesApart()
        case .removesForAllSites: try await subject.removesForAllSites()
        case .updatesAfterValidation: try await subject.updatesAfterValidation()
        case .removesAllVariantsOfAKey: try await subject.removesAllVariantsOfAKey()
        case .keepsBodiesOfAnySize: try await subject.keepsBodiesOfAnySize()
        case .countsEqualBodiesOnce: try await subject.countsEqualBodiesOnce()
        case .readsWhilePending: try await subject.readsWhilePending()
        case .forgetsAbandonedBodies: try await subject.forgetsAbandonedBodies()
        case .keepsOpenedContent: try await subject.keepsOpenedContent()
        case .commitsConcurrently: try await subject.commitsConcurrently()
        case .refusesAppendingAfterCommit: try await subject.refusesAppendingAfterCommit()
        case .finishesChangesOfCancelledTasks: try await subject.finishesChangesOfCancelledTasks()
        case .keepsExtents: try await subject.keepsExtents()
        case .replacesPartsByTheWhole: try await subject.replacesPartsByTheWhole()
        case .keepsTheNeedOfValidation: try await subject.keepsTheNeedOfValidation()
        case .updatesKeepExtents: try await subject.updatesKeepExtents()
        case .addsParts: try await subject.addsParts()
        case .makesVariantsOfOneContent: try await subject.makesVariantsOfOneContent()
        case .makesNoVariantOfWhatIsGone: try await subject.makesNoVariantOfWhatIsGone()
        case .movesToAnotherKey: try await subject.movesToAnotherKey()
        case .movesAllOrNone: try await subject.movesAllOrNone()
        case .discardsSingleEntries: try await subject.discardsSingleEntries()
        case .keepsPinsOfHolders: try await subject.keepsPinsOfHolders()
        case .findsSearchVariants: try await subject.findsSearchVariants()
        case .removesAnOrigin: try await subject.removesAnOrigin()
        case .refusesWhatWasInvalidated: try await subject.refusesWhatWasInvalidated()
        case .keepsTheNewer: try await subject.keepsTheNewer()
        case .limitsVariants: try await subject.limitsVariants()
        case .keepsTagsAndExpiry: try await subject.keepsTagsAndExpiry()
        case .selects: try await subject.selects()
        case .listsInPortions: try await subject.listsInPortions()
        case .removesASelection: try await subject.removesASelection()
        case .notesContentOfNames: try await subject.notesContentOfNames()
        }
    }
}
