import CacheTesting
import HTTPCacheSemantics
import Locking
import ResponseStore

/// One life of `store-stress`: opens the store, says what is there, works, and ends.
package struct StressRun: Sendable {
    private let options: StressOptions
    private let voice: StressVoice

    package init(_ options: StressOptions) {
        self.options = options
        voice = StressVoice(name: options.name)
    }

    /// - Returns: Whether the store could be opened.
    package func run() async -> Bool {
        let subject: StoreUnderStress
        do {
            subject = try StoreUnderStress(options)
        } catch {
            voice.say("unopened \(StressVoice.code(error)) \("\(error)".replacing("\n", with: " "))")
            return false
        }
        voice.say("opened")
        let observer = StressObserver(storage: subject.storage, voice: voice, limit: options.limit)
        if !options.skipsObservation { await observe(subject, observer) }
        voice.say("ready")
        await work(subject, observer)
        if options.clearsAtEnd { await clear(subject) }
        voice.say("done")
        return true
    }

    /// Everything that is there, whether the store's own account of it is right, and whether a change can be made.
    private func observe(_ subject: StoreUnderStress, _ observer: StressObserver) async {
        do {
            // Where the process before this one died between the two halves of its probe.
            try await subject.storage.removeEntries(origin: Self.probeOrigin, partition: "")
            try await subject.cleanUp()
        } catch {
            voice.say("unclean \(StressVoice.code(error))")
        }
        var entries = 0
        var contents: Set<UInt64> = []
        for key in 0..<options.allWorkers * StressSlot.keysPerWorker {
            let found = await observer.look(key, mark: "?")
            entries += found.count
            contents.formUnion(found.map(\.content))
        }
        let bytes = contents.reduce(Int64(0)) { $0 + Int64(StressContent($1, limit: options.limit).length) }
        // Contents without bytes are one and the same body.
        let bodies = Set(contents.map { StressContent($0, limit: options.limit).length == 0 ? .max : $0 }).count
        do {
            let usage = try await subject.storage.usage()
            let expected = StoreUsage(entries: entries, bodies: bodies, bodyBytes: ByteCount(bytes))
            if !usage.hasSameContent(as: expected) { voice.say("MISCOUNT \(usage), found \(expected)") }
            for complaint in try await subject.verify() { voice.say("UNSOUND \(complaint)") }
        } catch {
            voice.say("x 0 usage: \(StressVoice.code(error))")
        }
        let disk = StoreUnderStress.bytesBesideIndex(in: options.directory)
        if disk > bytes + StoreUnderStress.slack { voice.say("LEFTOVER \(disk) bytes of files for \(bytes) of bodies") }
        await probe(subject.storage)
    }

    private static let probeOrigin = "https://probe.stress.test"

    /// A change that is made and found, under a key of its own.
    private func probe(_ storage: any ResponseStorage) async {
        let slot = StressSlot(key: -1, variant: 0)
        let key = CacheKey(uri: "\(Self.probeOrigin)/\(options.name)")
        func response(_ version: UInt64) -> StoredResponse {
            StressState(version: version, content: version).response(in: slot)
        }
        do {
            for (version, length) in [(UInt64(1), 30_000), (2, 1)] {
                let pending = try storage.makePendingBody()
                try pending.append([UInt8](repeating: 7, count: length))
                _ = try await storage.commit(pending, key: key, response: response(version))
                let found = try await storage.entries(for: key)
                if found.map(\.response) != [response(version)] {
                    voice.say("BAD the probe of version \(version) was found as \(found.map(\.response))")
                }
            }
            _ = try await storage.removeEntries(for: key)
            if try await !storage.entries(for: key).isEmpty { voice.say("BAD the probe was not removed") }
        } catch {
            voice.say("UNWRITABLE \(StressVoice.code(error)) \("\(error)".replacing("\n", with: " "))")
        }
    }

    private func work(_ subject: StoreUnderStress, _ observer: StressObserver) async {
        let times = LockedBox<[Duration]>([])
        await withTaskGroup(of: Void.self) { group in
            for number in options.firstWorker..<options.firstWorker + options.workers {
                let worker = StressWorker(
                    options: options, number: number, storage: subject.storage, voice: voice, observer: observer)
                group.addTask { await worker.run() }
            }
            group.addTask {
                var random = SplitMix64(seed: options.seed)
                let keys = UInt64(options.allWorkers * StressSlot.keysPerWorker)
                for count in 0..<options.reads {
                    if count % 40 == 39 { await flush(subject) }
                    let key = Int(random.next() % keys)
                    let duration = await ContinuousClock().measure { _ = await observer.look(key) }
                    times.withLock { $0.append(duration) }
                }
            }
        }
        let sorted = times.withLock { $0.sorted() }
        guard !sorted.isEmpty else { return }
        voice.say("took \(sorted[sorted.count / 2]) \(sorted[sorted.count * 99 / 100]) \(sorted[sorted.count - 1])")
        await flush(subject)
    }

    private func flush(_ subject: StoreUnderStress) async {
        let number = voice.nextNumber()
        voice.say("f \(number)")
        do {
            if try await subject.flush() { voice.say("F \(number)") }
        } catch {
            voice.say("unflushed \(number) \(StressVoice.code(error))")
        }
    }

    private func clear(_ subject: StoreUnderStress) async {
        do {
            for worker in 0..<options.allWorkers {
                try await subject.storage.removeEntries(origin: StressSlot.origin(worker), partition: "")
            }
            try await subject.cleanUp()
        } catch {
            voice.say("UNWRITABLE \(StressVoice.code(error))")
        }
        let disk = StoreUnderStress.bytesBesideIndex(in: options.directory)
        if disk > StoreUnderStress.slack { voice.say("LEFTOVER \(disk) bytes of files in an empty store") }
    }
}
