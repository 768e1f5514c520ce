import { afterAll } from 'vitest'
import { testApp } from '#test/test-app.ts'
import { company, employee } from './company.ts'

/** Opens a portal for one test file, with a company with SAML sign-in and one of its people. Closes it at the end. */
export async function portalWithCompany(env: Record<string, string> = {}) {
  const portal = await testApp(env)
  afterAll(() => portal.close())
  const theirs = await company(portal)
  return { portal, theirs, person: await employee(portal, theirs) }
}
