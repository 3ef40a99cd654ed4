extension Section {
    static let age = Section(
        "RFC 9111 §4.2.3 Age",
        [
            Row(
                "RFC 9111 §4", "Age is generated and counts the time in the store",
                .get(.asked(.ok("Cache-Control: max-age=100"))), .get(.stored, .field("Age: 0")),
                .get(after: 10, .stored, .field("Age: 10")), .get(after: 7, .stored, .field("Age: 17"))),
            Row(
                "RFC 9111 §4", "Age replaces the one that came, to which the time in the store is added",
                .get(.asked(.ok("Cache-Control: max-age=100", "Age: 20")), .field("Age: 20")),
                .get(after: 10, .stored, .field("Age: 30"))),
            Row(
                "RFC 9111 §4.2.3", "Age that came counts against the lifetime",
                .get(.asked(.ok("Cache-Control: max-age=100", "Age: 90"))), .get(after: 9, .stored, .field("Age: 99")),
                .get(after: 1, .asked(.ok()))),
            Row(
                "RFC 9111 §4.2.3", "Age as large as the lifetime is stale at once",
                .get(.asked(.ok("Cache-Control: max-age=100", "Age: 100"))), .get(.asked(.ok()))),
            Row(
                "RFC 9111 §4.2.3", "a Date in the past is an apparent age",
                .get(.asked(.ok("Cache-Control: max-age=100", "Date: {-30}"))),
                .get(after: 10, .stored, .field("Age: 40")), .get(after: 60, .asked(.ok()))),
            Row(
                "RFC 9111 §4.2.3", "a Date in the future is an apparent age of zero",
                .get(.asked(.ok("Cache-Control: max-age=100", "Date: {1000}"))),
                .get(after: 10, .stored, .field("Age: 10")), .get(after: 90, .asked(.ok()))),
            Row(
                "RFC 9110 §6.6.1", "a Date that is no date counts as the time of arrival",
                .get(.asked(.ok("Cache-Control: max-age=100", "Date: today"))),
                .get(after: 10, .stored, .field("Age: 10")), .get(after: 90, .asked(.ok()))),
            Row(
                "RFC 9111 §4.2.3", "the larger of apparent age and Age counts: Age",
                .get(.asked(.ok("Cache-Control: max-age=100", "Date: {-10}", "Age: 30"))),
                .get(after: 10, .stored, .field("Age: 40"))),
            Row(
                "RFC 9111 §4.2.3", "the larger of apparent age and Age counts: Date",
                .get(.asked(.ok("Cache-Control: max-age=100", "Date: {-30}", "Age: 10"))),
                .get(after: 10, .stored, .field("Age: 40"))),
            Row(
                "RFC 9111 §4.2.3", "Age counts from the request, so the delay of the answer is added",
                .get(takes: 7, .asked(.ok("Cache-Control: max-age=100", "Age: 20"))),
                .get(after: 10, .stored, .field("Age: 37"))),
            Row(
                "RFC 9111 §4.2.3", "the delay of the answer counts without Age too",
                .get(takes: 7, .asked(.ok("Cache-Control: max-age=20"))), .get(after: 10, .stored, .field("Age: 17")),
                .get(after: 3, .asked(.ok()))),
            Row(
                "RFC 9111 §5.1", "of a list in Age the first member counts",
                .get(.asked(.ok("Cache-Control: max-age=100", "Age: 20, 90"))),
                .get(after: 10, .stored, .field("Age: 30"))),
            Row(
                "RFC 9111 §5.1", "of several Age lines the first counts",
                .get(.asked(.ok("Cache-Control: max-age=100", "Age: 20", "Age: 90"))),
                .get(after: 10, .stored, .field("Age: 30"))),
            Row(
                "RFC 9111 §5.1", "an Age that is no number is ignored",
                .get(.asked(.ok("Cache-Control: max-age=100", "Age: old"))),
                .get(after: 10, .stored, .field("Age: 10"))),
            Row(
                "RFC 9111 §5.1", "a negative Age is ignored",
                .get(.asked(.ok("Cache-Control: max-age=100", "Age: -20"))),
                .get(after: 10, .stored, .field("Age: 10"))),
            Row(
                "RFC 9111 §5.1", "an Age with a fraction is ignored",
                .get(.asked(.ok("Cache-Control: max-age=100", "Age: 20.5"))),
                .get(after: 10, .stored, .field("Age: 10"))),
            Row(
                "RFC 9111 §1.2.2", "an Age too large to represent is a very large one",
                .get(.asked(.ok("Cache-Control: max-age=100", "Age: 99999999999999999999999999"))),
                .get(.asked(.ok()))),
            Row(
                "RFC 9111 §4.2.3", "age counts from the last validation",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#, "Age: 5"))),
                .get(after: 10, .validated(.notModified("Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(after: 7, .stored, .field("Age: 7"))),
            Row(
                "RFC 9111 §4.2.3", "an Age in the 304 counts for the validated response",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(after: 10, .validated(.notModified("Cache-Control: max-age=100", #"ETag: "a""#, "Age: 5"))),
                .get(after: 7, .stored, .field("Age: 12"))),
            Row(
                "RFC 9111 §5.1", "a response just validated is not older than that",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(after: 10, .validated(.notModified(#"ETag: "a""#)), .isNot("Age: 10")),
                .get(after: 5, .stored, .field("Age: 5"))),
            Row(
                "RFC 9111 §5.1", "a response that comes from the origin has no Age of ours",
                .get(.asked(.ok("Cache-Control: max-age=100")), .no("Age"))),
        ])
}
