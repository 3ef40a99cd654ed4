// Every kind of load has a name, what a plain network makes of it, and a probe that says what came of it in a few words.
const kinds = [];
let section = '';
const kind = (name, expected, probe) => kinds.push({section, name, expected, probe});

const site = `${location.protocol}//example.com`, cdn = `${location.protocol}//example.net`;
// Another origin of the same site.
const sibling = `${location.protocol}//www.example.com`;

// Names for what the origin keeps apart; never the same twice, in no page.
let lastNumber = 0;
const prefix = String(Math.random()).slice(2);
const unique = () => `${prefix}-${++lastNumber}`;

// A probe that has come to nothing by then never will; nothing is measured by it.
const limit = 60000;
let lastAsked = '';

// Of the silent ones no answer is expected, and none is waited for.
async function measure(silent) {
  const results = {};
  for (const {name, probe} of kinds) {
    let timer;
    const late = new Promise(resolve => {
      timer = silent.includes(name)
        ? setTimeout(resolve, 2000, 'no answer') : setTimeout(() => resolve(`no answer; asked last for ${lastAsked}`), limit);
    });
    try {
      results[name] = String(await Promise.race([probe(), late])).replaceAll('app-cache-https:', 'https:');
    } catch (error) {
      results[name] = error?.name ?? String(error);
    }
    clearTimeout(timer);
  }
  return results;
}

// An element that tells when it has loaded.
const element = (tag, attributes, result = () => 'loaded') => new Promise(resolve => {
  const made = document.createElement(tag);
  made.onload = () => resolve(result(made));
  made.onerror = () => resolve('error');
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  document.body.append(made);
});

const event = (target, name, failure = 'error') => new Promise((resolve, reject) => {
  target.addEventListener(name, resolve, {once: true});
  target.addEventListener(failure, () => reject(new DOMException('', failure)), {once: true});
});

const text = async (url, options) => {
  lastAsked = url;
  return (await fetch(url, options)).text();
};

// Waits until the origin has been asked, or until there is an answer, which then came too early.
const arrived = (id, answer) => Promise.race([text(`/arrived?of=${id}`), answer]);

// What the origin was asked under an id: [{method, fields}].
const asked = async id => JSON.parse(await text(`${site}/asked?of=${id}`));
const methods = async id => (await asked(id)).map(request => request.method).join(' ') || 'nothing';
const fields = (request, ...names) => names.map(name => `${name}: ${request?.fields[name] ?? '-'}`).join('; ');

// What a frame tells.
const telling = new Map();
addEventListener('message', ({data}) => telling.get(data?.id)?.(data.text));
const told = id => new Promise(resolve => telling.set(id, resolve));
const frame = (attributes, id) => {
  const made = document.createElement('iframe');
  const answer = told(id);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  document.body.append(made);
  return answer;
};

const sha256 = async content => btoa(String.fromCharCode(
  ...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(content)))));
