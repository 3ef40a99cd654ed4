/// A series of visits of one page, with and without Larder.
package struct VisitReport: Hashable, Sendable, Codable {
    /// The page's description, for the heading.
    package var title: String
    /// The page's address.
    package var url: String
    /// The conditions of the run, one sentence each: engine and version, delay and bandwidth, machine.
    package var conditions: [String]
    /// The checks of the whole series, those that held and those that did not.
    package var checks: [Check]
    /// In the order in which they happened, each visit with Larder beside its control.
    package var visits: [VisitRecord]

    package init(title: String, url: String, conditions: [String], checks: [Check], visits: [VisitRecord]) {
        self.title = title
        self.url = url
        self.conditions = conditions
        self.checks = checks
        self.visits = visits
    }

    /// One statement that the run proved or refuted.
    package struct Check: Hashable, Sendable, Codable {
        package var statement: String
        package var holds: Bool
        /// The figures behind it.
        package var evidence: String

        package init(statement: String, holds: Bool, evidence: String) {
            self.statement = statement
            self.holds = holds
            self.evidence = evidence
        }
    }
}

extension VisitReport {
    /// The files that no visit with Larder could store, each once, and why.
    var notStored: [(url: String, why: String)] {
        var known: Set<String> = []
        return visits.filter(\.usesLarder).flatMap(\.rows).compactMap { row in
            guard let why = row.notStored, row.method == "GET", known.insert(row.url).inserted else { return nil }
            return (row.url, why)
        }
    }

    /// Several runs of the same visits as one: their median times, and all else from the first, but for checks that
    /// failed in any of them.
    ///
    /// - Parameter runs: At least one; with the same visits in the same order.
    package init?(medianOf runs: [VisitReport]) {
        guard let first = runs.first else { return nil }
        self = first
        guard runs.count > 1 else { return }
        for index in visits.indices {
            let same = runs.compactMap { $0.visits.indices.contains(index) ? $0.visits[index] : nil }
            (visits[index].firstContentfulPaint, visits[index].paintSpread) = Self.median(
                same.compactMap(\.firstContentfulPaint))
            (visits[index].loadEvent, visits[index].loadSpread) = Self.median(same.compactMap(\.loadEvent))
        }
        for index in checks.indices {
            let failed = runs.compactMap { $0.checks.indices.contains(index) ? $0.checks[index] : nil }
            checks[index] = failed.first { !$0.holds } ?? checks[index]
        }
    }

    /// The same visits in several modes as one: those of one name stand together, the first mode's first.
    ///
    /// - Parameter modes: At least one; that alone is as it was.
    package init(sideBySide modes: [(mode: String, report: VisitReport)]) {
        let first = modes.first?.report
        self.init(
            title: first?.title ?? "", url: first?.url ?? "", conditions: first?.conditions ?? [],
            checks: first?.checks ?? [], visits: first?.visits ?? [])
        guard modes.count > 1 else { return }
        var names: [String] = []
        for name in modes.flatMap({ $0.report.visits.map(\.name) }) where !names.contains(name) { names.append(name) }
        visits = names.flatMap { name in
            modes.flatMap { mode, report in
                report.visits.filter { $0.name == name }.map { visit in
                    var visit = visit
                    visit.name = "\(name), \(mode)"
                    return visit
                }
            }
        }
        conditions += modes.dropFirst().flatMap { mode, report in
            report.conditions.filter { !(first?.conditions.contains($0) ?? false) }.map { "\(mode): \($0)" }
        }
        checks = modes.flatMap { mode, report in
            report.checks.map { .init(statement: "\(mode): \($0.statement)", holds: $0.holds, evidence: $0.evidence) }
        }
    }

    private static func median(_ values: [Double]) -> (Double?, Double?) {
        let sorted = values.sorted()
        guard let least = sorted.first, let most = sorted.last else { return (nil, nil) }
        return (sorted[sorted.count / 2], (most - least) / 2)
    }

    /// The greatest of the spreads, as a part of its median; 0 for one run.
    package var unsteadiness: Double {
        visits.flatMap { [($0.firstContentfulPaint, $0.paintSpread), ($0.loadEvent, $0.loadSpread)] }
            .compactMap { value, spread in value.flatMap { $0 > 0 ? spread.map { $0 } : nil }.map { $0 / (value ?? 1) }
            }
            .max() ?? 0
    }
}
