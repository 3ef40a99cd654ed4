import CacheTesting
import Foundation

/// A visitor who comes back: makes one long trace of recordings, each of which holds a single visit.
///
/// The revisits are modelled, not recorded. Sites and the pages of a site are chosen with frequencies that fall as a
/// power of their rank (Zipf). Every tenth session finds a deploy, which gives a part of the site's files new names;
/// tastes drift; once in a while a preload brings 2,000 files of which only few are asked for later.
package struct BrowsingModel: Sendable {
    /// How many sites there are; each is made of one of the templates, and its files are its own.
    package var sites = 60
    package var pagesPerSite = 40
    package var sessions = 2_500
    /// The exponents of Zipf's law.
    package var siteExponent = 0.9
    package var pageExponent = 1.0
    /// How likely a deploy is between two sessions on a site, and which part of the names it changes.
    package var deployChance = 0.1
    package var deployShare = 0.3
    /// Sessions between two preloads; how many files one brings; how many of them a later session asks for.
    package var sessionsPerPreload = 400
    package var filesPerPreload = 2_000
    package var preloadedFilesPerSession = 5
    /// Sessions until two sites change places in the visitor's favour.
    package var sessionsPerDrift = 25
    package var seed: UInt64 = 1

    package init() {}

    /// - Returns: An empty trace when there are no templates.
    package func trace(of templates: [SiteTemplate]) -> Trace {
        let usable = templates.filter { !$0.pages.isEmpty }
        guard !usable.isEmpty else { return Trace() }
        var writer = BrowsingWriter(model: self, templates: usable)
        writer.write()
        return writer.trace
    }
}

/// Writes one trace.
private struct BrowsingWriter {
    private let model: BrowsingModel
    private let templates: [SiteTemplate]
    private let pool: [TracedResponse]
    private var random: SplitMix64
    private(set) var trace = Trace()
    private var numbers: [String: Int] = [:]
    /// How often each file of a site was changed, by site and name.
    private var versions: [[String: Int]]
    private var ranking: [Int]
    private var preloaded: [Int] = []
    private var once = 0

    init(model: BrowsingModel, templates: [SiteTemplate]) {
        self.model = model
        self.templates = templates
        pool = templates.flatMap { $0.pages.joined().map(\.response) + $0.optionalFiles.map(\.response) }
        random = SplitMix64(seed: model.seed)
        versions = Array(repeating: [:], count: model.sites)
        ranking = Array(0..<model.sites)
    }

    mutating func write() {
        ranking.shuffle(using: &random)
        let sites = ZipfLaw(count: model.sites, exponent: model.siteExponent)
        let pages = ZipfLaw(count: model.pagesPerSite, exponent: model.pageExponent)
        for session in 1...max(1, model.sessions) {
            if session % model.sessionsPerDrift == 0 {
                ranking.swapAt(sites.rank(using: &random), Int.random(in: 0..<model.sites, using: &random))
            }
            if session % model.sessionsPerPreload == 0 { preload() }
            let site = ranking[sites.rank(using: &random)]
            if Double.random(in: 0..<1, using: &random) < model.deployChance { deploy(site) }
            repeat { visit(site, page: pages.rank(using: &random)) } while Int.random(in: 0..<3, using: &random) > 0
            for _ in 0..<min(model.preloadedFilesPerSession, preloaded.count) {
                let rank = ZipfLaw(count: preloaded.count, exponent: 0.8).rank(using: &random)
                trace.steps.append(.request(preloaded[rank]))
            }
        }
    }

    private mutating func visit(_ site: Int, page: Int) {
        let template = templates[site % templates.count]
        for file in template.pages[page % template.pages.count] { ask(file, site: site, page: page) }
        guard !template.optionalFiles.isEmpty else { return }
        // Which parts of an application a page needs does not change from visit to visit.
        var choice = SplitMix64(seed: UInt64(site * model.pagesPerSite + page) &+ model.seed)
        let law = ZipfLaw(count: template.optionalFiles.count, exponent: 0.7)
        for _ in 0..<8 { ask(template.optionalFiles[law.rank(using: &choice)], site: site, page: page) }
    }

    private mutating func ask(_ file: SiteTemplate.File, site: Int, page: Int) {
        let version = versions[site][file.name] ?? 0
        let name =
            switch file.naming {
            case .site: "\(site) \(version) \(file.name)"
            case .page: "\(site) \(page) \(version) \(file.name)"
            case .shared: "\(site % templates.count) \(file.name)"
            case .once: nextOnce()
            }
        trace.steps.append(.request(number(of: name, file.response)))
    }

    private mutating func nextOnce() -> String {
        once += 1
        return "once \(once)"
    }

    private mutating func number(of name: String, _ response: TracedResponse) -> Int {
        if let known = numbers[name] { return known }
        numbers[name] = trace.responses.count
        trace.responses.append(response)
        return trace.responses.count - 1
    }

    private mutating func deploy(_ site: Int) {
        let template = templates[site % templates.count]
        for file in (template.pages.flatMap { $0 } + template.optionalFiles)
        where Double.random(in: 0..<1, using: &random) < model.deployShare {
            versions[site][file.name, default: 0] += 1
        }
    }

    private mutating func preload() {
        preloaded = (0..<model.filesPerPreload).map { _ in
            trace.responses.append(pool[Int.random(in: 0..<pool.count, using: &random)])
            return trace.responses.count - 1
        }
        trace.steps += preloaded.map { .preload($0) }
    }
}

/// Numbers from zero, each less frequent than the one before.
private struct ZipfLaw {
    private var sums: [Double] = []

    init(count: Int, exponent: Double) {
        var sum = 0.0
        for rank in 1...max(1, count) {
            sum += pow(Double(rank), -exponent)
            sums.append(sum)
        }
    }

    func rank(using random: inout SplitMix64) -> Int {
        let point = Double.random(in: 0..<(sums.last ?? 1), using: &random)
        var low = 0
        var high = sums.count - 1
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] > point { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
