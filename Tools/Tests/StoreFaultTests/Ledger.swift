import StoreStress

/// What stress processes said they did, and so what may be found.
///
/// A change may be found from the moment it was begun until another one, begun after it had ended, is known to have
/// taken effect. Processes that share a pipe share one order of lines, so this holds across processes too.
struct Ledger {
    private struct Change {
        var version: UInt64
        /// What the slot holds after it; `nil` for nothing.
        var state: StressState?
        var begin: Int
        var end: Int?
        /// Whether it is known to have taken effect.
        var isAcknowledged = false
    }

    private struct Look {
        var key: Int
        /// Whatever could be found at some moment of it, by variant.
        var candidates: [[StressState?]]
    }

    /// A loss of power may take what was acknowledged, back to the last flush that was acknowledged.
    var mayLoseAcknowledged = false
    /// An update or a copy may find that its entry was replaced meanwhile, and then does nothing: with shared keys.
    var hasSharedKeys = false
    private(set) var complaints: [Complaint] = []
    private(set) var acknowledgedBy: [Character: Int] = [:]
    private(set) var failed = 0
    private(set) var looksBy: [Character: Int] = [:]
    /// Injected errors have begun; and what had been acknowledged when they ended.
    private(set) var hadFault = false
    private var acknowledgedBeforeEnd: Int?

    private var position = 0
    private var changes: [StressSlot: [Change]] = [:]
    private var ever: [StressSlot: Set<StressState>] = [:]
    private var begun: [String: (slots: [StressSlot], isCertain: Bool)] = [:]
    private var pendingLooks: [String: Look] = [:]
    private var flushes: [String: Int] = [:]

    /// Takes one line, as ``StressWorker``, ``StressObserver`` and ``StressRun`` write it.
    mutating func take(_ line: String) {
        position += 1
        let words = line.split(separator: " ")
        if words.first == "#" { return noteFault(words) }
        guard words.count >= 2, words[0].count == 1 else { return complain(.stray, line) }
        let process = String(words[0])
        let token = words.count > 2 ? process + words[2] : process
        switch words[1] {
        case "+": begin(token, words)
        case "=": end(token, line)
        case "~": forget(token)
        case "!":
            failed += 1
            complain(.failedChange, line)
            begun[token].map { close(token, $0.slots) }
        case "<": beginLook(token, words)
        case ">": endLook(token, words, isAlone: false, line)
        case "?": endLook(token, words, isAlone: true, line)
        case "x":
            pendingLooks[token] = nil
            complain(.failedLook, line)
        case "f": flushes[token] = position
        case "F": flushes.removeValue(forKey: token).map { flushed(since: $0) }
        case "opened", "ready", "done", "took", "unflushed": break
        default: complain(Complaint.Kind(rawValue: String(words[1])) ?? .stray, line)
        }
    }

    /// The process is gone: what it had begun was done by then, or never will be.
    mutating func died(_ process: String) {
        for (token, change) in begun where token.hasPrefix(process) { close(token, change.slots) }
        for token in pendingLooks.keys where token.hasPrefix(process) { pendingLooks[token] = nil }
    }

    mutating func forgetComplaints() { complaints = [] }

    private mutating func noteFault(_ words: [Substring]) {
        hadFault = true
        acknowledgedBeforeEnd = words.last == "lifted" ? acknowledged : nil
    }

    var acknowledged: Int { acknowledgedBy.values.reduce(0, +) }

    /// Changes that were acknowledged after the injected errors had ended.
    var acknowledgedAfterFault: Int { acknowledgedBeforeEnd.map { acknowledged - $0 } ?? 0 }

    /// How many slots have one content, at most, where all is at rest.
    var mostSharers: Int {
        let contents = changes.values.compactMap { $0.last?.state?.content }
        return Dictionary(grouping: contents) { $0 }.values.map(\.count).max() ?? 0
    }

    private mutating func complain(_ kind: Complaint.Kind, _ text: String) {
        complaints.append(Complaint(kind: kind, text: text))
    }
}

extension Ledger {
    private mutating func begin(_ token: String, _ words: [Substring]) {
        let numbers = words.dropFirst(4).compactMap { UInt64($0) }
        guard words.count > 4, let version = UInt64(words[2]), let first = numbers.first.map({ Int($0) }) else {
            return
        }
        var slots: [StressSlot] = []
        var state: StressState?
        switch words[3] {
        case "r": slots = Self.slots(of: first)
        case "o":
            let keys = first * StressSlot.keysPerWorker..<(first + 1) * StressSlot.keysPerWorker
            slots = keys.flatMap(Self.slots)
        default:
            guard numbers.count == 3 else { return }
            slots = [StressSlot(key: first, variant: Int(numbers[1]))]
            state = StressState(version: version, content: numbers[2])
        }
        begun[token] = (slots, !hasSharedKeys || "cro".contains(words[3]))
        for slot in slots {
            changes[slot, default: [Self.nothing]].append(Change(version: version, state: state, begin: position))
            if let state { ever[slot, default: []].insert(state) }
            for (token, look) in pendingLooks where look.key == slot.key {
                pendingLooks[token]?.candidates[slot.variant].append(state)
            }
        }
    }

