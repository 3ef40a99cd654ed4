/// A number as a type, in binary: a session is given a class, and each registration needs one of its own, made while
/// the app runs. Swift makes as many classes of one generic class as there are types to put into it, on every platform.
protocol ClassNumber {}

enum Zero: ClassNumber {}
/// Twice the number.
enum Even<Half: ClassNumber>: ClassNumber {}
/// Twice the number and one.
enum Odd<Half: ClassNumber>: ClassNumber {}

extension ClassNumber {
    private static var even: any ClassNumber.Type { Even<Self>.self }
    private static var odd: any ClassNumber.Type { Odd<Self>.self }
    fileprivate static var protocolClass: CachingURLProtocol.Type { NumberedURLProtocol<Self>.self }

    fileprivate static func appending(_ bit: Int) -> any ClassNumber.Type { bit == 0 ? even : odd }
}

extension CachingURLProtocol {
    /// A class that no other number has, and that a number has again.
    static func numbered(_ number: Int) -> CachingURLProtocol.Type {
        var (type, rest): (any ClassNumber.Type, Int) = (Zero.self, number)
        while rest > 0 {
            type = type.appending(rest & 1)
            rest >>= 1
        }
        return type.protocolClass
    }
}
