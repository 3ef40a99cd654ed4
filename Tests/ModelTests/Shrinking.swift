/// Finds a smaller history that still fails.
struct Shrinking {
    /// - Parameter complaint: What is wrong with the last exchange; numbers in it may change.
    func shrink(_ plan: HistoryPlan, complaint: String) async -> HistoryPlan {
        var best = plan
        var improved = true
        while improved {
            improved = false
            for candidate in candidates(best) where await fails(candidate, like: complaint) {
                best = candidate
                improved = true
                break
            }
        }
        return best
    }

    private func fails(_ plan: HistoryPlan, like complaint: String) async -> Bool {
        func words(_ text: String) -> String { text.filter { !$0.isNumber } }
        return await HistoryPlay(plan).run().complaint.map(words) == words(complaint)
    }

    /// Smaller histories, the smallest first.
    private func candidates(_ plan: HistoryPlan) -> [HistoryPlan] {
        var all: [HistoryPlan] = []
        for index in plan.steps.indices {
            var smaller = plan
            smaller.steps.remove(at: index)
            all.append(smaller)
        }
        if plan.hasDisconnectedRule {
            var simpler = plan
            simpler.hasDisconnectedRule = false
            for index in simpler.steps.indices { simpler.steps[index].request.isDisconnected = false }
            all.append(simpler)
        }
        for index in plan.steps.indices {
            for step in simpler(plan.steps[index]) {
                var smaller = plan
                smaller.steps[index] = step
                all.append(smaller)
            }
        }
        return all
    }

    private func simpler(_ step: HistoryPlan.Step) -> [HistoryPlan.Step] {
        var all: [HistoryPlan.Step] = []
        func add(_ change: (inout HistoryPlan.Step) -> Void) {
            var simpler = step
            change(&simpler)
            if simpler != step { all.append(simpler) }
        }
        add { $0.wait = 0 }
        for index in step.request.fields.indices { add { $0.request.fields.remove(at: index) } }
        add { $0.request.ifNoneMatch = .none }
        add { $0.request.ifModifiedSince = .none }
        add { $0.request.ifMatch = .none }
        add { $0.request.ifUnmodifiedSince = .none }
        add { $0.request.ifRange = .none }
        add { $0.request.isDisconnected = false }
        add { $0.request.method = "GET" }
        add { $0.request.authority = "a.example" }
        add { $0.request.partition = "" }
        for index in step.origin.fields.indices { add { $0.origin.fields.remove(at: index) } }
        add { $0.origin.manner = .proper }
        add { $0.origin.status = 200 }
        add { $0.origin.changes = false }
        add { $0.origin.delay = 0 }
        add { $0.origin.ignoresConditions = false }
        add { $0.origin.truncates = false }
        add { $0.origin.date = .ago(0) }
        add { $0.origin.expires = [] }
        add { $0.origin.tag = .none }
        add { $0.origin.sendsLastModified = false }
        add { $0.origin.brokenLastModified = nil }
        add { $0.origin.contentType = nil }
        add { $0.origin.misstatesLength = false }
        return all
    }
}
