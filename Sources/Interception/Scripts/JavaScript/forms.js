// Forms that the web view sends by itself as multipart/form-data: their content is handed over, and a name is sent in its
// place. The web view sends the form all the same: target, history and referrer are its own.

const formDataOf = getter(FormDataEvent.prototype, 'formData');
const submitterOf = getter(SubmitEvent.prototype, 'submitter');
const targetOf = getter(Event.prototype, 'target');
const phaseOf = getter(Event.prototype, 'eventPhase');
const wasPrevented = getter(Event.prototype, 'defaultPrevented');
const deleteEntry = method(FormData.prototype, 'delete');
const appendEntry = method(FormData.prototype, 'append');
const hasAttribute = method(Element.prototype, 'hasAttribute');
const charsetOf = getter(Document.prototype, 'characterSet');
const acceptedCharset = getter(HTMLFormElement.prototype, 'acceptCharset');

/// Getters of an element's `action`, `enctype` and `method`, for a form and for the buttons that may replace them.
const ofForm = {__proto__: null};
const ofButton = {__proto__: null};
const ofInput = {__proto__: null};
for (let index = 0, names = ['Action', 'Enctype', 'Method']; index < 3; index += 1) {
  const name = names[index];
  ofForm[name] = getter(HTMLFormElement.prototype, lowerCase(name));
  ofButton[name] = getter(HTMLButtonElement.prototype, `form${name}`);
  ofInput[name] = getter(HTMLInputElement.prototype, `form${name}`);
}
const isButton = isOf(ofButton.Action);

/// Where, how and in which form it is sent, HTML §4.10.21.3.
const submissionOption = (name, form, submitter) => {
  if (!submitter || !hasAttribute(submitter, `form${lowerCase(name)}`)) return ofForm[name](form);
  return (isButton(submitter) ? ofButton : ofInput)[name](submitter);
};

/// How many forms are being read for `new FormData`, which has the event of a submission.
let reading = 0;
replaceConstructor(self, 'FormData', (native, values, target) => {
  if (argument(values, 0) === undefined) return construct(native, values, target);
  reading += 1;
  try {
    return construct(native, values, target);
  } finally {
    reading -= 1;
  }
});

/// The last event of a form that is to be sent; `form.submit()` has none.
let submission;
listen(self, 'submit', event => {
  if (event.isTrusted) submission = event;
}, true);

const takeSubmitter = form => {
  const event = submission;
  if (!event || targetOf(event) !== form || phaseOf(event) !== 0 || wasPrevented(event)) return null;
  submission = undefined;
  return submitterOf(event);
};

const isUTF8 = form => {
  const accepted = acceptedCharset(form);
  return lowerCase(accepted === '' ? charsetOf(document) : accepted) === 'utf-8';
};

const putNameInPlace = event => {
  if (!event.isTrusted || reading > 0) return;
  const form = targetOf(event), submitter = takeSubmitter(form);
  const url = handledURL(submissionOption('Action', form, submitter));
  if (!url || submissionOption('Method', form, submitter) !== 'post'
    || submissionOption('Enctype', form, submitter) !== 'multipart/form-data' || !isUTF8(form)) return;
  const data = formDataOf(event), entries = snapshot(data), name = makeName();
  handOver(multipart(entries, `----WebKitFormBoundary${name}`), url, tellNobody, name, ';form=1');
  for (let index = 0; index < entries.length; index += 1) deleteEntry(data, entries[index].name);
  appendEntry(data, name, '');
};

// Each time it becomes the last listener: the page's may add entries.
const readForm = event => {
  try {
    if (isOn('form')) putNameInPlace(event);
  } catch {
    // It is sent as it is, and refused.
    noteFault('form');
  }
};
listen(self, 'formdata', () => {
  stopListening(self, 'formdata', readForm);
  listen(self, 'formdata', readForm);
}, true);
