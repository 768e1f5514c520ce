import { type Html, html } from '#server/platform/html.ts'
import type { Answer, OpenApiDocument, Operation } from '#server/platform/http/openapi.ts'
import { field, fieldsInside, typeOf } from './schema-fields.ts'
import { byTask } from './tasks.ts'

interface Call extends Operation {
  method: string
  path: string
}

/**
 * The API description as a page for reading, printing and the browser's own search. It needs no JavaScript. It is in
 * English, like the names in it.
 *
 * @param stylesheet address of the built stylesheet; without a build the page is unstyled but complete
 */
export function docsPage(document: OpenApiDocument, stylesheet: string | undefined): string {
  const { info, servers, paths, components } = document
  const calls: Call[] = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )
  const groups = byTask(calls)
  const address = servers[0]?.url ?? ''
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${info.title}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${stylesheet !== undefined && html`<link rel="stylesheet" href="${stylesheet}">`}
</head>
<body class="docs">
<a class="skip" href="#calls">Skip to the calls</a>
<header class="bar"><a class="home" href="/">Vestibule</a> <a href="/api/openapi.json">openapi.json</a></header>
<div class="columns">
<nav aria-label="Calls">${groups.map(contents)}</nav>
<main id="calls" tabindex="-1">
<h1>${info.title}</h1>
<p class="lead">${info.description}</p>
<dl class="facts">
<div><dt>Address</dt><dd><code>${address}</code></dd></div>
<div><dt>Version</dt><dd>${info.version}</dd></div>
<div><dt>Calls</dt><dd>${calls.length}</dd></div>
<div><dt>Signing in</dt><dd>OpenID Connect, see <a href="/oidc/.well-known/openid-configuration">discovery</a>; the session is a cookie</dd></div>
</dl>
${groups.map(
  (group, index) => html`<section aria-labelledby="task-${index}">
<h2 id="task-${index}">${group.name}</h2>
${group.calls.map((call) => article(call, components.responses))}
</section>`,
)}
<section aria-labelledby="failures">
<h2 id="failures">When a call fails</h2>
<p>Every error response has the same format.</p>
${fieldsInside(components.schemas.Problem)}
</section>
</main>
</div>
</body>
</html>
`.html
}

const contents = ({ name, calls }: { name: string; calls: Call[] }): Html => html`<h2>${name}</h2>
<ul>${calls.map((call) => html`<li><a href="#${call.operationId}">${method(call)} <span class="path">${breakable(call.path)}</span></a></li>`)}</ul>`

const method = (call: Call): Html => html`<span class="method ${call.method.toLowerCase()}">${call.method}</span>`

// Allow line breaks in a long path only after a slash.
const breakable = (path: string): Html[] => path.split(/(?<=\/)/).map((part) => html`${part}<wbr>`)

const accessWords: Record<string, string> = {
  public: 'everyone',
  signedIn: 'every signed-in user',
  machine: 'a service, with a token of its own (scope directory)',
}

function article(call: Call, shared: Record<string, Answer>): Html {
  const body = Object.entries(call.requestBody?.content ?? {})[0]
  const parameters = call.parameters.map(({ name, in: where, required, schema }) => ({
    where,
    row: field(name, schema, required),
  }))
  const rows = (where: string) => parameters.filter((parameter) => parameter.where === where).map(({ row }) => row)
  return html`<article id="${call.operationId}">
<h3><a href="#${call.operationId}">${method(call)} <span class="path">${breakable(call.path)}</span></a></h3>
<p>${call.summary}</p>
<dl class="facts">
<div><dt>Who may</dt><dd>${accessWords[call['x-access']] ?? html`<code>${call['x-access']}</code>`}</dd></div>
${call['x-audit-event'].length > 0 && html`<div><dt>Audit event</dt><dd><code>${call['x-audit-event'].join(', ')}</code></dd></div>`}
${call['x-limit'] !== undefined && html`<div><dt>Limit per address</dt><dd><code>${call['x-limit']}</code></dd></div>`}
</dl>
${list('In the path', rows('path'))}
${list('In the query', rows('query'))}
${body && html`<h4>Body <span class="soft">${body[0]}</span></h4>${fieldsInside(body[1].schema)}`}
<h4>Answers</h4>
<ul class="answers">${Object.entries(call.responses).map(([status, answer]) => outcome(status, '$ref' in answer ? shared[answer.$ref.split('/').at(-1) ?? ''] : answer))}</ul>
</article>`
}

const list = (title: string, rows: Html[]) => rows.length > 0 && html`<h4>${title}</h4><ul class="fields">${rows}</ul>`

function outcome(status: string, answer: Answer | undefined): Html {
  const schema = Object.values(answer?.content ?? {})[0]?.schema
  const good = Number(status) < 400
  return html`<li class="${good ? 'good' : 'bad'}"><code class="status">${status}</code> <span>${answer?.description}${good && schema && html` <span class="soft">${typeOf(schema)}</span>`}</span>${good && schema && fieldsInside(schema)}</li>`
}
