import { demoOrganizations } from '#server/demo/demo-data.ts'
import { firstNames, lastNames } from '#server/demo/demo-people.ts'
import { demoServices } from '#server/demo/demo-services.ts'
import type { Words } from './seed-functions.ts'

/** The words of the demo. */
export const demoWords: Words = {
  firstNames,
  lastNames,
  organizations: demoOrganizations.map(({ name }) => name),
  services: demoServices.map(({ name }) => name),
}
