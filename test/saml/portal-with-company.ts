import { afterAll } from 'vitest'
import { testApp } from '#test/test-app.ts'
import { company, employee } from './company.ts'

/** A portal for one test file, with a company that signs its people in itself, and one of them. It ends with the file. */
export async function portalWithCompany() {
  const portal = await testApp()
  afterAll(() => portal.close())
  const theirs = await company(portal)
  return { portal, theirs, person: await employee(portal, theirs) }
}
