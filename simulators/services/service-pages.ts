import { type Html, html } from '#server/platform/html.ts'
import type { DemoServiceLook, ServiceLanguage, SignedIn } from './service.ts'
import { methodText, serviceTexts } from './service-texts.ts'

interface View {
  service: DemoServiceLook
  language: ServiceLanguage
  /** The portal's address. */
  portal: string
}

/** What a person sees who is signed in: the service's own work, and what the portal told about the person. */
export function homePage(person: SignedIn, view: View): string {
  const { service, language } = view
  const t = serviceTexts[language]
  return page(
    view,
    service.about[language],
    html`<div class="columns">
<section aria-label="${service.name}">
<ul class="rows">${service.rows[language].map((row) => html`<li>${row}</li>`)}</ul>
</section>
<section class="card" aria-labelledby="who">
<h2 id="who">${t.throughPortal}</h2>
${facts(person, service, language)}
</section>
</div>`,
    html`<form method="post" action="/${service.path}/sign-out"><span class="who">${person.name}</span><button>${t.signOut}</button></form>`,
  )
}

function facts(person: SignedIn, service: DemoServiceLook, language: ServiceLanguage): Html {
  const t = serviceTexts[language]
  const { organization } = person
  const roles = person.roles.map((role) => {
    if (role === 'serviceAdmin') return t.serviceAdmin
    return role === 'organizationAdmin' ? t.organizationAdmin : (service.roles?.[role]?.[language] ?? role)
  })
  const time = new Intl.DateTimeFormat(language === 'sv' ? 'sv-SE' : 'en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'Europe/Stockholm',
  }).format(person.authTime)
  const all: readonly (readonly [string, string, (string | undefined)?])[] = [
    [t.person, person.name],
    [t.email, person.email],
    [t.organization, organization?.name ?? t.none, organization?.number ?? undefined],
    [t.role, organization ? roles.join(', ') || t.user : t.none],
    [t.method, methodText(person.amr, language), `amr: ${person.amr.join(', ')}`],
    [t.time, time],
  ]
  return html`<dl>${all.map(
    ([term, text, small]) =>
      html`<div><dt>${term}</dt><dd>${text}${small !== undefined && html` <small>${small}</small>`}</dd></div>`,
  )}</dl>`
}

type Ending = 'signedOut' | 'refused' | 'failed'

/** A page without a session: why there is none, and the ways on. */
export function endingPage(ending: Ending, view: View): string {
  const t = serviceTexts[view.language]
  return page(
    view,
    t[ending],
    html`<p class="intro">${t[`${ending}Text`]}</p>
<p class="ways">${ending !== 'refused' && html`<a class="button" href="/${view.service.path}/">${t.signIn}</a>`}<a href="${view.portal}/">${t.portal}</a></p>`,
  )
}

/** The page of an address that belongs to no service. */
export const indexPage = (services: readonly DemoServiceLook[], language: ServiceLanguage): string =>
  document(
    serviceTexts[language].services,
    html`<main><h1>${serviceTexts[language].services}</h1>
<ul class="rows">${services.map(({ path, name }) => html`<li><a href="/${path}/">${name}</a></li>`)}</ul></main>`,
    { language },
  )

const page = (view: View, title: string, content: Html, tools?: Html): string =>
  document(
    `${title} – ${view.service.name}`,
    html`<header><span class="brand"><span class="mark" aria-hidden="true">${view.service.name.slice(0, 1)}</span>${view.service.name}</span>${tools}</header>
<main><h1>${title}</h1>
${content}</main>
<footer><p>${serviceTexts[view.language].demo} <a href="${view.portal}/">${serviceTexts[view.language].portal}</a></p></footer>`,
    { language: view.language, service: view.service.path },
  )

const document = (title: string, body: Html, { language, service }: { language: ServiceLanguage; service?: string }) =>
  html`<!doctype html>
<html lang="${language}" data-service="${service ?? ''}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/services.css">
</head>
<body>
${body}
</body>
</html>
`.html
