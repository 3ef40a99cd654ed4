import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// What every `ResponseStorage` promises, as checks that any implementation can run.
///
///     for guarantee in ResponseStorageConformance.Guarantee.allCases {
///         try await ResponseStorageConformance { MyStore() }.check(guarantee)
///     }
public struct ResponseStorageConformance: Sendable {
    /// One promise.
    public enum Guarantee: String, Sendable, CaseIterable, CustomStringConvertible {
        /// Nothing is found before it was committed, and afterwards everything is as it was given.
        case findsWhatWasCommitted
        /// A response replaces the one with the same key and nominated fields, under a new identity.
        case replacesSameVariant
        /// Responses with other nominated fields stand beside each other, the last stored or validated first.
        case keepsVariantsApart
        /// The same URI in another partition is another key.
        case keepsPartitionsApart
        case keepsOddNamesApart
        /// An update changes fields and times, keeps identity and content, and ignores entries that are gone.
        case updatesAfterValidation
        /// Removal takes all variants of one key, and nothing else, and says how many.
        case removesAllVariantsOfAKey
        /// Bodies of no byte, one byte and a few megabytes come back as they were.
        case keepsBodiesOfAnySize
        /// Equal bodies count once in `usage()`, until the last entry with them is gone.
        case countsEqualBodiesOnce
        /// A pending body can be read at any offset while it grows, and after it was committed.
        case readsWhilePending
        /// A pending body that is let go leaves nothing.
        case forgetsAbandonedBodies
        /// Content that was opened stays whole when its entry is replaced or removed.
        case keepsOpenedContent
        /// Commits at once under one key leave one whole entry; under several keys, all of them.
        case commitsConcurrently
        /// Nothing can be added to a body after it was committed.
        case refusesAppendingAfterCommit
        /// A change that was asked for is made although its task is cancelled.
        case finishesChangesOfCancelledTasks
        /// Which part of a representation is stored comes back as it was given.
        case keepsExtents
        /// The whole takes the place of parts.
        case replacesPartsByTheWhole
        /// That a response needs validation is kept, until an update says otherwise.
        case keepsTheNeedOfValidation
        /// An update of parts leaves them the parts they are.
        case updatesKeepExtents
        /// Parts that are added come back as they arrived, in whatever order that was, and the whole in its own.
        case addsParts
        /// A variant can have the content of another one, which then counts once and stays as long as either.
        case makesVariantsOfOneContent
        /// No variant is made of content that is gone.
        case makesNoVariantOfWhatIsGone
        /// Those that differ in their query and have `No-Vary-Search` are found together, and nothing else is.
        case findsSearchVariants
        /// Removal takes all responses of one origin in one partition, and nothing else, and says how many.
        case removesAnOrigin
        /// What was asked for before its key was invalidated is not stored afterwards, however many other keys change.
        case refusesWhatWasInvalidated
        /// Of two responses the newer one stays, in whichever order they come; where nobody can tell which that is, what is
        /// stored needs validation.
        case keepsTheNewer
        /// A key keeps a limited number of variants, and a path of those with `No-Vary-Search`; the oldest go.
        case limitsVariants
        /// Tags and the end of a response's use come back as they were given.
        case keepsTagsAndExpiry
        /// A selection names by URI, host, partition, age, type, tag and expiry, alone and together, and nothing else.
        case selects
        /// Summaries come in portions that leave nothing out.
        case listsInPortions
        /// What a selection names is gone when its removal has returned, and its entries and bytes are told.
        case removesASelection
        /// What was first seen under a name stays noted when its response goes, and is let go with everything.
        case notesContentOfNames

        /// The name of the case.
        public var description: String { rawValue }
    }

    private let make: @Sendable () throws -> any ResponseStorage

    /// - Parameter make: Makes an empty store; called once for each check.
    public init(_ make: @escaping @Sendable () throws -> any ResponseStorage) {
        self.make = make
    }

    /// Checks one guarantee on a store of its own.
    ///
    /// - Throws: ``ConformanceFailure``, or what the store threw.
    public func check(_ guarantee: Guarantee) async throws {
        let subject = StorageSubject(store: try make(), guarantee: guarantee.rawValue)
        switch guarantee {
        case .findsWhatWasCommitted: try await subject.findsWhatWasCommitted()
        case .replacesSameVariant: try await subject.replacesSameVariant()
        case .keepsVariantsApart: try await subject.keepsVariantsApart()
        case .keepsPartitionsApart: try await subject.keepsPartitionsApart()
        case .keepsOddNamesApart: try await subject.keepsOddNamesApart()
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
