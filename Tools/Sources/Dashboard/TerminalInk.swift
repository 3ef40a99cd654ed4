/// Colours of the terminal's own palette, so that they suit its theme (ECMA-48, §8.3.117).
package struct TerminalInk {
    package let isOn: Bool

    package init(isOn: Bool) { self.isOn = isOn }

    package enum Style: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case cyan = "36"
    }

    package func callAsFunction(_ style: Style, _ text: String) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}
