import { chromium } from '@playwright/test'
const url = 'http://localhost:3999'
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
async function signIn(opts) {
  const c = await b.newContext({ baseURL: url, ...opts })
  const p = await c.newPage()
  await p.goto('/login?returnTo=%2F')
  await p.locator('input[name=email], input[type=email]').first().fill('super@vestibule.example')
  await p.keyboard.press('Enter')
  await p.locator('input[type=password]').first().fill('Demo-password-1')
  await p.keyboard.press('Enter')
  await p.waitForURL((u) => u.pathname === '/', { timeout: 30000 })
  return { c, p }
}
const shot = async (p, name, full = false) => { await p.waitForTimeout(700); await p.screenshot({ path: `/dev/shm/shots/${name}.png`, fullPage: full }) }
for (const [lang, w, scheme] of [['sv-SE', 1280, 'light'], ['en-GB', 390, 'dark']]) {
  const { c, p } = await signIn({ locale: lang, viewport: { width: w, height: w === 390 ? 844 : 900 }, colorScheme: scheme })
  const l = `${lang.slice(0, 2)}-${w}`
  await p.goto('/system'); await p.waitForLoadState('networkidle'); await shot(p, `system-${l}`, true)
  await p.goto('/users'); await p.waitForLoadState('networkidle'); await shot(p, `users-${l}`)
  const id = (await (await p.request.get('/api/saml-configs')).json()).items?.[0]?.samlConfigId ?? 1
  await p.goto(`/saml-configuration/${id}`); await p.waitForLoadState('networkidle'); await shot(p, `saml-${l}`)
  const d = p.getByRole('dialog')
  for (let i = 1; i < 6; i++) { await d.locator('*').evaluateAll((els, n) => { for (const e of els) if (e.scrollHeight > e.clientHeight + 20 && getComputedStyle(e).overflowY !== 'visible') { e.scrollTop = n * 600; break } }, i); await shot(p, `saml-${l}-${i}`) }
  await c.close()
  const c2 = await b.newContext({ baseURL: url, locale: lang, viewport: { width: w, height: 800 }, colorScheme: scheme })
  const p2 = await c2.newPage()
  await p2.route('**/*', async (r) => { const h = { ...r.request().headers() }; delete h.cookie; await r.continue({ headers: h }) })
  await p2.goto('/login?returnTo=%2F').catch((e) => console.log(String(e).slice(0, 100)))
  await c2.clearCookies(); await p2.goto('/login?returnTo=%2F').catch(() => {}); console.log(p2.url()); await shot(p2, `cookie-${l}`)
  await c2.close()
}
await b.close()
