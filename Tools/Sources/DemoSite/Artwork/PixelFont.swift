/// The letters of the headline: a bitmap per character, five to seven pixels wide and seven high.
///
/// The face has capitals only; lower-case code points show them too.
enum PixelFont {
    /// Family name in the font and in the style sheet.
    static let family = "Pantry Block"

    /// One character's pixels, row by row from the top.
    struct Glyph {
        let character: Unicode.Scalar
        let rows: [[Bool]]

        /// Pixels across.
        var width: Int { rows.first?.count ?? 0 }

        /// Whether a pixel is set; places outside are not.
        func isSet(_ column: Int, _ row: Int) -> Bool {
            row >= 0 && row < rows.count && column >= 0 && column < rows[row].count && rows[row][column]
        }
    }

    /// Every glyph, in the order of the font's glyph numbers after `.notdef`.
    static let glyphs: [Glyph] = table.split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ")
        guard let character = words.first?.unicodeScalars.first else { return nil }
        let rows = words.dropFirst().map { row in row.map { $0 == "#" } }
        return Glyph(character: character == "_" ? " " : character, rows: rows)
    }

    /// A font file, TrueType outlines.
    static let trueType: [UInt8] = TrueTypeWriter(family: family, glyphs: glyphs).bytes()

    private static let table = """
        _ ... ... ... ... ... ... ...
        A .###. ##.## ##.## ##### ##.## ##.## ##.##
        B ####. ##.## ##.## ####. ##.## ##.## ####.
        C .#### ##... ##... ##... ##... ##... .####
        D ####. ##.## ##.## ##.## ##.## ##.## ####.
        E ##### ##... ##... ####. ##... ##... #####
        F ##### ##... ##... ####. ##... ##... ##...
        G .#### ##... ##... ##.## ##.## ##.## .####
        H ##.## ##.## ##.## ##### ##.## ##.## ##.##
        I ## ## ## ## ## ## ##
        J ...## ...## ...## ...## ##.## ##.## .###.
        K ##.## ##.## ####. ###.. ####. ##.## ##.##
        L ##... ##... ##... ##... ##... ##... #####
        M ##...## ###.### ####### ##.#.## ##...## ##...## ##...##
        N ##..## ###.## ###### ##.### ##..## ##..## ##..##
        O .###. ##.## ##.## ##.## ##.## ##.## .###.
        P ####. ##.## ##.## ##.## ####. ##... ##...
        Q .###. ##.## ##.## ##.## ##.## .###. ...##
        R ####. ##.## ##.## ####. ##.## ##.## ##.##
        S .#### ##... ##... .###. ...## ...## ####.
        T ###### ..##.. ..##.. ..##.. ..##.. ..##.. ..##..
        U ##.## ##.## ##.## ##.## ##.## ##.## .###.
        V ##.## ##.## ##.## ##.## ##.## .###. ..#..
        W ##...## ##...## ##...## ##.#.## ####### ###.### ##...##
        X ##.## ##.## .###. ..#.. .###. ##.## ##.##
        Y ##..## ##..## ##..## .####. ..##.. ..##.. ..##..
        Z ##### ...## ..##. .##.. ##... ##... #####
        0 .###. ##.## ##.## ##.## ##.## ##.## .###.
        1 .## ### .## .## .## .## .##
        2 ####. ...## ...## .###. ##... ##... #####
        3 ####. ...## ...## .###. ...## ...## ####.
        4 ##.## ##.## ##.## ##### ...## ...## ...##
        5 ##### ##... ##... ####. ...## ...## ####.
        6 .###. ##... ##... ####. ##.## ##.## .###.
        7 ##### ...## ..##. ..##. .##.. .##.. .##..
        8 .###. ##.## ##.## .###. ##.## ##.## .###.
        9 .###. ##.## ##.## .#### ...## ...## .###.
        . .. .. .. .. .. ## ##
        , .. .. .. .. ## ## #.
        ! ## ## ## ## ## .. ##
        ? ####. ...## ...## ..##. ..##. ..... ..##.
        - .... .... .... #### .... .... ....
        & .###.. ##.##. ##.##. .###.. ##.### ##.##. .#####
        ' ## ## #. .. .. .. ..
        : .. ## ## .. ## ## ..
        """
}
