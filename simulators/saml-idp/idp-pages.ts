import { type Html, html } from '#server/platform/html.ts'
import { plainMark } from '#server/platform/http/plain-mark.ts'
import { type IdpLanguage, idpTexts } from './idp-texts.ts'
import type { SignInRequest } from './sign-in-request.ts'

/** A person who can be selected. */
export interface IdpPerson {
  name: string
  email: string
  /** Twelve digits. */
  ssn?: string | undefined
}

interface View {
  organization: string
  language: IdpLanguage
}

/** The page to select a person. */
export function signInPage(request: SignInRequest, people: readonly IdpPerson[], view: View): string {
  const t = idpTexts[view.language]
  const asked = html`<input type="hidden" name="SAMLRequest" value="${request.samlRequest}">
<input type="hidden" name="RelayState" value="${request.relayState}">`
  return page(
    view,
    html`<p class="intro">${t.intro}</p>
<form method="post" action="/sso">${asked}
<h2>${t.who}</h2>
<ul>${people.map(
      ({ name, email }) =>
        html`<li><button name="person" value="${email}"><span class="name">${name}</span> <span class="email">${email}</span></button></li>`,
    )}</ul>
</form>
<form method="post" action="/sso">${asked}
<h2>${t.other}</h2>
<label for="email">${t.email}</label>
<input id="email" name="email" type="email" required autocomplete="off" spellcheck="false">
<label for="ssn">${t.ssn}</label>
<input id="ssn" name="ssn" inputmode="numeric" autocomplete="off">
<button class="primary">${t.signIn}</button>
</form>
<form method="post" action="/sso">${asked}
<button name="cancel" value="yes">${t.cancel}</button>
</form>`,
  )
}

/** A form that submits itself to the service provider, with a button in case JavaScript is off. */
export function answerPage(
  { acsUrl, relayState, answer }: { acsUrl: string; relayState: string; answer: string },
  view: View,
): string {
  const t = idpTexts[view.language]
  return page(
    view,
    html`<p class="intro" role="status">${t.goingBack}</p>
<form id="answer" method="post" action="${acsUrl}">
<input type="hidden" name="SAMLResponse" value="${answer}">
<input type="hidden" name="RelayState" value="${relayState}">
<button class="primary">${t.continue}</button>
</form>
<script src="/post.js"></script>`,
  )
}

export const nothingAskedPage = (view: View): string =>
  page(view, html`<p class="intro">${idpTexts[view.language].nothingAsked}</p>`)

const page = ({ organization, language }: View, content: Html): string =>
  html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${idpTexts[language].signIn} – ${organization}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/idp.css">
</head>
<body>
${plainMark(undefined)}
<main>
<h1>${organization}</h1>
${content}
</main>
</body>
</html>
`.html
