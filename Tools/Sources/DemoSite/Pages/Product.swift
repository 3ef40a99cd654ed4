/// Something the sample shop sells. All of it is made up.
struct Product {
    let number: Int
    let name: String
    let picture: String
    let unit: String
    /// Price in cents.
    let cents: Int
    let place: String
    let text: String

    /// The shelf, in the order of the pictures.
    static let all: [Product] = [
        Product(
            number: 1, name: "Vine tomatoes", picture: "tomato", unit: "500 g", cents: 249, place: "Lindow valley",
            text: "Ripened on the vine and picked this morning. Sweet, with a firm skin that holds in a salad."),
        Product(
            number: 2, name: "Bunched carrots", picture: "carrot", unit: "1 bunch", cents: 189, place: "Marsh farm",
            text: "Young roots with their greens on. Roast them whole, and keep the tops for a pesto."),
        Product(
            number: 3, name: "Ripe avocados", picture: "avocado", unit: "2 pieces", cents: 319, place: "Costa Brisa",
            text: "Ready to eat today or tomorrow. Buttery flesh, a small stone, and no dark spots."),
        Product(
            number: 4, name: "Leafy lemons", picture: "lemon", unit: "4 pieces", cents: 229, place: "Isola Chiara",
            text: "Unwaxed, so the peel is yours to grate. Bright juice with a flowery note."),
        Product(
            number: 5, name: "Hearth loaf", picture: "bread", unit: "750 g", cents: 420, place: "Mill Street bakery",
            text: "Wheat and rye, risen for a day and baked on stone. The crust crackles while it cools."),
        Product(
            number: 6, name: "Alpine cheese", picture: "cheese", unit: "250 g", cents: 575, place: "Upper Tarn dairy",
            text: "Aged for nine months on spruce boards. Nutty and mild, melts without a fight."),
        Product(
            number: 7, name: "Blueberries", picture: "blueberry", unit: "300 g", cents: 365, place: "Heath gardens",
            text: "Small and dark, from bushes that stand in the wind. Good frozen, better by the handful."),
        Product(
            number: 8, name: "Aubergines", picture: "aubergine", unit: "2 pieces", cents: 275, place: "Lindow valley",
            text: "Glossy and heavy for their size. Grill until they slump, then add lemon and oil."),
    ]
}
