import Testing

@Suite("HashedName: Vite, Rollup, Rolldown")
struct HashedNameViteTests {
    static let rows =
        HashedNameRow.table(
            "Streamlit 1.67: Vite",
            """
            /static/js/Autocomplete.{egUn8L68}.js rollup
            /static/js/IFrame.{DoeBhz7M}.js rollup
            /static/js/Quiver.{yoqUC9Km}.js rollup
            /static/js/Table.{CGMoNb2f}.js rollup
            /static/js/TextArea.{DxPXcY61}.js rollup
            /static/js/_arrayReduce.{CiwPAjrV}.js rollup
            /static/js/_baseFlatten.{IOj0lc7G}.js rollup
            /static/js/chunk-AQDTSKZB.{B52eJJ_X}.js rollup
            /static/js/chunk-DSNLSHJZ.{-nGtwVQu}.js rollup
            /static/js/chunk-ZCHMQSOR.{BotO4r5N}.js rollup
            /static/js/dagre-NK4GIZVX.{DjL8PBAK}.js rollup
            /static/js/emotion-styled.browser.esm.{DdOkyKg_}.js rollup
            /static/js/isUndefined.{Dk8JX1dj}.js rollup
            /static/js/last.{DfjdtCRp}.js rollup
            /static/js/opacities.{Blb4Ho7_}.js rollup
            /static/js/sankeyDiagram-SY24JHO5.{GKFeuW8e}.js rollup
            /static/js/swimlanes-B3ENRKFQ.{CL-VIjgG}.js rollup
            /static/js/types.{DosXGzv6}.js rollup
            /static/js/useLabel.{BAkLcsHg}.js rollup
            /static/js/web-namespaces.{BxZ_GhEx}.js rollup
            /static/js/withCalculatedWidth.{CCwwmAXk}.js rollup
            /static/media/KaTeX_Size4-Regular.{Dl5lxZxV}.woff2 rollup
            /static/media/balloon-3.{CgSk4tbL}.png rollup
            /static/media/flake-0.{DgWaVvm5}.png rollup
            /static/css/index.{~C1JORDN2}.css
            /static/js/usecaseDiagram-WPOLBNNX.{~nIotZ994}.js
            """)
        + HashedNameRow.table(
            "Gradio 6.31: Vite with Rolldown",
            """
            /assets/Example-{C1Twyudg}.css rollup
            /assets/Example-{D6iMfRHL}.js rollup
            /assets/Example-{DmuA3I8U}.js rollup
            /assets/Example-{DnvFc5cc}.js rollup
            /assets/Example-{guFL0Sj1}.css rollup
            /assets/Example-{qsJQ3Pbm}.css rollup
            /assets/ImagePreview-{D7QICQRi}.js rollup
            /assets/Index-{B9mS52j-}.js rollup
            /assets/Index-{Dby06FXm}.js rollup
            /assets/KaTeX_Caligraphic-Regular-{wX97UBjC}.ttf rollup
            /assets/KaTeX_SansSerif-Bold-{DbIhKOiC}.woff rollup
            /assets/chunk-XXDRQBXY-{D2R9oQiJ}.js rollup
            /assets/decalFragment-{C340LrdL}.js rollup
            /assets/diagram-VX7I27RA-{DIy-4CLd}.js rollup
            /assets/dist-{BvO6rZQM}.js rollup
            /assets/drawWrapper-{oCi5T3b9}.js rollup
            /assets/flowGraphSceneTickEventBlock-{oz35HVyS}.js rollup
            /assets/gitGraph-4MIJSDKK-{D_iwvy_-}.js rollup
            /assets/hdrCubeTexture-{C6F_rpiQ}.js rollup
            /assets/hf-logo-{8sK58_pS}.svg rollup
            /assets/iblIcdf.fragment-{CdIViFnG}.js rollup
            /assets/logDepthVertex-{B7eOEYaq}.js rollup
            /assets/smartArray-{BRfcgNbX}.js rollup
            /assets/src-{B8NTxzPO}.css rollup
            /assets/Index-{~7SFRRDDY}.js
            /assets/bonesVertex-{~BIfu6COM}.js
            /assets/Index-Akn07EZk2.js
            /static/bokeh/3.8.1/bokeh-api-3.8.1.min.js
            /static/fonts/ChakraPetch/ChakraPetch-Regular.woff2
            /static/fonts/IBMPlexMono/IBMPlexMono-Bold.woff2
            /static/fonts/IBMPlexSans/IBMPlexSans-Bold.woff2
            /static/fonts/Inconsolata/Inconsolata-Bold.woff2
            /static/fonts/Lexend/Lexend-SemiBold.woff2
            /static/fonts/Lora/Lora-Regular.woff2
            /static/fonts/Montserrat/Montserrat-Regular.woff2
            /static/fonts/Quicksand/Quicksand-Bold.woff2
            /static/fonts/SourceCodePro/SourceCodePro-Regular.woff2
            /static/fonts/SourceCodePro/SourceCodePro-SemiBold.woff2
            /static/fonts/SourceSansPro/SourceSansPro-Regular.woff2
            /static/fonts/SourceSansPro/SourceSansPro-SemiBold.woff2
            /static/fonts/Ubuntu/Ubuntu-Regular.woff2
            """)
        + HashedNameRow.table(
            "Prefect 3.9.1: Vite",
            """
            /assets/Settings-{DTjaFxCR}.css rollup
            /assets/WorkPoolQueue-{CHGh2RsG}.css rollup
            /assets/artifacts-{BeH7wRjB}.js rollup
            /assets/automation-wizard-{J7ZBDMad}.js rollup
            /assets/automations-{C0wrNbSX}.js rollup
            /assets/catalog_._slug-{DsS1Ht11}.js rollup
            /assets/deployment._id-{DcrFdMYh}.js rollup
            /assets/deployment_._id.run-{VFFMa6xa}.js rollup
            /assets/flow-runs-{3tV5CHYT}.js rollup
            /assets/index-{Bny_92F-}.js rollup
            /assets/key-value-{CHalWkjN}.js rollup
            /assets/packet-JDAUHWVQ-{CEkSsFUF}.js rollup
            /assets/prefect-ui-library-{L3Ur-jad}.js rollup
            /assets/radar-ABXABTNO-{Uv_UwIF4}.js rollup
            /assets/use-delete-automation-confirmation-dialog-{C-5cPbBu}.js rollup
            /assets/use-is-overflowing-{Bip48bA9}.js rollup
            /assets/use-resource-options-{Dmi65ul1}.js rollup
            /assets/utils-{BnzCgmVg}.js rollup
            /assets/variables-{Dx20fphM}.js rollup
            /assets/json-input-lazy-{~CSPENhCa}.js
            /decorative_iso-pixel-grid_dark.svg
            /decorative_iso-pixel-grid_light.svg
            /fonts/Geist-VariableFont_wght.ttf
            /fonts/GeistMono-VariableFont_wght.ttf
            /ico/android-chrome-512x512.png
            /ico/failed.svg
            /ico/favicon-32x32.png
            /ico/favicon-dark.ico
            /ico/favicon.ico
            /pending.svg
            /robots.txt
            /running.svg
            /scheduled.svg
            """)
        + HashedNameRow.table(
            "NiceGUI 3.18: Rollup",
            """
            /_nicegui/3.18.0/esm/codemirror/cmake-{DXn5xaP-}.js rollup
            /_nicegui/3.18.0/esm/codemirror/index-{DLeGQxSn}.js rollup
            /_nicegui/3.18.0/esm/codemirror/index-{Nq7t1WDl}.js rollup
            /_nicegui/3.18.0/esm/codemirror/lua-{8DXOpKDz}.js rollup
            /_nicegui/3.18.0/esm/codemirror/mirc-{DkvFAiy5}.js rollup
            /_nicegui/3.18.0/esm/codemirror/modelica-{DSrSSXCg}.js rollup
            /_nicegui/3.18.0/esm/codemirror/q-{B0kTJ4cI}.js rollup
            /_nicegui/3.18.0/esm/codemirror/ttcn-cfg-{CKJxb-l2}.js rollup
            /_nicegui/3.18.0/esm/codemirror/velocity-{BdD_26Jv}.js rollup
            /_nicegui/3.18.0/esm/mermaid/chunk-2Q5K7J3B-{CjJOU3vT}.js rollup
            /_nicegui/3.18.0/esm/mermaid/cose-bilkent-JH36ORCC-{Cyw42Mp4}.js rollup
            /_nicegui/3.18.0/esm/mermaid/ebnfDiagram-BXEA7PRR-{CBpa3iG_}.js rollup
            /_nicegui/3.18.0/static/fonts/{bb828b03a1f11130}.woff2 hex16
            /_nicegui/3.18.0/esm/codemirror/pascal-{~CafrKXZF}.js
            /_nicegui/3.18.0/esm/leaflet/leaflet-draw/images/marker-icon-2x.png
            /_nicegui/3.18.0/esm/leaflet/leaflet-draw/images/marker-shadow.png
            /_nicegui/3.18.0/esm/leaflet/leaflet/images/layers-2x.png
            /_nicegui/3.18.0/esm/leaflet/leaflet/images/marker-icon.png
            /_nicegui/3.18.0/static/fonts.css
            /_nicegui/3.18.0/static/lang/de-CH.umd.prod.js
            /_nicegui/3.18.0/static/lang/mk.umd.prod.js
            /_nicegui/3.18.0/static/lang/ms-MY.umd.prod.js
            /_nicegui/3.18.0/static/lang/nl.umd.prod.js
            /_nicegui/3.18.0/static/lang/pl.umd.prod.js
            /_nicegui/3.18.0/static/lang/ro.umd.prod.js
            /_nicegui/3.18.0/static/lang/sr.umd.prod.js
            /_nicegui/3.18.0/static/lang/ta.umd.prod.js
            /_nicegui/3.18.0/static/lang/ur-PK.umd.prod.js
            /_nicegui/3.18.0/static/lang/zh-TW.umd.prod.js
            /_nicegui/3.18.0/static/quasar.unimportant.css
            /_nicegui/3.18.0/static/utils/json.js
            """)
        + HashedNameRow.table(
            "relative-ci.com guide: Vite 5",
            """
            /assets/utils.{8L8ZNlhE}.css rollup
            /assets/index.{_deYuKRK}.css rollup
            /assets/repo-list.{KTrC4ioP}.js rollup
            /assets/CloseOutlined.{Ac2Sglwr}.js rollup
            /assets/col.{KPyWUTbA}.js rollup
            /assets/utils.{pw5xtUsQ}.js rollup
            /assets/about.{_IcwKZoH}.js rollup
            /assets/repo-details.{O1eeDOyK}.js rollup
            /assets/index.{rdoY6xeT}.js rollup
            """)
        + HashedNameRow.table(
            "Vite 2 to 4 build logs",
            """
            /assets/vue-{5532db34}.svg hex8
            /assets/index-{fc5f319f}.css hex8
            /assets/index-{2f5592b9}.js hex8
            /assets/Video.{ce9d6500}.js hex8
            /assets/index.{404f5c02}.js hex8
            /assets/Player.{c1f283e6}.js hex8
            /chunk-{8109fd17}.js hex8
            /chunk-{000e277f}.js hex8
            """)
        + HashedNameRow.table(
            "shiki 1 modules: Rollup",
            """
            /node_modules/@shikijs/engine-javascript/dist/scanner-{BFcBmQR1}.mjs rollup
            /node_modules/shiki/dist/langs-bundle-full-{DfKZStlK}.mjs rollup
            /node_modules/shiki/dist/chunk-{~CtajNgzt}.mjs
            """)
        + HashedNameRow.table(
            "VitePress sites",
            """
            /assets/guide_element_class.md.{a6edb017}.lean.js hex8
            /assets/guide_element_event.md.{356f47f9}.js hex8
            /assets/guide_api-plugin.md.{~6884005a}.lean.js
            /assets/articles_2022-08-20-gitmoji.md.{1c23a1b2}.lean.js hex8
            """)
        + HashedNameRow.table(
            "Astro sites; ec.* is Expressive Code",
            """
            /_astro/index.{VNyUH0cA}.css rollup
            /_astro/index.{~Cz6femgl}.css
            /_astro/ec.1vui4.css
            /_astro/ec.dy9ns.js
            /_astro/BasicLink.css
            /_astro/index.css
            """)
        + HashedNameRow.table(
            "rolldown issue 10589: hash and a counter",
            """
            /_app/immutable/chunks/64wscCUN2.js
            /chunks/B5OqllOx2.js
            """)

    @Test("the last hash is found, unless it reads like words", arguments: rows)
    func names(_ row: HashedNameRow) {
        row.check()
    }
}
