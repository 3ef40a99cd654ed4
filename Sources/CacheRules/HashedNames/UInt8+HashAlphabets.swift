extension UInt8 {
    /// `0-9`.
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
    /// `a-z`.
    var isLowercase: Bool { self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z") }
    /// `A-Z`.
    var isUppercase: Bool { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") }
    /// The two of base64url that are neither letter nor digit, `-` and `_` (RFC 4648 §5).
    var isPunctuation: Bool { self == UInt8(ascii: "-") || self == UInt8(ascii: "_") }
}
