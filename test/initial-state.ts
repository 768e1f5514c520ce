import { deriveMasterKey } from '#server/platform/secrets/master-key.ts'

/** Encrypts the data keys of every test database. */
export const testMasterKey = deriveMasterKey('the master key of the tests, which is no secret')

/** Where the clock of every test portal begins. */
export const testStart = new Date('2026-03-02T08:00:00Z')
