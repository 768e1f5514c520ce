import { demoOrganizations } from './demo-data.ts'
import { testPersonalNumber } from './test-personal-number.ts'

/** The people in the simulated phone app: all demo users whose organisation signs in with BankID. */
export const bankIdPeople = () =>
  demoOrganizations
    .filter(({ loginMethod }) => loginMethod === 'bankid')
    .flatMap((organization) => organization.people)
    .flatMap(({ firstName, lastName, born }) =>
      born ? [{ givenName: firstName, surname: lastName, personalNumber: testPersonalNumber(born) }] : [],
    )
