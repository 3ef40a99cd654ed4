import CacheEngine
import CacheTesting
import HTTPTypes
import Testing

@testable import URLSessionTransport

/// Whatever order a session, a reader and a clock call in.
@Suite("A task of a session in random orders of calls")
struct TaskMachineOrderTests {
    /// What a session may see of the machine, and what it must never see.
    private struct Watch {
        var isResumed = false
        var isOver = false
        var cancels = 0
        var answers = 0
        var stops = 0
        var closes = 0
        var faults: [String] = []

        mutating func note(_ actions: [TaskMachine.Action]) {
            for action in actions {
                switch action {
                case .resume, .suspend, .cancel:
                    if isOver { faults.append("\(action) after the end") }
                    if cancels > 0 { faults.append("\(action) after cancel") }
                    if action == .resume, isResumed { faults.append("resumed twice") }
                    if action == .suspend, !isResumed { faults.append("suspended twice, or before it began") }
                    if action == .cancel { cancels += 1 } else { isResumed = action == .resume }
                case .answer: answers += 1
                case .wakeReader: break
                case .stopUpload: stops += 1
                case .closeUpload:
                    closes += 1
                    if !isOver { faults.append("the stream was closed before the task was over") }
                }
            }
        }
    }

    private static func head(_ length: Int64?) -> TaskHead? {
        TaskHead(
            status: 200, fields: length.map { [("Content-Length", "\($0)")] } ?? [], to: .get)
    }

    /// - Parameter isLawful: Whether the session keeps to its contract; else anything is called at any time.
    /// - Returns: What was wrong.
    private static func play(_ random: inout SplitMix64, isLawful: Bool) -> [String] {
        let hasUpload = Bool.random(using: &random)
        var machine = TaskMachine(host: "shop.test", hasUpload: hasUpload)
        var watch = Watch()
        var (sent, read) = ([UInt8](), [UInt8]())
        var (hasStarted, hasHead, hasEnd, hasFailed, givesUp, gaveStream) = (false, false, false, false, false, false)
        var next = UInt8(0)
        for _ in 0..<Int.random(in: 1...30, using: &random) {
            let choice = Int.random(in: 0..<14, using: &random)
            let mayTell = !isLawful || hasStarted && !watch.isOver && watch.cancels == 0
            switch choice {
            case 0, 1:
                if hasStarted, isLawful { continue }
                hasStarted = true
                watch.note(machine.start())
            case 2 where mayTell && (!isLawful || !hasHead):
                guard let head = head(nil) else { return ["no head"] }
                let (isWanted, actions) = machine.received(head)
                hasHead = hasHead || isWanted
                watch.note(actions)
            case 3, 4, 5, 6:
                guard mayTell, !isLawful || hasHead && watch.isResumed else { continue }
                next &+= 1
                // Mostly small, so that many orders are played in little time.
                let most = Int.random(in: 0..<8, using: &random) == 0 ? 200_000 : 20
                let piece = [UInt8](repeating: next, count: Int.random(in: 0...most, using: &random))
                if hasHead, !watch.isOver, watch.cancels == 0 { sent += piece }
                watch.note(machine.received(piece))
                if isLawful, machine.waitingBytes >= TaskMachine.highWater + 200_000 {
                    watch.faults.append("\(machine.waitingBytes) bytes wait")
                }
            case 7 where mayTell:
                if watch.isOver {
                    watch.note(machine.completed(nil))
                    continue
                }
                hasEnd = Bool.random(using: &random)
                hasFailed = !hasEnd
                let error = TransportError(code: .closedEarly, message: "")
                watch.isOver = true
                watch.note(machine.completed(hasEnd ? nil : error))
            case 8:
                let (piece, actions) = machine.take()
                if case .bytes(let bytes) = piece { read += bytes }
                watch.note(actions)
            case 9 where Int.random(in: 0..<6, using: &random) == 0:
                givesUp = true
                watch.note(machine.cancelled())
            case 10 where Int.random(in: 0..<6, using: &random) == 0:
                watch.note(machine.timeIsUp(TransportError(code: .timedOut, message: "")))
            case 11 where mayTell:
                let (isGiven, actions) = machine.streamRequested()
                if isGiven, gaveStream { watch.faults.append("the content was given twice") }
                gaveStream = gaveStream || isGiven
                watch.note(actions)
            case 12 where Int.random(in: 0..<6, using: &random) == 0:
                watch.note(machine.uploadFailed(TransportError(code: .malformedRequest, message: "")))
            case 13 where mayTell:
                watch.note(machine.receivedInterim(.init(code: 103)).actions)
            default: continue
            }
        }
        // Whatever has happened, the session ends the task at last, and the reader reads on.
        if !watch.isOver {
            hasFailed = true
            watch.isOver = true
            watch.note(machine.completed(TransportError(code: .closedEarly, message: "")))
        }
        if watch.answers != 1 { watch.faults.append("\(watch.answers) answers") }
        if watch.stops != (hasUpload ? 1 : 0) { watch.faults.append("\(watch.stops) stops of the upload") }
        if watch.closes != (gaveStream ? 1 : 0) { watch.faults.append("\(watch.closes) closed streams") }
        reading: while true {
            switch machine.take().piece {
            case .bytes(let bytes): read += bytes
            case .end:
                if hasFailed || !hasEnd { watch.faults.append("a failed response ended well") }
                if read != sent { watch.faults.append("\(read.count) bytes read of \(sent.count)") }
                break reading
            case .failure:
                if hasEnd, !givesUp, watch.cancels == 0, hasHead { watch.faults.append("a whole response failed") }
                break reading
            case .wait:
                watch.faults.append("a reader waits for ever")
                break reading
            }
        }
        if !sent.starts(with: read) { watch.faults.append("what was read is not what was sent") }
        return watch.faults
    }

    @Test(
        "100,000 orders: one answer, one end, nothing told after the end, suspend and resume in turn, every byte once",
        arguments: [true, false])
    func orders(isLawful: Bool) {
        for seed in 0..<50_000 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            let faults = Self.play(&random, isLawful: isLawful)
            guard faults.isEmpty else {
                Issue.record("seed \(seed): \(faults)")
                return
            }
        }
    }
}
