/// The style sheet of the report, in three parts: colours, layout of the parts, narrow screens and paper.
enum HTMLStyles {
    static let text = [colours, page, charts, tables, matrix, narrow, paper].joined(separator: "\n")

    /// The outcome colours keep 3:1 against both backgrounds of their theme (WCAG 2.2, 1.4.11) and stay apart from
    /// each other in simulated protanopia, deuteranopia and tritanopia. Text never has them.
    private static let colours = """
        :root {
          color-scheme: light dark;
          --paper: #f5f6f8; --card: #ffffff; --ink: #1b2029; --soft: #59616e; --rule: #dfe3e9; --fill: #eceff3;
          --accent: #058e71; --control: #808a99; --good: #0a7a55; --bad: #b3122e;
          --hit: #058e71; --stale-hit: #969208; --validated: #1096da; --collapsed: #7d2d86; --stored: #4f49df;
          --forwarded: #97560a; --failed: #8e0730; --other: #6f7680;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #10131a; --card: #171b22; --ink: #e7eaf0; --soft: #a2abb9; --rule: #2b313c; --fill: #222833;
            --accent: #43d9b1; --control: #7d8796; --good: #4fd6a5; --bad: #ff7b8a;
            --hit: #5afad1; --stale-hit: #efe402; --validated: #57c2f5; --collapsed: #ae629a; --stored: #4d87fe;
            --forwarded: #eb9d5b; --failed: #e8262f; --other: #9aa3af;
          }
        }
        .o-hit { --c: var(--hit) } .o-stale-hit { --c: var(--stale-hit) } .o-validated { --c: var(--validated) }
        .o-collapsed { --c: var(--collapsed) } .o-stored { --c: var(--stored) }
        .o-forwarded { --c: var(--forwarded) } .o-failed { --c: var(--failed) } .o-other { --c: var(--other) }
        """

    private static let page = """
        * { box-sizing: border-box; margin: 0 }
        html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
        body { background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif }
        main { max-width: 1240px; margin: 0 auto; padding: 40px 32px 64px }
        section { margin-top: 44px }
        h1 { font-size: 30px; line-height: 1.2; letter-spacing: -.015em; overflow-wrap: anywhere }
        h2 { font-size: 19px; letter-spacing: -.005em; margin-bottom: 14px }
        h3 { font-size: 15px } h4 { font-size: 14px; font-weight: 600 }
        ul, ol { list-style: none; padding: 0 }
        code, .url { font: 12px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace }
        .eyebrow { color: var(--soft); font-size: 13px; font-weight: 600; margin-bottom: 6px }
        .url { color: var(--soft); font-size: 14px; margin-top: 4px; overflow-wrap: anywhere; unicode-bidi: isolate }
        .conditions { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 14px }
        .conditions li { background: var(--fill); border-radius: 12px; padding: 2px 12px; font-size: 13px }
        .card { background: var(--card); border: 1px solid var(--rule); border-radius: 12px; padding: 20px 22px }
        .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
        .bad { color: var(--bad) }
        .count { color: var(--soft); font-size: 14px; font-weight: 400; margin-left: 6px }
        .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
          white-space: nowrap }

        .headline { margin-top: 28px }
        .headline h2 { font-size: 14px; font-weight: 400; color: var(--soft); margin-bottom: 6px }
        .headline ol { display: grid; grid-template-columns: repeat(auto-fit, minmax(240px, 1fr)); gap: 16px 12px }
        .headline li { display: grid; align-content: start }
        .headline span { font-size: 14px; font-weight: 600; max-width: 22ch; overflow: hidden; text-overflow: ellipsis;
          white-space: nowrap }
        .headline strong { font-size: 36px; line-height: 44px; letter-spacing: -.02em;
          font-variant-numeric: tabular-nums; white-space: nowrap }
        .headline .none { font-size: 24px; color: var(--soft) }
        .headline small { color: var(--soft); font-size: 13px }

        .checks { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); gap: 10px }
        .checks li { display: flex; gap: 12px; background: var(--card); border: 1px solid var(--rule);
          border-radius: 10px; padding: 10px 14px; overflow-wrap: anywhere; position: relative }
        .checks li.fails { border-color: var(--bad) }
        .checks li > b { font-size: 17px; line-height: 23px; color: var(--good) }
        .checks .fails > b { color: var(--bad) }
        .checks small { display: block; color: var(--soft); font-size: 13px }
        """

