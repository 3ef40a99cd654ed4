// The page's history: an entry at its own https origin is one at the page's own scheme.

const turnEntry = index => (native, receiver, values) => {
  turnArgument(values, index, atPageScheme);
  return apply(native, receiver, values);
};
replace(History.prototype, 'pushState', turnEntry(2));
replace(History.prototype, 'replaceState', turnEntry(2));
replace(self.Navigation && Navigation.prototype, 'navigate', turnEntry(0));
