// What this script and the one in a world of its own (net.js) tell each other: events of the window, whose name no page knows.

const {ErrorEvent, FocusEvent} = self;
/// Tells the net, and throws nothing at a function of the page's that has done its work.
const tellNet = event => {
  try {
    dispatch(page, event);
  } catch {}
};

/// What goes wrong here leaves a text as the page wrote it; where much does, or much gets past, nothing is turned on this
/// page any more. What was turned before is read back as before.
const mostFailures = 8;
let failures = 0, toldFailures = 0;
const giveUp = () => { failures = toldFailures = mostFailures; };
keepListening(() => listen(page, `${signal};stop`, giveUp));
/// Where the stack has no room for it, the next call tells.
const tellFailures = () => {
  try {
    while (toldFailures < failures) {
      dispatch(page, construct(FocusEvent, [`${signal};fault`]));
      toldFailures += 1;
    }
  } catch {}
};
const safely = (turn, text) => {
  if (toldFailures < failures) tellFailures();
  if (failures >= mostFailures) return text;
  try {
    return turn(text);
  } catch {
    failures += 1;
    tellFailures();
    return text;
  }
};

// The net sees into no shadow tree by itself.
replace(Element.prototype, 'attachShadow', (native, receiver, values) => {
  const root = apply(native, receiver, values);
  if (failures < mostFailures) tellNet(construct(FocusEvent, [`${signal};shadow`, {__proto__: null, relatedTarget: root}]));
  return root;
});

// Beacons are not turned, and can't be told from other requests later.
replace(Navigator.prototype, 'sendBeacon', (native, receiver, values) => {
  const url = argument(values, 0), result = apply(native, receiver, values);
  const message = typeof url === 'string' ? url : isURL(url) ? urlHref(url) : '';
  if (mayName(message)) tellNet(construct(ErrorEvent, [`${signal};beacon`, {__proto__: null, message}]));
  return result;
});
