// Forms whose answer takes the place of their own page: WebKit stops what that page has under way.
const inOwnPage = async (action, {page = '', url = '/form', fields = '', files = [notes()], name = unique()} = {}) => {
  const id = unique(), answer = told(id), made = document.createElement('iframe'), shown = event(made, 'load');
  [made.src, made.name] = [`/frame.html?id=${unique()}${page}`, name];
  document.body.append(made);
  await shown;
  const inner = made.contentDocument, transfer = new DataTransfer();
  inner.body.innerHTML = `<form method="post" enctype="multipart/form-data" action="${url}?id=${id}"><input name="before" value="1">`
    + `${fields}<input type="file" name="file" multiple><input name="after" value="2"><button id="go">Go</button></form>`;
  const form = inner.forms[0];
  for (const file of files) transfer.items.add(file);
  form.elements.file.files = transfer.files;
  const seen = await action(form, id, made, answer);
  const result = seen ?? upload(await answer).replaceAll(id, 'ID');
  made.remove();
  return result;
};
const press = form => { form.elements.go.click(); };
const sentTo = (form, url) => {
  form.action = url;
  press(form);
};
kind('form in its own page, submit()', `POST ${usual}`, () => inOwnPage(form => { form.submit(); }));
kind('form in its own page, its button', `POST ${usual}`, () => inOwnPage(press));
kind('form in its own page, without a file', `POST ${manyParts(fieldIn('before', 1), noFileIn('file'), fieldIn('after', 2))}`,
  () => inOwnPage(press, {files: []}));
kind('form in its own page, a large file', `POST multipart/form-data; boundary=B --B|Content-Disposition: form-data; name="file"; filename="large.bin"|Content-Type: application/x-own 3500000 bytes, as they were`,
  () => inOwnPage(form => {
    form.elements.before.remove();
    form.elements.after.remove();
    press(form);
  }, {url: '/form-pattern', files: [largeFile(megabytes)]}));
kind('form in its own page, several encodings', `POST ${usual}`, () => inOwnPage(form => {
  form.acceptCharset = 'UNKNOWN, UTF-8 ISO-8859-1';
  press(form);
}));
kind('form in its own page, other origin', `POST ${usual}`, () => inOwnPage(press, {url: `${cdn}/form`}));
kind('form in its own page, redirected by 303', 'GET - id=ID',
  () => inOwnPage((form, id) => sentTo(form, `/redirect?status=303&to=${encodeURIComponent(`/form?id=${id}`)}`)));
kind('form in its own page, redirected by 307', `POST ${usual}`,
  () => inOwnPage((form, id) => sentTo(form, `/redirect?status=307&to=${encodeURIComponent(`/form?id=${id}`)}`)));
kind('form in its own page, which its target names', `POST ${usual}`, () => inOwnPage(form => {
  form.target = 'itself';
  press(form);
}, {name: 'itself'}));
kind('form in a frame, which takes the place of the frame around it', `POST ${usual}`, () => inOwnPage(async (form, id, made, answer) => {
  const inside = made.contentDocument.createElement('iframe'), shown = event(inside, 'load');
  inside.src = `/frame.html?id=${unique()}`;
  form.ownerDocument.body.append(inside);
  await shown;
  form.target = '_parent';
  inside.contentDocument.body.append(form);
  // The frame around it tells its own parent.
  press(form);
}));
kind('form in its own page, its events', `submit formdata ${usual}`, () => inOwnPage(async (form, id, made, answer) => {
  const seen = [];
  for (const name of ['submit', 'formdata']) made.contentWindow.addEventListener(name, () => seen.push(name));
  press(form);
  return `${seen.join(' ')} ${upload(await answer).slice(5)}`;
}));
kind('form in its own page, pressed twice', `POST ${usual}`, () => inOwnPage(form => {
  press(form);
  press(form);
}));
kind('form in its own page, whose submit event submits it', `POST ${usual}`, () => inOwnPage(form => {
  form.addEventListener('submit', () => form.submit());
  press(form);
}));
kind('form in its own page, which has another self', `POST ${usual}`, () => inOwnPage((form, id, made) => {
  made.contentWindow.self = {};
  form.submit();
}));
kind('form in its own page, which was written anew', `POST ${usual}`, () => inOwnPage((form, id, {contentDocument: inner}) => {
  const markup = form.outerHTML, {files} = form.elements.file;
  inner.open();
  inner.write(markup);
  inner.close();
  inner.forms[0].elements.file.files = files;
  inner.forms[0].submit();
}));
kind('form of a frame, read as FormData by the page around it', 'before file after', () => inOwnPage(form => [...new FormData(form).keys()].join(' ')));
kind('form in its own page, prevented', 'nothing', () => inOwnPage((form, id) => {
  form.addEventListener('submit', event => event.preventDefault());
  press(form);
  return methods(id);
}));
kind('form in its own page, loaded again', 'POST GET', () => inOwnPage(async (form, id, made, answer) => {
  const loaded = event(made, 'load');
  press(form);
  await Promise.all([answer, loaded]);
  const again = told(id);
  made.contentWindow.location.reload();
  await again;
  return methods(id);
}));
const policy = text => `&csp=${encodeURIComponent(text)}`;
kind("form in its own page, CSP default-src 'none'; form-action 'self'", `POST ${usual}`,
  () => inOwnPage(press, {page: policy("default-src 'none'; form-action 'self'")}));
kind("form in its own page, CSP form-action 'none'", 'form-action nothing', () => inOwnPage(async (form, id, made) => {
  const refused = event(made.contentDocument, 'securitypolicyviolation');
  press(form);
  return `${(await refused).effectiveDirective} ${await methods(id)}`;
}, {page: policy("form-action 'none'")}));
const western = {page: '&type=text/html;charset=windows-1252', fields: '<input name="odd">'};
kind('form in a page in windows-1252, ASCII', `POST ${manyParts(fieldIn('before', 1), fieldIn('odd', ''), fileIn('file'), fieldIn('after', 2))}`,
  () => inOwnPage(press, western));
kind('form in a page in windows-1252, other letters', 'POST multipart/form-data; boundary=B 486 octets', () => inOwnPage(form => {
  form.elements.odd.value = 'ö€☃😀"';
  form.elements.odd.name = 'ü';
  press(form);
}, western));
kind('form in a page in Shift_JIS, ASCII', `POST ${usual}`, () => inOwnPage(press, {page: '&type=text/html;charset=shift_jis'}));
