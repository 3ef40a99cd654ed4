import CacheRules
import HTTPTypes
import Testing

@Suite("The default rules one by one, with real addresses of providers")
struct DefaultRulesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var rule: String
        var url: String
        var holds: Bool
        var destination: Destination
        var fields: HTTPFields

        var testDescription: String { "\(rule) \(holds ? "takes" : "leaves") \(url)" }
    }

    private static func rows(
        _ rule: String, destination: Destination = .document, fields: HTTPFields = [:], takes: [String],
        leaves: [String]
    ) -> [Row] {
        takes.map { Row(rule: rule, url: $0, holds: true, destination: destination, fields: fields) }
            + leaves.map { Row(rule: rule, url: $0, holds: false, destination: destination, fields: fields) }
    }

    static let signIn =
        rows(
            "sign-in-host",
            takes: [
                "https://accounts.google.com/v3/signin/identifier?flowName=GlifWebSignIn",
                "https://login.microsoftonline.com/common/oauth2/v2.0/authorize", "https://login.live.com/login.srf",
                "https://appleid.apple.com/auth/authorize", "https://contoso.b2clogin.com/contoso.onmicrosoft.com/x",
                "https://dev-123456.okta.com/login/login.htm", "https://acme.eu.auth0.com/u/login",
                "https://shop.auth.eu-west-1.amazoncognito.com/login", "https://api-1234.duosecurity.com/frame/web/v1",
                "https://us-east-1.signin.aws.amazon.com/oauth", "https://open.weixin.qq.com/connect/qrconnect",
            ],
            leaves: [
                "https://www.google.com/", "https://fonts.googleapis.com/css2", "https://www.microsoft.com/",
                "https://auth0.com/docs", "https://cdn.auth0.com.evil.test/", "https://www.apple.com/",
                "https://github.com/login", "https://aws.amazon.com/", "https://res.wx.qq.com/a.js",
            ])
        + rows(
            "sign-in-path",
            takes: [
                "https://github.com/login/oauth/authorize?client_id=x", "https://gitlab.com/oauth/authorize",
                "https://accounts.google.com/o/oauth2/v2/auth", "https://www.facebook.com/v19.0/dialog/oauth",
                "https://www.linkedin.com/oauth/v2/authorization", "https://www.amazon.com/ap/signin",
                "https://login.microsoftonline.com/common/oauth2/v2.0/logout",
                "https://sso.example.com/realms/shop/protocol/openid-connect/auth",
                "https://dev.okta.com/oauth2/default/v1/authorize", "https://slack.com/oauth/v2/authorize",
                "https://app.example/api/auth/callback/google", "https://app.example/auth/github/callback",
                "https://app.example/users/auth/github/callback", "https://app.example/signin-oidc",
                "https://app.example/login/oauth2/code/google", "https://app.example/.auth/login/aad/callback",
                "https://app.example/login/callback", "https://proxy.example/oauth2/sign_in",
            ],
            leaves: [
                "https://app.example/", "https://app.example/docs/oauth2-guide", "https://app.example/authorized",
                "https://app.example/static/authorize.js", "https://app.example/authorize/help",
                "https://app.example/.well-known/openid-configuration", "https://app.example/author/me",
                "https://developers.google.com/identity/protocols/oauth2/web-server",
                "https://app.example/blog/callback", "https://app.example/callbacks/auth",
                "https://app.example/OAuth2/x", "https://www.amazon.com/apparel/signin",
            ])
        + rows(
            "sign-in-query",
            takes: [
                "https://idp.example/login?client_id=s6BhdRkqt3&response_type=code&state=xyz",
                "https://app.example/cb?code=SplxlOBeZQQYbYS6WxSbIA&state=xyz",
                "https://app.example/cb?error=access_denied&state=xyz",
                "https://app.example/ready?oauth_token=hh5s93j4hdidpola&oauth_verifier=hfdp7dh39dks9884",
                "https://idp.example/sso?SAMLRequest=fZJNT%2BMw&RelayState=t", "https://sp.example/?SAMLart=AAQAAM",
                "https://idp.example/sso?SAMLResponse=PHNhb", "https://adfs.example/?wa=wsignin1.0&wtrealm=urn",
                "https://app.example/?ticket=ST-1856339-aA5Yuvrxzpv8Tau1cYQ7",
            ],
            leaves: [
                "https://shop.example/?code=SAVE10", "https://shop.example/?state=CA",
                "https://shop.example/?error=1", "https://shop.example/?client_id=7", "https://shop.example/?ticket=12",
                "https://shop.example/code/state", "https://shop.example/?zipcode=1&estate=2",
                "https://shop.example/?wa=1", "https://shop.example/",
            ])
        + rows(
            "saml-path",
            takes: [
                "https://sp.example/Shibboleth.sso/SAML2/POST", "https://adfs.example/adfs/ls/?x",
                "https://adfs.example/adfs/ls", "https://a.test/saml/acs", "https://idp.example/idp/saml2/sso",
            ],
            leaves: ["https://sp.example/docs/saml", "https://sp.example/samples/acs", "https://sp.example/adfs/lsx"])
        + rows(
            "authorization", fields: [.authorization: "Bearer x"], takes: ["https://api.example/v1/me"], leaves: [])
        + rows(
            "authorization",
            fields: HTTPFields(
                ["X-Auth-Token"].compactMap { HTTPField.Name($0) }.map { HTTPField(name: $0, value: "x") }),
            takes: ["https://api.example/v1/me"], leaves: [])
        + rows(
            "authorization", fields: [.proxyAuthorization: "Basic x"], takes: [], leaves: ["https://api.example/v1/me"])

    static let tokens =
        rows(
            "token-in-query",
            takes: [
                "https://app.example/users/password/edit?reset_password_token=x8f",
                "https://app.example/users/confirmation?confirmation_token=x8f", "https://app.example/x?access_token=y",
                "https://app.example/__/auth/action?mode=resetPassword&oobCode=ABC",
                "https://app.example/auth/confirm?token_hash=x&type=email", "https://app.example/reset?token=x8f",
                "https://idp.example/logout?id_token_hint=ey", "https://app.example/accept?invitation_token=x",
            ],
            leaves: [
                "https://app.example/?q=token", "https://app.example/?tokens=1", "https://app.example/token",
                "https://app.example/?csrf=1", "https://app.example/?page=2",
            ])
        + rows(
            "token-in-query", destination: .image, takes: ["https://app.example/a.png?access_token=x"],
            leaves: ["https://firebasestorage.googleapis.com/v0/b/x/o/a.png?alt=media&token=0a1b"])

    static let payment =
        rows(
            "payment-host",
            takes: [
                "https://checkout.stripe.com/c/pay/cs_live_x", "https://hooks.stripe.com/3d_secure_2/hosted",
                "https://www.paypal.com/checkoutnow?token=EC-1", "https://centinelapi.cardinalcommerce.com/V1/Cruise",
                "https://secure5.arcot.com/acspage/cap", "https://pay.google.com/gp/p/ui/pay",
                "https://pay.klarna.com/eu/x", "https://mc-acs.touchtechpayments.com/v1",
                "https://wx.tenpay.com/cgi-bin",
            ],
            leaves: [
                "https://stripe.com/docs", "https://js.stripe.com/v3/", "https://www.paypalobjects.com/a.js",
                "https://www.klarna.com/", "https://cardinalcommerce.com/", "https://play.google.com/",
            ])
        + rows(
            "payment-path",
            takes: [
                "https://shop.example/checkouts/cn/abc/information", "https://psp.example/v1/3ds2/challenge",
                "https://psp.example/3ds/x", "https://psp.example/pay/3d-secure/return",
            ],
            leaves: [
                "https://shop.example/checkout", "https://shop.example/blog/3ds-games",
                "https://shop.example/nintendo-3ds/x",
                "https://shop.example/a/checkouts/b",
            ])
        + rows(
            "payment-query", destination: .iframe,
            takes: [
                "https://shop.example/done?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2",
                "https://shop.example/done?session_id=cs_live_a1", "https://shop.example/ok?paymentId=PAY-1&PayerID=X",
                "https://shop.example/ok?token=EC-8AB",
            ],
            leaves: [
                "https://shop.example/?session_id=12", "https://shop.example/?paymentId=1",
                "https://shop.example/?token=ec",
            ])

    static let paths =
        rows(
            "api-path", destination: .fetch,
            takes: [
                "https://a.test/api/x", "https://a.test/user/1?x=y", "https://a.test/realtime/",
                "http://mlflow.test/ajax-api/2.0/mlflow/runs/search",
                "http://mlflow.test/ajax-api/2.0/mlflow/experiments/get?experiment_id=0",
            ],
            leaves: [
                // Pages about interfaces.
                "https://developer.wordpress.org/rest-api/reference/posts/", "https://docs.rs/api-docs/",
                "https://a.test/apidocs/", "https://a.test/docs/api-guide/", "https://a.test/api-reference/x",
                "https://developer.spotify.com/documentation/web-api/tutorials", "https://a.test/docs/ajax-api/",
                "https://a.test/ajax-api", "https://a.test/ajax-api-guide/", "https://a.test/web-api/",
                "https://a.test/static/ajax-api/x.js",
                "https://a.test/api", "https://a.test/apiary", "https://a.test/v1/api/x", "https://a.test/?/api/",
                "https://a.test/API/x", "https://a.test/users/1", "https://a.test",
            ])
        + [Destination.document, .iframe, .style, .font].flatMap {
            rows("api-path", destination: $0, takes: [], leaves: ["https://a.test/api/fs.html"])
        }
        + rows(
            "api-path", destination: .script, takes: ["https://a.test/api/user?callback=f"],
            leaves: ["https://a.test/api/assets/toc.js"])
        + rows("api-path", destination: .image, takes: ["https://a.test/api/captcha"], leaves: [])

    @Test("sign-in, payment, one-time tokens, answers", arguments: signIn + tokens + payment + paths)
    func request(_ row: Row) throws {
        let rule = try #require(RuleList.webViewDefaults[row.rule])
        let exchange = exchange(row.url, destination: row.destination, fields: row.fields)
        #expect((rule.verdict(for: exchange) != nil) == row.holds)
        if row.holds {
            let decision = RuleList.webViewDefaults.decision(for: exchange)
            #expect(decision.verdict == (row.rule == "api-path" ? .storeOnlyIfExplicit : .bypass))
        }
    }

    struct StaticRow: Sendable, CustomTestStringConvertible {
        var url: String
        var fields: HTTPFields?
        var rule: String?

        init(_ url: String, _ fields: HTTPFields?, _ rule: String?) {
            (self.url, self.fields, self.rule) = (url, fields, rule)
        }

        var testDescription: String { "\(url) \(fields.map { "\($0)" } ?? "without response"): \(rule ?? "protocol")" }
    }

    static let statics = [
        StaticRow("https://a.test/app.js", [.contentType: "text/javascript"], "static-script"),
        StaticRow("https://a.test/app.mjs?x", [.contentType: "application/javascript"], "static-script"),
        StaticRow("https://a.test/app.js", nil, "static-error"),
        StaticRow("https://a.test/app.js", [.contentType: "text/html"], "html-unstated"),
        StaticRow("https://a.test/app.js", [.contentType: "application/json"], "static-error"),
        StaticRow("https://a.test/app", [.contentType: "text/javascript"], nil),
        StaticRow(
            "https://a.test/app.js", [.contentType: "text/javascript", .cacheControl: "max-age=0"], "static-error"),
        StaticRow(
            "https://a.test/app.js", [.contentType: "text/javascript", .cacheControl: "no-cache"], "static-error"),
        StaticRow("https://a.test/app.js", [.contentType: "text/javascript", .expires: "0"], "static-error"),
        StaticRow("https://a.test/api/app.js", [.contentType: "text/javascript"], "api-path"),
        StaticRow("https://a.test/a.css", [.contentType: "text/css; charset=utf-8"], "static-style"),
        StaticRow("https://a.test/a.css", [.contentType: "text/plain"], "static-error"),
        StaticRow("https://a.test/a.PNG", [.contentType: "image/png"], "static-image"),
        StaticRow("https://a.test/a.png", [.contentType: "image/webp", .cacheControl: "public"], "static-image"),
        StaticRow("https://a.test/captcha.php", [.contentType: "image/png"], nil),
        StaticRow("https://a.test/captcha.png", [.contentType: "image/png"], "static-error"),
        StaticRow("https://a.test/a.woff2", [.contentType: "font/woff2"], "static-font"),
        StaticRow("https://a.test/a.ttf", [.contentType: "application/octet-stream"], "static-font"),
        StaticRow("https://a.test/a.zip", [.contentType: "application/octet-stream"], nil),
        StaticRow("https://a.test/a.wasm", [.contentType: "application/wasm"], "static-module"),
        StaticRow("https://a.test/", [.contentType: "text/html; charset=utf-8"], "html-unstated"),
        StaticRow("https://a.test/", [.contentType: "text/html", .lastModified: "x"], "html-unstated"),
        StaticRow("https://a.test/", [.contentType: "text/html", .cacheControl: "no-cache"], "html"),
        StaticRow("https://a.test/", [.contentType: "text/html", .cacheControl: "max-age=60"], "html"),
        StaticRow("https://a.test/", [.contentType: "text/html", .expires: "0"], "html"),
        StaticRow("https://a.test/", nil, nil),
        StaticRow("https://a.test/data", [.contentType: "application/json"], nil),
        StaticRow("https://a.test/assets/i18n/de.json", [.contentType: "application/json"], "static-path"),
        StaticRow("https://a.test/app/dist/a.zip", [.contentType: "application/octet-stream"], "static-path"),
        StaticRow("https://a.test/static/logo", [.contentType: "image/svg+xml"], "static-path"),
        StaticRow("https://a.test/static/a.png", [.contentType: "image/png"], "static-image"),
        StaticRow("https://a.test/static/", [.contentType: "text/html"], "html-unstated"),
        StaticRow("https://a.test/static/film.mp4", [.contentType: "video/mp4"], "static-path"),
        StaticRow("https://a.test/assets/a.mp3", [.contentType: "audio/mpeg"], "static-path"),
        StaticRow("https://a.test/dist/manual.pdf", [.contentType: "application/pdf"], "static-path"),
        StaticRow("https://a.test/film.mp4", [.contentType: "video/mp4"], nil),
        StaticRow("https://a.test/api/static/x", [.contentType: "application/json"], "api-path"),
        StaticRow("https://a.test/statics/x", [.contentType: "application/json"], nil),
        StaticRow(
            "https://a.test/assets/de.json", [.contentType: "application/json", .cacheControl: "no-cache"], nil),
    ]

    @Test(
        "static files by extension and type, where the response states neither freshness nor no-cache",
        arguments: statics)
    func response(_ row: StaticRow) {
        let decision = RuleList.webViewDefaults.decision(for: exchange(row.url, response: row.fields))
        #expect(decision.rule == row.rule)
        let verdict: Verdict =
            switch row.rule {
            case nil: .followProtocol
            case "api-path": .storeOnlyIfExplicit
            case "html-unstated": .networkFirst(timeout: nil)
            case "html", "static-error": .staleIfError(for: .seconds(365 * 86_400))
            default: .staleWhileRevalidate(for: .seconds(2_592_000))
            }
        #expect(decision.verdict == verdict)
    }

    @Test("pages are recognised by their destination")
    func pages() {
        for destination in Destination.allCases {
            let decision = RuleList.webViewDefaults.decision(
                for: exchange("https://a.test/x", destination: destination))
            #expect(decision.rule == (destination.isPage ? "html" : nil))
            #expect((decision.verdict == .followProtocol) == !destination.isPage)
        }
    }

    @Test("without a network the store answers everything, also sign-in pages, of which nothing is stored")
    func disconnected() {
        for url in ["https://a.test/", "https://accounts.google.com/", "https://a.test/api/x"] {
            let decision = RuleList.webViewDefaults.decision(for: exchange(url, connectivity: .disconnected))
            #expect(decision == PolicyDecision(verdict: .onlyIfStored, rule: "disconnected"))
        }
    }

    @Test("every default has a unique name, can be removed, and overrides nothing that the origin forbids")
    func all() throws {
        let list = RuleList.webViewDefaults
        #expect(Set(list.names).count == list.names.count)
        #expect(try #require(list.values).allSatisfy { $0.ignoring.isEmpty && $0.expiry == nil })
        for name in list.names {
            #expect(list.removing(name).names.count == list.names.count - 1)
            #expect(list.replacing(name, with: Rule("mine", .bypass)).names.contains("mine"))
        }
    }
}
