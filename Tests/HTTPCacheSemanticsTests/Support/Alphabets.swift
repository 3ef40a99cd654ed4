/// What random texts of property tests are made of.
enum Alphabets {
    /// `tchar` of RFC 9110 §5.6.2, without capitals.
    static let token = "abcxyz0189!#$%&'*+-.^_`|~"
    /// VCHAR and SP: what a String of RFC 9651 §3.3.3 holds. The ones with a meaning somewhere come more often.
    static let printable = String(String.UnicodeScalarView((0x20...0x7E).compactMap(UnicodeScalar.init))) + delimiters
    /// What a quoted-string of RFC 9110 §5.6.4 can carry, obs-text and combining marks included.
    static let quotable = printable + "\té気\u{301}\u{85}\u{1F600}\u{FFFD}"
    static let delimiters = "\"\"\\\\,,;;==() ::@@%%?&+"
}
