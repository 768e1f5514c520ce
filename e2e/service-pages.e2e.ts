import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { api } from './api.ts'
import { expect, getUp } from './fixtures.ts'
import { test } from './invited.ts'
import { people } from './people.ts'
import { t } from './texts.ts'

// A service's own pages on origins of their own: forms that they post to the portal (OIDC Core 3.1.2.1, RP-Initiated Logout 2), and
// the frame in which they sign somebody out (Front-Channel Logout 1.0).

let server: Server
let port: number
/** The cookies that came to the address for sign-outs, with its query. */
const framed: { cookie: string; query: URLSearchParams }[] = []

const field = ([name, value]: string[]) => `<input type="hidden" name="${name}" value="${value}">`
const formTo = (action: string, fields: URLSearchParams) =>
  `<!doctype html><html lang="sv"><title>Tjänst</title><form method="post" action="${action}">${[...fields].map(field).join('')}<button>Gå vidare</button></form>`

test.beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://service.test')
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (pathname === '/post') {
      const action = query.get('action') ?? ''
      query.delete('action')
      return response.end(formTo(action, query))
    }
    // A browser keeps one jar for all ports of localhost, and this is the name that many frameworks choose.
    if (pathname === '/callback') response.setHeader('set-cookie', 'session=yes; HttpOnly; SameSite=Lax; Path=/')
    if (pathname === '/leave') {
      framed.push({ cookie: request.headers.cookie ?? '', query })
      response.setHeader('set-cookie', 'session=; Max-Age=0; Path=/')
    }
    return response.end(`<!doctype html><html lang="sv"><title>Tjänst</title><p>${pathname}`)
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  ;({ port } = server.address() as AddressInfo)
})
test.afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

interface Setting {
  page: Page
  signIn: (email: string) => Promise<void>
  name: string
  origin: string
  form?: object
}

async function register({ page, signIn, name, origin, form }: Setting): Promise<string> {
  await getUp(page)
  await signIn(people.superUser)
  const all = await api<{ serviceId: string; name: string }[]>(page, 'GET', '/api/services')
  const { serviceId = '' } = all.find((one) => one.name === name) ?? {}
  const { clientId = '' } = await api(page, 'PUT', `/api/services/${serviceId}/client`, {
    kind: 'web',
    pkceRequired: false,
    redirectUris: [`${origin}/callback`],
    postLogoutRedirectUris: [`${origin}/bye`],
    ...form,
  })
  return clientId
}
const portal = () => process.env.E2E_URL ?? ''
const requestOf = (clientId: string, origin: string) => ({
  client_id: clientId,
  response_type: 'code',
  redirect_uri: `${origin}/callback`,
  scope: 'openid',
  state: 'svar',
})
/** Opens a page of the service that posts a form to the portal, and presses its button. */
async function post(page: Page, origin: string, action: string, fields: Record<string, string>) {
  await page.goto(`${origin}/post?${new URLSearchParams({ action: `${portal()}${action}`, ...fields })}`)
  await page.getByRole('button').click()
}

test('a page of another site posts a sign-in and a sign-out to the portal, which knows the session', async ({
  page,
  signIn,
  database,
  newPerson,
}) => {
  const email = await newPerson()
  const name = `Postande ${process.pid}`
  await database.giveServices(email, [name])
  // Another site than localhost: the browser sends no SameSite=Lax cookie with its form.
  const origin = `http://127.0.0.1:${port}`
  const clientId = await register({ page, signIn, name, origin })
  await getUp(page)
  await signIn(email)
  await post(page, origin, '/oidc/auth', requestOf(clientId, origin))
  await page.waitForURL(`${origin}/callback?**`)
  const { searchParams } = new URL(page.url())
  expect([searchParams.get('state'), searchParams.has('code')]).toEqual(['svar', true])

  await post(page, origin, '/oidc/session/end', { client_id: clientId, post_logout_redirect_uri: `${origin}/bye` })
  // Without an ID token the person is asked.
  await page.getByRole('button', { name: t('signOut') }).click()
  await page.waitForURL(`${origin}/bye`)
  await page.goto('/')
  await page.waitForURL('**/interaction/**')
})

test('signing out of the portal signs out of a service under the same domain in a hidden frame', async ({
  page,
  signIn,
  database,
  newPerson,
}) => {
  const email = await newPerson()
  const name = `Inramad ${process.pid}`
  await database.giveServices(email, [name])
  // Another origin of the same site, as journal.example.com is beside portal.example.com.
  const origin = `http://localhost:${port}`
  const form = { frontchannelLogoutUri: `${origin}/leave` }
  const clientId = await register({ page, signIn, name, origin, form })
  await getUp(page)
  await signIn(email)
  await page.goto(`${portal()}/oidc/auth?${new URLSearchParams(requestOf(clientId, origin))}`)
  await page.waitForURL(`${origin}/callback?**`)
  expect((await page.context().cookies(origin)).map(({ name: one }) => one)).toContain('session')

  await page.goto(`${portal()}/logout`)
  await page.waitForURL(`${portal()}/signed-out`)
  await expect(page.getByRole('region', { name: t('services') })).toHaveText(`${name}${t('serviceAskedInBrowser')}`)
  await expect.poll(() => framed.length).toBe(1)
  expect(framed[0]?.cookie).toContain('session=yes')
  expect(framed[0]?.query.get('iss')).toBe(`${portal()}/oidc`)
  expect(framed[0]?.query.get('sid')).toBeTruthy()
  expect((await page.context().cookies(origin)).map(({ name: one }) => one)).not.toContain('session')

  // A sign-out that the service asks for ends at the service, and its frame is opened on the way.
  await signIn(email)
  await page.goto(`${portal()}/oidc/auth?${new URLSearchParams(requestOf(clientId, origin))}`)
  await page.waitForURL(`${origin}/callback?**`)
  const query = new URLSearchParams({ client_id: clientId, post_logout_redirect_uri: `${origin}/bye` })
  await page.goto(`${portal()}/oidc/session/end?${query}`)
  const ask = page.getByRole('button', { name: t('signOut') })
  await ask.click({ timeout: 3000 }).catch(() => undefined)
  await page.waitForURL(`${origin}/bye`)
  expect(framed).toHaveLength(2)
})
