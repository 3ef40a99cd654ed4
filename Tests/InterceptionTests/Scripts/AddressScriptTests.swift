import Testing

@testable import Interception

@Suite("The script that turns addresses")
struct AddressScriptTests {
    @Test("it is given the hosts and what is left out; what is no host can't end the text that it stands in")
    func values() {
        let rewriting = AddressRewriting(hosts: ["cdn.test:8443", "a.test", "'],alert(1),['"], includesMedia: false)
        let script = AddressScript(rewriting, leavingOut: [.styles, .attributes]).script
        #expect(script.hasSuffix("(['a.test', 'cdn.test:8443'], false, ['attributes', 'styles'], false);"))
        #expect(AddressScript().script.hasSuffix("([], true, [], false);"))
    }

    @Test("each concern is a part that can be left out")
    func concerns() {
        for concern in AddressScript.Concern.allCases {
            #expect(AddressScript.source.contains("if (isOn('\(concern.rawValue)')) {"))
        }
    }
}