    private static let charts = """
        .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); gap: 16px }
        .chart figcaption { display: flex; flex-wrap: wrap; gap: 0 8px; align-items: baseline; margin-bottom: 10px }
        .chart figcaption span { color: var(--soft); font-size: 13px }
        .chart .group { padding: 8px 0; border-top: 1px solid var(--rule) }
        .chart h4 { overflow-wrap: anywhere; margin-bottom: 2px }
        .line { display: flex; align-items: center; font-size: 13px; line-height: 22px }
        .line span { flex: 0 0 62px; color: var(--soft) }
        .line i { flex: none; height: 12px; border-radius: 2px 4px 4px 2px; background: var(--control);
          width: calc((100% - 130px) * var(--share)); min-width: 2px }
        .line.larder i { background: var(--accent) }
        .line b { padding-left: 8px; font-weight: 400; font-variant-numeric: tabular-nums; white-space: nowrap }
        .line.larder b { font-weight: 600 }
        .line em { color: var(--soft) }

        .gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 420px), 1fr));
          gap: 28px 24px }
        .shots h3 { margin-bottom: 8px; overflow-wrap: anywhere }
        .shots > div { display: flex; gap: 14px; align-items: flex-start }
        .shots figure { flex: 1 1 0; min-width: 0; max-width: 340px }
        .shots figcaption { font-size: 13px; margin-top: 8px; text-align: center }
        .shots small { display: block; font-size: 13px; color: var(--soft); white-space: nowrap }
        .frame { border: 5px solid #2a2f38; border-radius: 20px; overflow: hidden; background: #2a2f38;
          box-shadow: 0 0 0 1px var(--rule), 0 6px 18px rgb(0 0 0 / .14) }
        .frame img { display: block; width: 100%; height: auto; border-radius: 14px }
        .frame.phone img { aspect-ratio: 390 / 844; object-fit: cover; object-position: top }
        .frame.window { border-width: 14px 2px 2px; border-radius: 8px }
        .frame.window img { border-radius: 0 0 6px 6px }
        .frame.empty { background: var(--fill); border-color: var(--fill); box-shadow: 0 0 0 1px var(--rule) }
        .empty p { display: grid; place-items: center; aspect-ratio: 390 / 844; padding: 4px; text-align: center;
          color: var(--soft); font-size: 13px }
        """

    private static let tables = """
        table { border-collapse: collapse; width: 100% }
        th { font-weight: 600; text-align: left } thead th { font-size: 13px; color: var(--soft); font-weight: 400 }
        thead th.number { text-align: right }
        .badge { display: inline-flex; align-items: baseline; gap: 5px; white-space: nowrap; font-size: 13px;
          max-width: 100%; overflow: hidden; text-overflow: ellipsis }
        .badge::before { content: ""; width: 9px; height: 9px; border-radius: 3px; background: var(--c); flex: none }
        .badge b { font-variant-numeric: tabular-nums }
        .badges { display: flex; flex-wrap: wrap; gap: 0 12px }
        .mix { display: flex; gap: 1px; height: 8px; border-radius: 4px; overflow: hidden; min-width: 90px }
        .mix i { flex: var(--n) 1 0; min-width: 3px; background: var(--c) }

        .visits { background: var(--card); border: 1px solid var(--rule); border-radius: 12px;
          border-collapse: separate; border-spacing: 0; table-layout: fixed }
        .visits th { width: 13.5% } .visits th:nth-child(2) { width: 78px } .visits th.number { width: 92px }
        .visits th:last-child { width: auto }
        .visits th, .visits td { padding: 7px 10px; vertical-align: top }
        .visits thead th:first-child, .visits .name { padding-left: 20px }
        .visits th:last-child, .visits td:last-child { padding-right: 20px }
        .visits tbody tr:first-child > * { border-top: 1px solid var(--rule); padding-top: 12px }
        .visits .name { overflow-wrap: anywhere }
        .visits .who, .visits .control .number { font-weight: 400; color: var(--soft) }
        .visits .larder .who { font-weight: 600; color: var(--ink) }
        .visits .answers .mix { margin: 7px 0 3px }
        .visits .note td { padding-top: 2px; padding-bottom: 14px; color: var(--soft); font-size: 14px }
        .visits .note p { max-width: 90ch; overflow-wrap: anywhere } .visits .note b { font-weight: 600 }
        """

