import Testing

@Suite("HashedName: webpack and Rspack")
struct HashedNameWebpackTests {
    static let rows =
        HashedNameRow.table(
            "mlflow 3.18: webpack 5",
            """
            /static-files/static/css/1376.{dda5119a}.chunk.css hex8
            /static-files/static/css/6888.{85f2cadd}.chunk.css hex8
            /static-files/static/js/1126.{8bfe0c8c}.chunk.js hex8
            /static-files/static/js/1616.{3425b984}.chunk.js hex8
            /static-files/static/js/2558.{79681be1}.chunk.js hex8
            /static-files/static/js/2626.{ec3513c4}.chunk.js hex8
            /static-files/static/js/2740.{981e01a5}.chunk.js hex8
            /static-files/static/js/3269.{b7d7377d}.chunk.js hex8
            /static-files/static/js/3502.{d5f3c2e8}.chunk.js hex8
            /static-files/static/js/7182.{3ef844cf}.chunk.js hex8
            /static-files/static/js/7458.{2eb1bd99}.chunk.js hex8
            /static-files/static/js/8891.{d2c5a90e}.chunk.js hex8
            /static-files/static/media/assistant-debug.{11458b995f95dedcb985b9e005e084d6}.svg hex32
            /static-files/static/media/default-error.{f246ddf367c6fbd67942e5a13382a7f1}.svg hex32
            /static-files/static/media/langgraph-dark.{5512607bf01d658e3b545af05af3e5bb}.svg hex32
            /static-files/static/media/promo-modal-content.{9af829659988112ed4e84b9a81b2ee7e}.svg hex32
            /static-files/static/js/109.{42954947}.chunk.js hex8
            /static-files/static/js/369.{91813068}.chunk.js hex8
            /static-files/static/js/4479.{77374823}.chunk.js hex8
            /static-files/static/css/3015.{24118451}.chunk.css hex8
            /static-files/static/js/4293.{21147bda}.chunk.js hex8
            """)
        + HashedNameRow.table(
            "Apache Superset 6.1: webpack 5",
            """
            /static/assets/{00485e9e567811f3ef35}.chunk.js hex20
            /static/assets/{2ea1079c0069eb040a52}.woff hex20
            /static/assets/{363c89bbe42b89fb47eb}.geojson hex20
            /static/assets/{671df8e17cc4faf8cb69}.geojson hex20
            /static/assets/{699c0b504ae40a4104a9}.chunk.js hex20
            /static/assets/{6efedc675a50f205380d}.geojson hex20
            /static/assets/{730a286fee724cf0f1f8}.geojson hex20
            /static/assets/BigNumber2-dark.{b66e7f58}.jpg hex8
            /static/assets/Line2-dark.{3fc3f483}.png hex8
            /static/assets/SmoothLine1-dark.{e1b3e449}.png hex8
            /static/assets/{c6618d7438c1e8defe06}.chunk.js hex20
            /static/assets/{c9c7b3077ee29792d7e3}.chunk.js hex20
            /static/assets/{ccc412d20dd04857d05e}.chunk.js hex20
            /static/assets/example1-dark.{37335c70}.jpg hex8
            /static/assets/example1.{b8069aef}.jpg hex8
            /static/assets/example3-dark.{ecc93f88}.png hex8
            /static/assets/404.html
            /static/assets/images/error404.png
            /static/assets/images/icons/error_solid_small_red.svg
            /static/assets/images/icons/sort_desc.svg
            /static/assets/images/tutorial/tutorial_07_save_button.png
            /static/assets/images/tutorial/tutorial_17_choose_time_range.png
            /static/assets/images/tutorial/tutorial_21_group_by.png
            /static/assets/images/tutorial/tutorial_23_group_by_more_dimensions.png
            /static/assets/images/tutorial/tutorial_26_row_limit.png
            /static/assets/images/tutorial/tutorial_30_bar_chart_results.png
            /static/assets/images/tutorial/tutorial_32_save_slice_confirmation.png
            /static/assets/images/usertutorial/resample.png
            /static/assets/images/usertutorial/resize_tutorial_table_on_dashboard.png
            /static/assets/images/viz_thumbnails/big_number.png
            /static/assets/images/viz_thumbnails/dual_line.png
            """)
        + HashedNameRow.table(
            "Voilà 0.5.13: webpack 5",
            """
            /voila/labextensions/widgets-manager7/static/651.{8b63c0297a39649bd115}.js hex20
            /voila/labextensions/widgets-manager7/static/874.{9f74b382ec69b566b879}.js hex20
            /voila/labextensions/widgets-manager7/static/944.{c97d007da824314d32e7}.js hex20
            /voila/labextensions/widgets-manager7/static/remoteEntry.{7d3d1d583763e7e84152}.js hex20
            /voila/labextensions/widgets-manager8/static/603.{9866b69497a4a124e57f}.js hex20
            /voila/labextensions/widgets-manager8/static/651.{d9c6fa52270ea21fdf9e}.js hex20
            /voila/static/{3bc6ecaae7ecf6f8d7f8}.woff hex20
            /voila/static/{3f6d3488cf65374f6f67}.woff hex20
            /voila/static/{79d088064beb3826054f}.eot hex20
            /voila/static/{870673df72e70f87c91a}.woff hex20
            /voila/static/{af04542b29eaac04550a}.woff hex20
            /voila/static/{af6397503fcefbd61397}.ttf hex20
            /voila/static/{cda59d6efffa685830fd}.ttf hex20
            /voila/static/{e4299464e7b012968eed}.eot hex20
            /voila/static/{e42a88444448ac3d6054}.woff2 hex20
            /voila/static/{fc6ddf5df402b263cfb1}.woff hex20
            /voila/static/1621.voila.js
            /voila/static/2357.voila.js
            /voila/static/3170.voila.js
            /voila/static/3249.voila.js
            /voila/static/429.voila.js
            /voila/static/5972.voila.js
            /voila/static/654.voila.js
            /voila/static/6573.voila.js
            /voila/static/7883.voila.js
            /voila/static/8017.voila.js
            /voila/static/8135.voila.js
            /voila/static/8487.voila.js
            /voila/static/8530.voila.js
            /voila/static/8706.voila.js
            /voila/static/9890.voila.js
            /voila/static/9907.voila.js
            /voila/static/9912.voila.js
            """)
        + HashedNameRow.table(
            "JupyterLab 4.6.6: Rspack",
            """
            /static/lab/109.{493a12dc42da3115}.js hex16
            /static/lab/1645.{ed332d3fefafaead}.js hex16
            /static/lab/2442.{7bce101d6ff3e38f}.js hex16
            /static/lab/2751.{054be16d1de152ed}.js hex16
            /static/lab/3133.{ab033448c9ca4a3c}.js hex16
            /static/lab/4232.{15151af47a0093e1}.js hex16
            /static/lab/4545.{70eefc0dbcb94c56}.js hex16
            /static/lab/5132.{1738325d3b452d0c}.js hex16
            /static/lab/5199.{774d95482e8610ed}.js hex16
            /static/lab/6401.{b0b48dd9f0b7bb70}.js hex16
            /static/lab/6478.{690518bf1ebf857c}.js hex16
            /static/lab/6925.{54225e26e0024dde}.js hex16
            /static/lab/7329.{06440d69c17605fa}.js hex16
            /static/lab/802.{baec760badc948a1}.js hex16
            /static/lab/8295.{ea33acb904eeb9be}.js hex16
            /static/lab/8931.{dca9b0b00463e397}.js hex16
            /static/lab/bootstrap.js
            /static/lab/build_log.json
            /static/lab/index.html
            /static/lab/index.out.js
            /static/lab/package.json
            /static/lab/style.js
            /static/lab/third-party-licenses.json
            """)
        + HashedNameRow.table(
            "Notebook 7.6.5: Rspack",
            """
            /static/notebook/1106.{355493cc4a30f31e}.js hex16
            /static/notebook/1209.{bdb1ca0bc4b843e9}.js hex16
            /static/notebook/1321.{fa3f6f67dd88594d}.js hex16
            /static/notebook/2776.{86e8509fabe1e9ee}.js hex16
            /static/notebook/290.{7a96c9174b608149}.js hex16
            /static/notebook/{3048300eb9b40fad}.woff hex16
            /static/notebook/3280.{6bae362a8103e4a6}.js hex16
            /static/notebook/{332e07ea2e09856e}.woff hex16
            /static/notebook/3408.{b9be78965236f610}.js hex16
            /static/notebook/3594.{dbf446e7c940c6cb}.js hex16
            /static/notebook/6219.{a9163047efe69e17}.js hex16
            /static/notebook/8226.{5a02a4299f8eb8dc}.js hex16
            /static/notebook/8443.{7d1e3adcfd1eec3a}.js hex16
            /static/notebook/963.{345c89c171408680}.js hex16
            /static/notebook/{ee37fbccfd7cfca6}.svg hex16
            /static/notebook/notebook_core.{c9a6d9df5de5df84}.js hex16
            /static/notebook/third-party-licenses.json
            """)
        + HashedNameRow.table(
            "Home Assistant frontend 20250109.2: Rspack",
            """
            /frontend_es5/41258.{8f000bc9a2df6879}.js.map hex16
            /frontend_es5/94863.{6f10c2da23e289db}.js.br hex16
            /frontend_latest/26321.{12fd947aa8f18148}.js hex16
            /frontend_latest/31450.{f687471866e18980}.js hex16
            /frontend_latest/40003.{5b0c090c9e8bd60c}.js hex16
            /frontend_latest/59823.{812e188dc383db5d}.js.br hex16
            /static/translations/config/eu-{ea5cee7c13f5bbc7a657bbc70d89a858}.json.br hex32
            /static/translations/developer-tools/hr-{7e207e37b524e874d8e3e23a6cb71812}.json.gz hex32
            /static/translations/history/pt-BR-{2f2e51cd7ed7515e1f5d15f313927a43}.json.gz hex32
            /static/translations/history/uk-{276dc957e451d86ab734536233426744}.json hex32
            /static/translations/history/vi-{89fabe26e58defb1f468d7994f628652}.json hex32
            /static/translations/it-{90a0d6efcc3c3274c6f0700befa25cde}.json.gz hex32
            /static/translations/lovelace/fi-{47bd175ebc4cab5c76a65a4695005265}.json hex32
            /static/translations/map/ne-{67b793e78bed1c83ff261c7c2d185c20}.json.br hex32
            /static/translations/my/bs-{3fbc6dee83c50b4b4786209bbd7061e7}.json.gz hex32
            /static/translations/page-demo/fa-{637cc7d104d822daa899aa42a04ab5d2}.json hex32
            /static/fonts/roboto/Roboto-Black.woff2
            /static/fonts/roboto/Roboto-ThinItalic.woff2
            /static/icons/favicon-apple-180x180.png
            /static/icons/maskable_icon-512x512.png
            /static/icons/tile-win-310x150.png
            /static/icons/tile-win-70x70.png
            /static/images/qr-appstore.svg.br
            /static/locale-data/intl-datetimeformat/es-419.json.br
            /static/locale-data/intl-datetimeformat/vi.json.br
            /static/locale-data/intl-displaynames/es-419.json
            /static/locale-data/intl-displaynames/pl.json
            /static/locale-data/intl-numberformat/ko.json
            /static/locale-data/intl-numberformat/lt.json
            /static/locale-data/intl-numberformat/sr.json.gz
            /static/locale-data/intl-relativetimeformat/fa.json.br
            /static/locale-data/intl-relativetimeformat/sr.json.gz
            /sw-modern.js
            """)
        + HashedNameRow.table(
            "Angular 8 and 14 pages: webpack",
            """
            /runtime.{ebbf1c9e7c3039a883e3}.js hex20
            /polyfills.{f59f1e27b134ea3b3d6c}.js hex20
            /main.{17bf9f1d52057d8f0abf}.js hex20
            /runtime.{b6fbf617c2a6ed40}.js hex16
            /polyfills.{ba7d2613d9af8d48}.js hex16
            /main.{d7ac0e33a2b8f83f}.js hex16
            """)
        + HashedNameRow.table(
            "Create React App, Vue CLI, Gatsby, Docusaurus, Storybook pages: webpack",
            """
            /static/js/main.{4b51ce30}.chunk.js hex8
            /static/js/main.{7bd4a5f6}.js hex8
            /static/css/main.{6469d74d}.css hex8
            /js/chunk-vendors.{a2e4d9cb}.js hex8
            /js/chunk-vendors.{f6a982e8}.js hex8
            /js/app.{19d59917}.js hex8
            /webpack-runtime-{0e11ed03533eb43aa22d}.js hex20
            /commons-{095679602a6e1870f198}.js hex20
            /webpack-runtime-{cde5506958f1afc4d89e}.js.br hex20
            /assets/js/main.{65e164b9}.js hex8
            /assets/js/runtime~main.{498c7ca0}.js hex8
            /assets/js/styles.{750a2949}.js hex8
            /docs/assets/js/fc50e0c5.{f682c90a}.js hex8
            /docs/assets/js/ff7d8336.{5b6af725}.js hex8
            /assets/js/runtime~main.{307c189a}.js hex8
            /main.{c2b02396}.iframe.bundle.js hex8
            /961.{4f47a6ca}.iframe.bundle.js.map hex8
            /components-Select-Select-stories.{f9dcb88a}.iframe.bundle.js.map hex8
            /umi.{~da948370}.js
            /static/js/bundle.js
            /static/js/main.chunk.js
            /js/chunk-vendors.js
            """)

    @Test("the hash of a chunk or asset is found, and nothing else", arguments: rows)
    func names(_ row: HashedNameRow) {
        row.check()
    }
}
