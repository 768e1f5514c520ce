import { type Html, html } from '#server/platform/html.ts'
import { plainMark } from '#server/platform/http/plain-mark.ts'
import { type DirectoryLanguage, directoryTexts } from './directory-texts.ts'
import type { DirectoryPerson, Exchange } from './scim-client.ts'

interface View {
  organization: string
  mailDomain: string
  language: DirectoryLanguage
  /** Undefined where the portal did not answer. */
  people: readonly DirectoryPerson[] | undefined
  sent: readonly Exchange[]
  /** What the portal shows of the directory. */
  inPortal: string
}
type Texts = (typeof directoryTexts)[DirectoryLanguage]

/** The people of the directory, what can be done about them, and what was sent. */
export function directoryPage({ organization, mailDomain, language, people, sent, inPortal }: View): string {
  const t = directoryTexts[language]
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${t.title} – ${organization}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/directory.css">
</head>
<body>
${plainMark(undefined)}
<main>
<h1>${t.title} – ${organization}</h1>
<p class="intro">${t.intro}</p>
<section aria-labelledby="add"><h2 id="add">${t.add}</h2>
<form method="post" action="/directory/add">
${field('givenName', t.givenName)}${field('familyName', t.familyName)}
<label for="email">${t.email}</label>
<input id="email" name="email" type="email" required autocomplete="off" spellcheck="false" placeholder="…@${mailDomain}">
<button class="primary">${t.add}</button>
</form></section>
<section aria-labelledby="people"><h2 id="people">${t.people}</h2>
${listed(people, t)}</section>
<section aria-labelledby="sent"><h2 id="sent">${t.sent}</h2>
${sent.length === 0 ? html`<p>${t.nothingSent}</p>` : html`<ul>${sent.map((one) => exchange(one, t))}</ul>`}
<p><a href="${inPortal}">${t.portal}</a></p></section>
</main>
</body>
</html>
`.html
}

function listed(people: View['people'], t: Texts): Html {
  if (!people) return html`<p role="alert">${t.noAnswer}</p>`
  if (people.length === 0) return html`<p>${t.nobody}</p>`
  return html`<ul>${people.map((one) => person(one, t))}</ul>`
}

function person({ id, givenName, familyName, email, active }: DirectoryPerson, t: Texts): Html {
  const name = `${givenName} ${familyName}`.trim() || email
  return html`<li class="person">
<p><span class="name">${name}</span> <span class="email">${email}</span> <span class="state">${active ? t.active : t.inactive}</span></p>
<form method="post" action="/directory/active"><input type="hidden" name="id" value="${id}">
<button name="active" value="${active ? 'no' : 'yes'}" aria-label="${active ? t.disable : t.enable} ${name}">${active ? t.disable : t.enable}</button></form>
<details><summary aria-label="${t.changeOf} ${name}">${t.change}</summary>
<form method="post" action="/directory/change"><input type="hidden" name="id" value="${id}">
${field('givenName', t.givenName, { id, value: givenName })}${field('familyName', t.familyName, { id, value: familyName })}
<button>${t.save}</button></form></details></li>`
}

const field = (name: string, label: string, { id = '', value = '' } = {}): Html =>
  html`<label for="${name}${id}">${label}</label>
<input id="${name}${id}" name="${name}" value="${value}" required maxlength="100" autocomplete="off">`

const exchange = ({ method, path, body, status }: Exchange, t: Texts): Html =>
  html`<li><p><code>${method} /scim/v2${path}</code> ${t.answer}: <strong>${status || '–'}</strong></p>
<pre>${JSON.stringify(body, null, 2)}</pre></li>`