    private static let matrix = """
        .matrix { background: var(--card); border: 1px solid var(--rule); border-radius: 12px; table-layout: fixed;
          border-collapse: separate; border-spacing: 0; font-size: 13px; line-height: 1.4 }
        .matrix th, .matrix td { padding: 6px 10px; vertical-align: top; border-top: 1px solid var(--rule) }
        .matrix thead th { border-top: 0; font-weight: 600; color: var(--ink); overflow-wrap: anywhere }
        .matrix thead th:first-child { width: 26% }
        .matrix tr > :first-child { padding-left: 18px } .matrix tr > :last-child { padding-right: 18px }
        .matrix td { border-left: 3px solid var(--c, transparent) }
        .matrix small { display: block; font-size: 12px; color: var(--soft); font-weight: 400 }
        .matrix .badge::before { content: none } .matrix .badge { white-space: normal; font-weight: 600 }
        .matrix .none { color: var(--soft) } .matrix .what { font-weight: 400 }
        .matrix tbody tr:hover { background: var(--fill) }
        .link { display: flex; white-space: nowrap; unicode-bidi: isolate }
        .place, .file, .query { overflow: hidden; text-overflow: ellipsis; white-space: pre; unicode-bidi: isolate }
        .place { flex: 0 1 auto } .place:empty { display: none }
        .file { flex: 0 0 auto; max-width: 84% } .place:empty + .file { max-width: 100% }
        .query { flex: 0 9 auto; color: var(--soft) }
        .place { color: var(--soft) } .method { flex: none; font-weight: 600; margin-right: 5px }
        .unstored { font-size: 14px } .unstored li { margin-top: 4px; overflow-wrap: anywhere }
        .legend + h3 { margin-top: 18px }
        .legend { margin-top: 10px; font-size: 13px; color: var(--soft); display: grid; gap: 2px 20px;
          grid-template-columns: repeat(auto-fill, minmax(min(100%, 420px), 1fr)) }
        .legend li { display: grid; grid-template-columns: 150px 1fr; align-items: start }
        .legend .badge { color: var(--ink); font-weight: 600 }
        """

    private static let narrow = """
        @media screen and (max-width: 1100px) {
          .visits th.number { width: 78px } .visits th { width: 12% }
          .visits thead th { font-size: 12px; white-space: normal; vertical-align: bottom }
        }
        @media screen and (max-width: 900px) {
          main { padding: 24px 16px 48px }
          section { margin-top: 36px }
          h1 { font-size: 25px }
          .headline ol { display: block; background: var(--card); border: 1px solid var(--rule); border-radius: 12px }
          .headline li { grid-template-columns: 1fr auto; padding: 8px 16px; align-items: center }
          .headline li + li { border-top: 1px solid var(--rule) }
          .headline span { white-space: normal; overflow-wrap: anywhere; max-width: none }
          .headline strong { grid-column: 2; grid-row: 1 / 4; font-size: 26px; line-height: 1.2 }
          .card { padding: 14px 16px }

          .visits thead { display: none }
          .visits, .visits tbody { display: block }
          .visits tbody + tbody { border-top: 1px solid var(--rule) }
          .visits tbody { padding: 12px 16px }
          .visits tr { display: grid; grid-template-columns: repeat(3, 1fr); gap: 4px 10px; padding-bottom: 12px }
          .visits tbody tr > * { padding: 0 !important; border: 0 !important; width: auto !important }
          .visits .name { grid-column: 1 / -1; max-width: none; font-size: 16px }
          .visits .who { grid-column: 1 / -1; border-bottom: 1px solid var(--rule) !important }
          .visits td.number { text-align: left }
          .visits td[data-name]::before { content: attr(data-name); display: block; color: var(--soft);
            font-size: 12px; line-height: 1.3 }
          .visits .answers, .visits .note td { grid-column: 1 / -1 }
          .visits .note td:first-child { display: none }
          .visits .note { padding-bottom: 0 }

          .matrix thead { display: none } .matrix, .matrix tbody { display: block }
          .matrix tr { display: block; padding: 10px 16px; border-top: 1px solid var(--rule) }
          .matrix tr:first-child { border-top: 0 }
          .matrix tr > * { display: block; padding: 2px 8px !important; border-top: 0; width: auto !important }
          .matrix .what { padding-left: 0 !important }
          .matrix td { display: grid; grid-template-columns: 112px 1fr; gap: 0 8px }
          .matrix td[data-name]::before { content: attr(data-name); color: var(--soft) }
          .matrix td small { grid-column: 2 }
          .link { display: block; white-space: normal; overflow-wrap: anywhere }
          .place, .file, .query { white-space: pre-wrap }
          .visits .unknown { display: none }
        }
        """

    private static let paper = """
        @media print {
          :root { --paper: #fff }
          * { print-color-adjust: exact; -webkit-print-color-adjust: exact }
          html { zoom: .68 }
          main { max-width: none; padding: 0 }
          section { margin-top: 32px }
          .gallery { grid-template-columns: repeat(4, 1fr) }
          .card, .checks li, .visits tbody, .shots, .matrix tr { break-inside: avoid }
          h2, h3 { break-after: avoid }
          .frame { box-shadow: none }
        }
        """
}
