import HTTPTypes

extension StoredResponse {
    /// The time since the origin generated or last validated this response.
    ///
    /// `current_age` of RFC 9111 §4.2.3. Never negative: a `Date` in the future and a clock that was set back both mean
    /// age zero.
    ///
    /// - Parameter now: The moment of reuse, read from the clock that stamped ``responseTime``.
    /// - Returns: Zero or more, with the precision of that clock. `Age` carries it in whole seconds.
    package func currentAge(at now: WallInstant) -> Duration {
        let residentTime = max(.zero, now - responseTime)
        return correctedInitialAge + residentTime
    }

    /// `corrected_initial_age` of §4.2.3.
    var correctedInitialAge: Duration {
        let apparentAge = max(.zero, responseTime - date)
        let responseDelay = max(.zero, responseTime - requestTime)
        let correctedAgeValue = ageValue + responseDelay
        return max(apparentAge, correctedAgeValue)
    }

    /// `age_value`: the field's first member if it is a number, else zero. "Although it is defined as a singleton
    /// header field, a cache encountering a message with a list-based Age field value SHOULD use the first member of
    /// the field value, discarding subsequent ones", and an invalid value is ignored (§5.1).
    private var ageValue: Duration {
        let lines = fields.lines(.age)
        if case .one(let line) = lines, let age = DeltaSeconds.parse(line) { return age }
        guard let first = ListField.members(lines.all).first else { return .zero }
        return DeltaSeconds.parse(first) ?? .zero
    }
}