    private static let nothing = Change(version: 0, state: nil, begin: 0, end: 0)

    private static func slots(of key: Int) -> [StressSlot] {
        (0..<StressSlot.variants).map { StressSlot(key: key, variant: $0) }
    }

    private static func version(_ token: String) -> UInt64? { UInt64(token.dropFirst()) }

    private mutating func end(_ token: String, _ line: String) {
        guard let (slots, isCertain) = begun[token] else { return complain(.stray, line) }
        token.first.map { acknowledgedBy[$0, default: 0] += 1 }
        close(token, slots)
        guard isCertain else { return }
        for slot in slots {
            guard let index = changes[slot]?.firstIndex(where: { $0.version == Self.version(token) }) else { continue }
            changes[slot]?[index].isAcknowledged = true
        }
        guard !mayLoseAcknowledged else { return }
        for slot in slots { settle(slot) { $0.version == Self.version(token) } }
    }

    /// The change has an end, whether it took effect or not.
    private mutating func close(_ token: String, _ slots: [StressSlot]) {
        begun[token] = nil
        for slot in slots {
            guard let index = changes[slot]?.firstIndex(where: { $0.version == Self.version(token) }) else { continue }
            changes[slot]?[index].end = position
        }
    }

    private mutating func forget(_ token: String) {
        for slot in begun.removeValue(forKey: token)?.slots ?? [] {
            changes[slot]?.removeAll { $0.version == Self.version(token) }
        }
    }

    /// A change is known to have taken effect: those that had ended before it began can't be found any more.
    private mutating func settle(_ slot: StressSlot, by isKnown: (Change) -> Bool) {
        guard let begin = changes[slot]?.last(where: isKnown)?.begin else { return }
        changes[slot]?.removeAll { $0.end.map { $0 < begin } ?? false }
    }

    /// A flush makes durable what was acknowledged; what failed, or whose process died, may still be there or not.
    private mutating func flushed(since begin: Int) {
        for slot in changes.keys { settle(slot) { $0.isAcknowledged && ($0.end ?? .max) < begin } }
    }

    private mutating func beginLook(_ token: String, _ words: [Substring]) {
        guard let key = words.last.flatMap({ Int($0) }) else { return }
        pendingLooks[token] = Look(
            key: key, candidates: Self.slots(of: key).map { (changes[$0] ?? [Self.nothing]).map(\.state) })
    }

    private mutating func endLook(_ token: String, _ words: [Substring], isAlone: Bool, _ line: String) {
        guard let look = pendingLooks.removeValue(forKey: token) else { return complain(.stray, line) }
        token.first.map { looksBy[$0, default: 0] += 1 }
        var found: [Int: StressState] = [:]
        var gone: Set<Int> = []
        for word in words.dropFirst(4) {
            let parts = word.split(separator: ":")
            guard let variant = Int(parts[0]), (0..<StressSlot.variants).contains(variant) else {
                complain(.foreign, line)
                continue
            }
            if found[variant] != nil { complain(.foreign, line + " (twice)") }
            if parts.count == 3, let version = UInt64(parts[1]), let content = UInt64(parts[2]) {
                found[variant] = StressState(version: version, content: content)
            } else {
                gone.insert(variant)
            }
        }
        for slot in Self.slots(of: look.key) {
            let candidates = look.candidates[slot.variant]
            let state = found[slot.variant]
            // Gone between the look-up and the opening: only where somebody was changing it.
            let mayBeGone = gone.contains(slot.variant) && Set(candidates).count > 1 && !isAlone
            if !candidates.contains(state), !mayBeGone { judge(slot, state, candidates, line) }
            if let state { ever[slot, default: []].insert(state) }
            if isAlone {
                changes[slot] = [Change(version: state?.version ?? 0, state: state, begin: position, end: position)]
            } else if let state, !mayLoseAcknowledged {
                settle(slot) { $0.state == state }
            }
        }
    }

    private mutating func judge(
        _ slot: StressSlot, _ state: StressState?, _ candidates: [StressState?], _ line: String
    ) {
        let legal = candidates.map { $0?.description ?? "nothing" }.joined(separator: ", ")
        let text = "key \(slot.key) variant \(slot.variant): \(state?.description ?? "nothing") where only \(legal) "
        guard let state else { return complain(.lost, text + "may be: \(line)") }
        complain(ever[slot]?.contains(state) == true ? .old : .foreign, text + "may be: \(line)")
    }
}
