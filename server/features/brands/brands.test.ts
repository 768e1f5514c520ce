import { deflateSync, inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { brandHues } from '#contract/brands/brand-form.ts'
import { accentOf } from '#server/mails/brand-colours.ts'
import type { MailToSend } from '#server/platform/messages/mailer.ts'
import type { Client } from '#test/client.ts'
import { longestBlock, totalCpuTime } from '#test/event-loop.ts'
import { asUpload, heavyPng, pngImage, webpImage } from '#test/images.ts'
import { outboxOf } from '#test/outbox.ts'
import { servicesOf } from '#test/service.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let services: ReturnType<typeof servicesOf>
let root: Client
beforeAll(async () => {
  portal = await testApp({ COMPANY_NAME: 'Driftbolaget AB' })
  services = servicesOf(portal)
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

const logo = asUpload(pngImage({ width: 120, height: 30 }))
/** The last mail to an address, as it would leave. */
async function htmlTo(address: string): Promise<string> {
  const outbox = outboxOf(portal)
  const [message] = await outbox.messagesTo(address)
  let html = ''
  const mailer = {
    send: async (mail: MailToSend) => {
      html = mail.html
    },
    close: async () => {},
  }
  await outbox.deliver(String(message?.id), { send: async () => {} }, mailer)
  return html
}
const page = { accept: 'text/html', 'sec-fetch-dest': 'document' }

/** An organisation with an admin who gives it a brand. */
async function branded(brand: object = { hue: 200, logo }) {
  const organization = await portal.organization('Åkesson & <b>Söner</b>')
  const admin = await portal.person()
  await portal.join(admin.accountId, organization.organizationId, 'organizationAdmin')
  const browser = await portal.signedIn(admin)
  const url = `/api/organizations/${organization.organizationId}/brand`
  const saved = await browser.put(url, brand)
  return { ...organization, admin, browser, url, saved, brand: saved.json() }
}
/** The page that a browser without a session is led to. */
const signInPage = async (address: string, browser = portal.browser()) => {
  const { response, url } = await browser.follow(await browser.get(address, page))
  return { body: response.body, url, browser }
}
const refusal = ({ statusCode, body }: Awaited<ReturnType<Client['put']>>) => [statusCode, JSON.parse(body).issues]
const hasBrand = (body: string, { hue, logo: address }: { hue: number; logo: string }) =>
  body.includes(`data-hue="${hue}"`) && body.includes(`src="${address}"`)

describe("an organisation's brand", () => {
  test('is set by its admin; everybody sees the logo, and nothing else of the file', async () => {
    const text = asUpload(pngImage({ width: 120, height: 30, between: [['tEXt', Buffer.from('x\0<script>')]] }))
    const { saved, brand } = await branded({ hue: 200, logo: text })
    expect(saved.statusCode).toBe(200)
    expect(brand.logo).toMatch(/^\/brand\/[0-9a-f]{64}\.png$/)
    const shown = await portal.browser().get(brand.logo)
    expect(shown.statusCode).toBe(200)
    expect(shown.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      // Mail programs on the web show it, too.
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(shown.rawPayload.toString('latin1')).not.toContain('script')
    const events = await portal.system.db
      .selectFrom('auditEvents')
      .select('changes')
      .where('targetId', '=', brand.organizationId)
      .where('name', '=', 'updateBrand')
      .execute()
    expect(events[0]?.changes).toEqual([
      { property: 'brandHue', previousValue: null, newValue: '200' },
      { property: 'brandLogo', previousValue: null, newValue: brand.logo },
    ])
  })

  test('has a WebP, too, without its metadata', async () => {
    const webp = webpImage({ width: 60, height: 30, more: [['EXIF', Buffer.from('where it was taken')]] })
    const { brand } = await branded({ logo: asUpload(webp) })
    const shown = await portal.browser().get(brand.logo)
    expect(shown.headers['content-type']).toBe('image/webp')
    expect(shown.rawPayload.equals(webpImage({ width: 60, height: 30 }))).toBe(true)
  })

  test('is taken away by a super user, and ends with the organisation', async () => {
    const own = asUpload(pngImage({ width: 120, height: 30, grey: 77 }))
    const { organizationId, browser, brand, url } = await branded({ hue: 200, logo: own })
    await root.put(url, { hue: null, logo: null })
    expect((await browser.get(url)).json()).toMatchObject({ hue: null, logo: null })
    expect((await portal.browser().get(brand.logo)).statusCode).toBe(404)
    await browser.put(url, { hue: 200, logo: own })
    await root.delete(`/api/organizations/${organizationId}?force=true`)
    expect((await portal.browser().get(brand.logo)).statusCode).toBe(404)
    const { rowCount } = await portal.system.pool.query('select from organization_brands where organization_id = $1', [
      organizationId,
    ])
    expect(rowCount).toBe(0)
  })

  test('keeps the logo that it sends back, and takes that of no other organisation by its address', async () => {
    const { brand, browser, url } = await branded()
    expect((await browser.put(url, { logo: brand.logo })).json()).toEqual(brand)
    const other = await branded({ logo: brand.logo })
    expect(refusal(other.saved)).toEqual([422, [{ path: 'logo', message: 'invalidLogo' }]])
  })

  test('comes with the memberships of its people, and their pages are drawn in it at once', async () => {
    const { organizationId, browser, brand } = await branded()
    const { organizations } = (await browser.get('/api/start')).json()
    expect(organizations).toMatchObject([{ organizationId, brand: { hue: 200, logo: brand.logo, darkLogo: null } }])
    expect((await browser.get('/account', page)).body).toMatch(/^<!doctype html>\s*<html data-hue="200" lang="/i)
    expect((await portal.browser().get('/account', page)).body).not.toMatch(/<html[^>]*data-hue/)
  })
})

describe('a brand is refused that has', () => {
  test.each([
    ['the colour of danger', { hue: 30 }, 'hue', 'outOfRange'],
    ['a hue between two', { hue: 205 }, 'hue', 'outOfRange'],
    [
      'an SVG',
      { logo: `data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}` },
      'logo',
      'invalidLogo',
    ],
    ['an address elsewhere', { logo: 'https://evil.example/logo.png' }, 'logo', 'invalidLogo'],
    ['no PNG in it', { logo: asUpload(Buffer.from('<svg onload="alert(1)"/>')) }, 'logo', 'invalidLogo'],
    ['a PNG that is called WebP', { logo: logo.replace('png', 'webp') }, 'logo', 'invalidLogo'],
    [
      'a WebP that moves',
      { logo: asUpload(webpImage({ width: 60, height: 30, more: [['ANIM', Buffer.alloc(6)]] })) },
      'logo',
      'invalidLogo',
    ],
    ['more pixels than we show', { logo: asUpload(pngImage({ width: 1025, height: 200 })) }, 'logo', 'invalidLogo'],
    ['a WebP with more pixels', { logo: asUpload(webpImage({ width: 1025, height: 200 })) }, 'logo', 'invalidLogo'],
    ['a line for a logo', { logo: asUpload(pngImage({ width: 700, height: 20 })) }, 'logo', 'logoProportions'],
    ['more than 64 KB', { logo: asUpload(Buffer.alloc(65 * 1024)) }, 'logo', 'iconTooLarge'],
    ['a logo for dark pages alone', { darkLogo: logo }, 'logo', 'required'],
  ])('%s', async (_, brand, path, message) => {
    const { saved } = await branded(brand)
    expect(refusal(saved)).toEqual([422, [{ path, message }]])
  })
})

describe('a logo that is work for the server', () => {
  test('does not keep others waiting while it is written again', async () => {
    const upload = { logo: asUpload(heavyPng()) }
    const { brand } = await branded(upload)
    const { browser, url } = await branded()
    const block = await longestBlock(() => browser.put(url, upload))
    expect((await browser.get(url)).json().logo).toBe(brand.logo)
    const { rawPayload: png } = await portal.browser().get(brand.logo)
    // Signature and header come first.
    const packed = png.subarray(41, 41 + png.readUInt32BE(33))
    const work = await totalCpuTime(async () => deflateSync(inflateSync(packed)))
    expect(block).toBeLessThan(work / 2)
  })

  test('comes twenty times an hour from an organisation, whichever of its admins uploads it', async () => {
    const { organizationId, browser, url } = await branded()
    const colleague = await portal.person()
    await portal.join(colleague.accountId, organizationId, 'organizationAdmin')
    const others = await portal.signedIn(colleague)
    const put = (grey: number, by = browser) =>
      by.put(url, { logo: asUpload(pngImage({ width: 60, height: 30, grey })) })
    for (let grey = 1; grey <= 19; grey++) expect((await put(grey)).statusCode).toBe(200)
    expect([(await put(20)).statusCode, (await put(20, others)).statusCode]).toEqual([429, 429])
    // What is no upload goes on.
    const present: object = (await browser.get(url)).json()
    expect((await browser.put(url, { ...present, hue: 300 })).statusCode).toBe(200)
  })
})

describe('a sign-in shows the brand', () => {
  test('of the organisation that a link names, through each step, and the operator stays named', async () => {
    const { organizationId, brand } = await branded({
      hue: 200,
      logo,
      darkLogo: asUpload(webpImage({ width: 60, height: 30 })),
    })
    const { body, url, browser } = await signInPage(`/login?org=${organizationId}`)
    expect(hasBrand(body, brand)).toBe(true)
    expect(body).toContain(
      'alt="&#197;kesson &#38; &#60;b&#62;S&#246;ner&#60;/b&#62;"'.replaceAll(/&#(197|246);/g, (_, code) =>
        String.fromCharCode(code),
      ),
    )
    expect(body).toContain(`srcSet="${brand.darkLogo}"`)
    expect(body).toContain('data-plate=""')
    expect(body).toContain('Driftbolaget AB')
    const { pathname } = new URL(url, 'http://portal.test')
    const step = await browser.get(`${pathname}/login?email=nobody%40example.com`, page)
    expect(hasBrand(step.body, brand)).toBe(true)
    expect(step.body).toContain('Driftbolaget AB')
    // One that has ended begins again with the same brand.
    await portal.system.pool.query(
      `update provider_artifacts set expires_at = now() - interval '1 day' where model = 'Interaction'`,
    )
    expect(hasBrand((await signInPage(pathname, browser)).body, brand)).toBe(true)
  })

  test('of the organisation for which a service asks, and does not tell whether that organisation has the service', async () => {
    const { organizationId, brand } = await branded()
    const { serviceId } = await portal.service()
    const clientId = await services.register({ serviceId })
    const request = services.requestFor(clientId, { organization_id: organizationId })
    expect(hasBrand((await signInPage(request)).body, brand)).toBe(true)
    await portal.offer(organizationId, serviceId)
    expect(hasBrand((await signInPage(request)).body, brand)).toBe(true)
    expect((await signInPage(services.requestFor(clientId))).body).toContain('data-hue=""')
  })

  test('never of the address that somebody types', async () => {
    const { admin } = await branded()
    for (const email of [admin.email, 'nobody@example.com']) {
      const { body } = await signInPage(`/login?${new URLSearchParams({ email })}`)
      expect(body).toContain('data-hue=""')
      expect(body).not.toContain('src="/brand/')
    }
  })

  test('of none, for an organisation that is unknown or that is no id: the page is the same', async () => {
    for (const org of [
      '01900000-0000-7000-8000-000000000000',
      'x" onload="alert(1)',
      (await portal.organization()).organizationId,
    ])
      expect((await signInPage(`/login?${new URLSearchParams({ org })}`)).body).toContain('data-hue=""')
  })
})

describe('the mails of an organisation', () => {
  test('have its hue and its logo by its address, and name the operator', async () => {
    const { organizationId, brand, browser } = await branded()
    await browser.post('/api/invites', { organizationId, email: 'new@customer.example' })
    const { accent } = accentOf(200).light
    const html = await htmlTo('new@customer.example')
    expect(html).toContain(`src="${portal.system.config.baseUrl}${brand.logo}" alt="Åkesson &#38; &#60;b&#62;S`)
    expect(html).toContain(`background-color:${accent}`)
    expect(html).toContain('Driftbolaget AB')
    expect(html).not.toContain('#285cc2')
  })

  test('of another organisation, and those of no one, look as the portal does', async () => {
    await branded()
    const other = await branded({})
    await other.browser.post('/api/invites', { organizationId: other.organizationId, email: 'more@customer.example' })
    const html = await htmlTo('more@customer.example')
    expect(html).toContain('background-color:#285cc2')
    expect(html).not.toContain('<img')
  })

  test('are readable in every hue, with the colours of the app', () => {
    const levels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
    const { light, dark } = accentOf(262)
    const built = { light: ['#285cc2', '#2151b0'], dark: ['#6696f1', '#94bbff'] }
    for (const [found, expected] of [
      [light.accent, built.light[0]],
      [light.link, built.light[1]],
      [dark.accent, built.dark[0]],
      [dark.link, built.dark[1]],
    ] as const)
      levels(found).forEach((level, index) => {
        expect(Math.abs(level - (levels(expected ?? '')[index] ?? 0))).toBeLessThanOrEqual(1)
      })
    const luminance = (hex: string) => {
      const [red = 0, green = 0, blue = 0] = levels(hex).map((level) =>
        level / 255 <= 0.04045 ? level / 255 / 12.92 : ((level / 255 + 0.055) / 1.055) ** 2.4,
      )
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const contrast = (one: string, other: string) => {
      const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
      return (high + 0.05) / (low + 0.05)
    }
    for (const hue of brandHues) {
      const colours = accentOf(hue)
      for (const [front, back] of [
        [colours.light.onAccent, colours.light.accent],
        [colours.light.link, '#ffffff'],
        [colours.light.link, '#fafbfd'],
        [colours.dark.onAccent, colours.dark.accent],
        [colours.dark.link, '#12181e'],
      ] as const)
        expect(contrast(front, back), `hue ${hue}: ${front} on ${back}`).toBeGreaterThanOrEqual(4.5)
    }
  })
})

describe('a host name of an organisation', () => {
  const ask = (host: string, url = '/', headers: Record<string, string> = {}) =>
    portal.browser().get(url, { ...page, host, ...headers })
  const setHost = (organizationId: string, signInHost: string | null, by = root) =>
    by.put(`/api/organizations/${organizationId}/sign-in-host`, { signInHost })

  test('leads to its sign-in on the one address of the portal, and does nothing else', async () => {
    const { organizationId, brand, url } = await branded()
    expect((await setHost(organizationId, 'https://Inloggning.Åkesson.example/')).json()).toMatchObject({
      signInHost: 'inloggning.xn--kesson-hua.example',
      hue: 200,
    })
    const target = `${portal.system.config.baseUrl}/login?org=${organizationId}`
    for (const [host, path] of [
      ['inloggning.xn--kesson-hua.example', '/'],
      ['INLOGGNING.xn--kesson-hua.example:8443', '/login?returnTo=https://evil.example'],
      ['inloggning.xn--kesson-hua.example.', '//evil.example'],
    ] as const) {
      const { statusCode, headers } = await ask(host, path)
      expect([statusCode, headers.location]).toEqual([303, target])
      expect(headers['set-cookie']).toBeUndefined()
      expect(headers['strict-transport-security']).toBeUndefined()
    }
    expect(hasBrand((await signInPage(`/login?org=${organizationId}`)).body, brand)).toBe(true)
    // Neither calls nor parts of a page.
    const host = 'inloggning.xn--kesson-hua.example'
    expect((await ask(host, '/favicon.ico', { 'sec-fetch-dest': 'image' })).statusCode).toBe(421)
    expect((await portal.browser().post('/api/verify-credentials', {}, { host })).statusCode).toBe(421)
    await setHost(organizationId, null)
    expect((await ask(host)).statusCode).toBe(421)
    expect((await root.get(url)).json().signInHost).toBe(null)
  })

  test('is set by super users alone, belongs to one organisation, and is never that of the portal', async () => {
    const { organizationId, browser } = await branded()
    expect((await setHost(organizationId, 'in.acme.example', browser)).statusCode).toBe(403)
    expect(
      refusal(await browser.put(`/api/organizations/${organizationId}/brand`, { signInHost: 'in.acme.example' })),
    ).toEqual([422, [{ path: 'signInHost', message: expect.any(String) }]])
    const other = await branded()
    expect((await setHost(other.organizationId, 'in.acme.example')).statusCode).toBe(200)
    const taken = await setHost(organizationId, 'IN.acme.example')
    expect([taken.statusCode, taken.json().message]).toEqual([409, 'signInHostTaken'])
    const { hostname } = new URL(portal.system.config.baseUrl)
    expect(refusal(await setHost(organizationId, hostname))).toEqual([
      422,
      [{ path: 'signInHost', message: hostname.includes('.') ? 'signInHostOwn' : 'invalidHost' }],
    ])
    for (const wrong of [
      'acme',
      '192.0.2.1',
      '[::1]',
      'in.acme.example:8080',
      'a b.example',
      'user@acme.example',
      'in.acme.example/path',
    ])
      expect(refusal(await setHost(organizationId, wrong))).toEqual([
        422,
        [{ path: 'signInHost', message: 'invalidHost' }],
      ])
    // It is free again once the organisation is gone.
    await root.delete(`/api/organizations/${other.organizationId}?force=true`)
    expect((await ask('in.acme.example')).statusCode).toBe(421)
    expect((await setHost(organizationId, 'in.acme.example')).statusCode).toBe(200)
  })
})
