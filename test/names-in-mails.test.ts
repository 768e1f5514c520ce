import { afterAll, beforeAll, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { importedPerson } from '#contract/invitations/bulk-invitations.ts'
import { extractClaims } from '#server/saml/claims.ts'
import { type Field, fieldsOf, isText, nameOf, sampleWith } from './contract-fields.ts'
import { declaredRoutes } from './declared-routes.ts'
import { type TestApp, testApp } from './test-app.ts'
import { buildWorld, type World } from './world.ts'

// People who can make the portal send a mail cannot type a web address as a name. Every text of every form is either refused as one,
// or named here with the reason why it is no name in a mail: a new field fails until somebody has decided.

let portal: TestApp
let world: World
beforeAll(async () => {
  portal = await testApp()
  world = await buildWorld(portal)
})
afterAll(() => portal?.close())

const address = 'http://evil.example/login X'

const ownWords = 'the words of one person to another, which mails quote as such'
const ofOperators = 'written by super users, for no one outside their own mails'
const isAddress = 'an address by its nature, which no mail of an organisation has'
const secret = 'a secret or a protocol message, which no mail has'
const log = 'for the log alone'
const noNames: Record<string, string> = {
  ...{ message: ownWords, reason: ownWords },
  ...{ unprovenReason: ofOperators, personalNumberReason: ofOperators, description: ofOperators },
  ...{ descriptionSv: ofOperators, descriptionEn: ofOperators, descriptionFi: ofOperators, descriptionFr: ofOperators },
  ...{ subject: ofOperators, body: ofOperators, button: ofOperators },
  ...{
    url: isAddress,
    logoutUrl: isAddress,
    logoutResponseUrl: isAddress,
    address: isAddress,
    domain: isAddress,
    entityId: isAddress,
  },
  ...{ redirectUri: isAddress, redirectUris: isAddress, postLogoutRedirectUris: isAddress, jwksUri: isAddress },
  ...{ backchannelLogoutUri: isAddress, frontchannelLogoutUri: isAddress, initiateLoginUri: isAddress },
  ...{ iss: isAddress, target_link_uri: isAddress, returnTo: isAddress, login_hint: secret, signer: secret },
  ...{ apiUri: isAddress, apis: isAddress, resource: isAddress },
  ...{ token: secret, ticket: secret, password: secret, currentPassword: secret, oldPassword: secret, code: secret },
  ...{ clientSecret: secret, clientId: secret, certificate: secret, metadata: secret, jwks: secret, scope: secret },
  ...{ setup: secret, reservation: secret },
  ...{ credential: secret, SAMLRequest: secret, SAMLResponse: secret, RelayState: secret, uid: secret, login: secret },
  ...{ ssnAttribute: secret, emailAttribute: secret, firstNameAttribute: secret, lastNameAttribute: secret },
  ...{ error: log, stack: log, componentStack: log },
  ...{ order: 'simulator', qrData: 'simulator', scenario: 'simulator' },
  email: 'compared with what is stored, never kept',
  organizationNumber: 'in no mail',
  ...{ ruleAttribute: 'compared with what the company asserts', ruleValue: 'likewise' },
  categories: 'puts the present ones in another order',
  transports: 'in no mail',
}

const lastOf = ({ path }: Field) => String(path.findLast((step) => typeof step === 'string'))
const issuesOf = (field: Field) => {
  const { body } = sampleWith(field, world.target('user', 'own'), address)
  const { error } = (field.declared.route.input as z.ZodMiniType).safeParse(body)
  const path = field.path.join('.')
  return error?.issues.filter((issue) => issue.path.join('.') === path).map(({ message }) => message) ?? []
}

test('no form takes a web address for a name', () => {
  const texts = declaredRoutes(portal)
    .flatMap(fieldsOf)
    // The rows of an import are parsed one by one, below.
    .filter((field) => field.in === 'body' && isText(field) && field.path[0] !== 'rows')
    // What a service asks about is compared, and never kept.
    .filter(({ declared }) => !declared.name.startsWith('POST /access/v1/'))
  const taken = texts.filter((field) => issuesOf(field).length === 0)
  expect(taken.filter((field) => !Object.hasOwn(noNames, lastOf(field))).map(nameOf)).toEqual([])
  const refused = texts.filter((field) => issuesOf(field).includes('nameLooksLikeAddress'))
  // What the mails have of names: persons, organisations with their senders, services with their groups, configurations.
  expect([...new Set(refused.map(lastOf))].toSorted()).toEqual([
    ...['category', 'firstName', 'lastName', 'name', 'nameEn', 'nameFi', 'nameFr', 'nameSv', 'senderName'],
  ])
  expect(Object.keys(noNames).filter((name) => !taken.some((field) => lastOf(field) === name))).toEqual([])
})

test('an imported row with such a name is invalid, and the others are not', () => {
  for (const path of ['firstName', 'lastName']) {
    const { error } = importedPerson.safeParse({ email: 'nina@nordvik.example', [path]: address })
    expect(error?.issues).toMatchObject([{ path: [path], message: 'nameLooksLikeAddress' }])
  }
})

test('a name that a company sends is left out, and the sign-in goes on', () => {
  const attributes = new Map([
    ['mail', ['nina@nordvik.example']],
    ['givenname', [address]],
    ['sn', ['Ny']],
  ])
  const content = { issuer: 'https://idp.example', attributes, nameId: undefined, nameIdFormat: undefined }
  expect(extractClaims(content)).toMatchObject({
    emails: ['nina@nordvik.example'],
    firstName: undefined,
    lastName: 'Ny',
  })
})
