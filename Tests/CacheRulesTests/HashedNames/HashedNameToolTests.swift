import Testing

@Suite("HashedName: other tools and servers")
struct HashedNameToolTests {
    static let rows =
        HashedNameRow.table(
            "angular-cli issues 25913, 25946, 27678: esbuild",
            """
            /main-{3WP5KDHR}.js esbuild
            /polyfills-{4UVFGIFL}.js esbuild
            /chunk-{ACXUMF56}.js esbuild
            /chunk-{2XJVAMHT}.js esbuild
            /main-{6JLMM7WW}.js esbuild
            /styles-{~5INURTSO}.css
            /chunk-{4ZCEIHD4}.mjs esbuild
            /chunk-{PMR7BAU4}.mjs esbuild
            /chunk-{TSP6W7K5}.mjs esbuild
            /chunk-{6BPJNTX2}.js esbuild
            /chunk-{BHRB2MS3}.js esbuild
            /src-{XN5KMRMO}.js esbuild
            /src-{K6KWV2Y7}.js esbuild
            /chunk-{~IYNLIQNN}.js
            /src-{L3I72S3K}.js esbuild
            /src-{~GAPHGOIW}.js
            /3rdpartylicenses.txt
            /main.server.mjs
            """)
        + HashedNameRow.table(
            "mermaid 11 modules: esbuild",
            """
            /chunk-{2E4U76K2}.mjs esbuild
            /architectureDiagram-{5GKGNRK7}.mjs esbuild
            /c4Diagram-{7LVT6UL2}.mjs esbuild
            /classDiagram-v2-{VYDZK3BY}.mjs esbuild
            /chunk-{747NJXEK}.mjs esbuild
            /mindmap-definition-{YA3MSWOX}.mjs esbuild
            /chunk-{~INFHLROL}.mjs
            /chunk-{~SAJKECNS}.mjs
            /chunk-{~CLEAG5DG}.mjs
            """)
        + HashedNameRow.table(
            "mkdocs-material 9.8.1: esbuild, hexadecimal",
            """
            /assets/javascripts/bundle.{a5f9d56c}.min.js hex8
            /assets/javascripts/bundle.{a5f9d56c}.min.js.map hex8
            /assets/javascripts/workers/search.{a7633da7}.min.js hex8
            /assets/javascripts/workers/search.{a7633da7}.min.js.map hex8
            /assets/stylesheets/main.{57a0d79d}.min.css hex8
            /assets/stylesheets/main.{57a0d79d}.min.css.map hex8
            /assets/stylesheets/palette.{fb2fffe2}.min.css hex8
            /assets/stylesheets/palette.{fb2fffe2}.min.css.map hex8
            /assets/images/favicon.png
            /assets/javascripts/lunr/min/lunr.de.min.js
            /assets/javascripts/lunr/min/lunr.du.min.js
            /assets/javascripts/lunr/min/lunr.es.min.js
            """)
        + HashedNameRow.table(
            "parcel pull request 4981: Parcel 2",
            """
            /index.{~e8555081}.js
            /pdfRenderer.{cd742f5e}.js hex8
            /editorView.{ae59b49f}.js hex8
            /popup.{4a66e15e}.js hex8
            /card.{1007a95f}.js hex8
            /component.{37867f50}.js hex8
            /js.{48be70a4}.js hex8
            /EmojiPickerComponent.{898d8be6}.js hex8
            """)
        + HashedNameRow.table(
            "parcel website issue 457: an example with shortened hashes",
            """
            /style.28ea8f.css
            /main.af820be.js
            /logo.cb398ef.png
            """)
        + HashedNameRow.table(
            "bun pull request 41317 and published bundles",
            """
            /chunk-{00f5bw02}.js bun
            /chunk-{xj8gnzar}.js bun
            /chunk-{0nb3y211}.js bun
            /chunk-{~vryz951p}.js
            /chunk-{~0vkfrmqm}.js
            /chunk-{~x722nt0q}.js
            /chunk-{~058caznt}.js
            /chunk-{0kz3jgz1}.js bun
            /chunk-{7gjw150h}.js bun
            /chunk-{g0j0t6qk}.js bun
            /chunk-06.js
            """)
        + HashedNameRow.table(
            "aspnetcore issues 64060, 64359, 61425, runtime 129182: .NET 9 and 10",
            """
            /lib/bootstrap/dist/js/bootstrap.{29cdq58tmq}.js asp-net-core
            /lib/bootstrap/dist/js/bootstrap.bundle.min.{493y06b0oq}.js asp-net-core
            /_framework/blazor.webassembly.{7e5rxa24i7}.js asp-net-core
            /_framework/blazor.webassembly.{~66stpp682q}.js
            /_framework/dotnet.runtime.{qrl1fuqt3c}.js asp-net-core
            /_framework/blazor.webassembly.js
            /_framework/dotnet.native.wasm
            /lib/bootstrap/dist/css/bootstrap.min.css
            /css/site.css
            """)
        + HashedNameRow.table(
            "rails issue 50364 and sites: Sprockets 2 to 4",
            """
            /assets/manifest-{b4bf6e57a53c2bdb55b8998cc94cd00883793c1c37c5e5aea3ef6749b4f6d92b}.js hex64
            /assets/rails-{b2a39959d30f6dd24423637ea1cc865ed070074043e519913e846c9d0859c4fb}.png hex64
            /assets/application-{c56ef81d122dffa8b257b0546ba1b09bd2d8b97e4aef881de8db9f760b903af6}.css.gz hex64
            /assets/turbo.min-{e5023178542f05fc063cd1dc5865457259cc01f3fba76a28454060d33de6f429}.js hex64
            /assets/application-{547a90cb301cc65eca3cc67dcfc74c35}.js hex32
            """)
        + HashedNameRow.table(
            "Rails importmaps: Propshaft",
            """
            /assets/application-{f0907bdc}.js hex8
            /assets/turbo.min-{~fae85750}.js
            /assets/stimulus.min-{4b1e420e}.js hex8
            /assets/turbo.min-38d0308.js
            """)
        + HashedNameRow.table(
            "Django documentation and issues: ManifestStaticFilesStorage",
            """
            /static/css/styles.{55e7cbb9ba48}.css hex12
            /static/AController.{~73751240244b}.js
            /static/css/base.{27e20196a850}.css hex12
            /static/admin/css/base.css
            /static/admin/css/common.css
            """)
        + HashedNameRow.table(
            "github.githubassets.com",
            """
            /assets/mona-loading-dimmed-{5da225352fd7}.gif hex12
            /assets/GitHub-Mark-{ea2971cee799}.png hex12
            /assets/illu-copilot-sidebar-{3d2efb504577}.png hex12
            /assets/hero-lg-{c3f7fc42e245}.mp4 hex12
            /assets/illu-copilot-editor-{6474457a5b19}.png hex12
            /assets/pinned-octocat-{093da3e6fa40}.svg hex12
            /assets/light-{5c4e9fc574bf49f3}.css hex16
            """)
        + HashedNameRow.table(
            "Phoenix sites: mix phx.digest",
            """
            /js/bundle-{2c19b9545a99dcdaa566da8383b30d2c}.js?vsn=d hex32
            /assets/app-{38fbc3a897090cfe84ac0e3e57230583}.js?vsn=d hex32
            /js/rollbar-{b19496f4dbce499c340474896c66a2ff}.js?vsn=d hex32
            /phx-static/assets/app-{f008476f0021bf6ee7e602410605ea56}.js?vsn=d hex32
            /assets/app-{7a7c16399b1d24d1a7fed3df20921d38}.js?vsn=d hex32
            """)
        + HashedNameRow.table(
            "WordPress sites: Autoptimize",
            """
            /wp-content/cache/autoptimize/css/autoptimize_{0ec4a90d60c511554f757138ccde0bea}.css hex32
            /wp-content/cache/autoptimize/css/autoptimize_single_{559aad522bf23163fc06b7738f3858a5}.css?ver=6.6 hex32
            """)
        + HashedNameRow.table(
            "shop-2022.har, nine-pages-304-2018.har, magazine-chrome-2017.har",
            """
            /us/resources/dist/assets/css/kampyle/liveform-web-style-{211f992cad}.css hex10
            /us/resources/dist/assets/css/liveform-web-vendor-{7a445f15ef}.css hex10
            /us/resources/dist/assets/js/liveform-web-app-{48524a7865}.js hex10
            /us/resources/dist/assets/js/liveform-web-vendor-{2e13f9fe33}.js hex10
            /us/resources/dist/assets/views/innerFormPartial-83b6babd9c.html
            /adrum-ext.{a612bcc4a570ebe7903e15cce8694f0c}.js hex32
            /adrum-xd.a612bcc4a570ebe7903e15cce8694f0c.html
            /js/{9a5e156ed70a8645c99fc5c15720b330}.woff2 hex32
            /js/cp_ny.bundle.{e69dbbeec06f7920555b}.js hex20
            /js/cp_ny_styles.style.{e69dbbeec06f7920555b}.css hex20
            """)
        + HashedNameRow.table(
            "request URLs in the tests of adblock-rust",
            """
            /bundle_end.{9b88ad5628c11aae3854}.js hex20
            /javascripts/compiled/ads-{8e526b9fc894f094e1dc}.js hex20
            /assets/tracking-{1b7234dfdb53a1f5d1f8c427e6b594f3}.js hex32
            /js/piwik-{9d035513}.js hex8
            /build/js/tracking_js.{6047ecf9}.js hex8
            /js/gtm/gtm-{8f522b0bea}.json hex10
            /dist/js/adverts.{2a127685}.js hex8
            /adrum/adrum-ext.{99c2fcc5ccc30ea4d38a1a74eeb7a6a6}.js hex32
            /dist/images/about/adverts_logo-{d2edd7d61e}.svg hex10
            /js/dart.{8ad33fb3ede5}.js hex12
            /javascripts/global/ExitPopup.min.{c9ad0e5e}.js hex8
            /weather/assets/comscore.{0775758c3c488c7318c16e658da58eb4}.js hex32
            /js/static/js_loader_adv-{dd050bc1b3}.min.js hex10
            /hyper-assets/app.{f36b616f8f3bea0dc728}.js hex20
            /dist/js/AdblockMessage.{df8d6d14e3abb5eb3f18}.js hex20
            /bundles/ads-action-refresh.{e2225ca5a297cdd19c9b}.js hex20
            /62ca745f.js
            """)
        + HashedNameRow.table(
            "constructed: webpack told to write ten digits",
            """
            /static/js/app.{5d60c2ed3a}.js hex10
            """)

    @Test("each tool's own alphabet, length and separator", arguments: rows)
    func names(_ row: HashedNameRow) {
        row.check()
    }
}
