import HTTPCacheSemantics
import HTTPTypes

extension HTTPFields {
    /// The lines of a field as one value, as `subscript` gives it, without an allocation for a single line.
    func combined(_ name: HTTPField.Name) -> String? {
        guard let place = position(of: name) else { return nil }
        return position(of: name, from: place + 1) == nil ? self[place].value : self[name]
    }
}
