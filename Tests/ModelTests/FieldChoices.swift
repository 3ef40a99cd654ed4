import CacheTesting

/// Chooses fields in all the spellings that senders use.
struct FieldChoices {
    var random: SplitMix64

    private static let seconds = ["0", "1", "5", "10", "60", "60", "600", "600", "3600", "1000000"]

    // MARK: Requests

    mutating func requestFields() -> [ModelField] {
        var fields: [ModelField] = []
        if random.chance(22) { fields += cacheControl(requestDirectives()) }
        if random.chance(3) { fields.append(ModelField("Pragma", random.pick(["no-cache", "other"]))) }
        if random.chance(30) {
            let languages = ["en", "de", "en, de", "en,de", "de, en", "EN", "en;q=0.5"]
            fields.append(ModelField("Accept-Language", random.pick(languages)))
        }
        if random.chance(20) { fields.append(ModelField("X-Foo", random.pick(["1", "1", "2", ""]))) }
        if random.chance(3) { fields.append(ModelField("X-Foo", "3")) }
        if random.chance(8) { fields.append(ModelField("Authorization", "Basic eDp5")) }
        if random.chance(6) {
            let codings = ["gzip", "br", "identity", "gzip;q=0", "*", "gzip, br;q=0.5", "*;q=0"]
            fields.append(ModelField("Accept-Encoding", random.pick(codings)))
        }
        if random.chance(15) {
            let ranges = [
                "bytes=0-4", "bytes=5-", "bytes=-3", "bytes=1000-", "bytes=0-1,4-5", "lines=1-2", "bytes=5-2",
                "bytes=0-",
                "bytes=0-999",
            ]
            fields.append(ModelField("Range", random.pick(ranges)))
        }
        return fields
    }

    private mutating func requestDirectives() -> [String] {
        var all: [String] = []
        repeat {
            switch random.below(14) {
            case 0, 1: all.append("no-cache")
            case 2: all.append("no-store")
            case 3, 4, 5: all.append("max-age=" + argument())
            case 6: all.append("max-stale")
            case 7, 8: all.append("max-stale=" + argument())
            case 9: all.append("min-fresh=" + argument())
            case 10, 11: all.append("only-if-cached")
            case 12: all.append(random.pick(["no-transform", "unknown", "other=\"a, no-cache\""]))
            default: all.append("stale-if-error=" + argument())
            }
        } while all.isEmpty || random.chance(25)
        return all
    }

    // MARK: Responses

    mutating func responseFields() -> [ModelField] {
        var fields: [ModelField] = []
        if random.chance(80) { fields += cacheControl(responseDirectives()) }
        if random.chance(20) {
            let values = [
                "max-age=600", "max-age=5", "no-store", "none", "", "max-age=60, must-revalidate", "private",
                "max-age=60;x=1", "max-age=1, max-age=600", "max-age=600,", "Max-Age=600", "public",
                "no-cache, max-age=60",
                "max-age=600, no-store=", "s-maxage=60",
            ]
            fields.append(ModelField("CDN-Cache-Control", random.pick(values)))
        }
        if random.chance(12) {
            fields.append(ModelField("Age", random.pick(["0", "5", "100", "100, 2", "-1", "old", "", "99999999999"])))
        }
        if random.chance(30) {
            let nominations = [
                "Accept-Language", "accept-language", "X-Foo", "X-Foo, Accept-Language", "*", "Accept-Encoding",
                "X-Foo, *",
                "",
            ]
            fields.append(ModelField("Vary", random.pick(nominations)))
        }
        if random.chance(4) { fields.append(ModelField("Vary", "X-Foo")) }
        if random.chance(12) { fields.append(ModelField("Location", place())) }
        if random.chance(12) { fields.append(ModelField("Content-Location", place())) }
        if random.chance(6) {
            fields.append(ModelField("Content-Encoding", random.pick(["gzip", "gzip", "identity"])))
        }
        if random.chance(20) { fields.append(ModelField("Set-Cookie", "a=1")) }
        if random.chance(20) { fields.append(ModelField("X-Foo", random.pick(["1", "2"]))) }
        if random.chance(3) { fields.append(ModelField("Connection", "close, X-Foo")) }
        return fields
    }

    private mutating func place() -> String {
        random.pick(["/one", "/two", "http://a.example/one", "http://b.example/two", "http://A.example:80/two"])
    }

    private mutating func responseDirectives() -> [String] {
        var all: [String] = []
        repeat {
            switch random.below(30) {
            case 0...9: all.append("max-age=" + argument())
            case 10, 11, 12: all.append("s-maxage=" + argument())
            case 13, 14: all.append("no-store")
            case 15, 16: all.append("no-cache")
            case 17:
                all.append(
                    random.pick(["no-cache=\"set-cookie\"", "no-cache=\"X-Foo, set-cookie\"", "no-cache=x-foo"]))
            case 18: all.append("private")
            case 19: all.append(random.pick(["private=\"set-cookie\"", "private=\"X-Foo\""]))
            case 20, 21: all.append("public")
            case 22, 23: all.append("must-revalidate")
            case 24: all.append("proxy-revalidate")
            case 25: all.append("must-understand")
            case 26: all.append("immutable")
            case 27: all.append(random.pick(["no-transform", "community=\"UCI\"", "other=\"max-age=1, no-store\""]))
            case 28: all.append("stale-while-revalidate=" + argument())
            default: all.append("stale-if-error=" + argument())
            }
        } while all.isEmpty || random.chance(45)
        return all
    }

    // MARK: Spelling

    private mutating func argument() -> String {
        let seconds = random.pick(Self.seconds)
        switch random.below(20) {
        case 0: return "\"\(seconds)\""
        case 1: return "0" + seconds
        case 2: return random.pick(["", "abc", "-1", "1.5", "99999999999999999999", "2147483649"])
        default: return seconds
        }
    }

    /// One or more lines that hold the directives.
    private mutating func cacheControl(_ directives: [String]) -> [ModelField] {
        let spelled = directives.map { random.chance(8) ? $0.uppercased() : $0 }
        guard spelled.count > 1, random.chance(10) else {
            let separator = random.pick([", ", ", ", ",", " , ", ",,", ",\t"])
            return [ModelField("Cache-Control", spelled.joined(separator: separator))]
        }
        return spelled.map { ModelField("Cache-Control", $0) }
    }
}
