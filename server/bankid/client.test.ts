import { readFileSync } from 'node:fs'
import { request as httpsRequest } from 'node:https'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { secret } from '#server/platform/secret.ts'
import { type BankIdSimulator, simulatorFiles, startBankIdSimulator } from '../../simulators/bankid/simulator.ts'
import type { BankId, BankIdFailure } from './bankid.ts'
import { readBankIdCertificate } from './certificate.ts'
import { describeCertificateExpiry } from './certificate-warning.ts'
import { createBankIdClient } from './client.ts'

let time = Date.parse('2026-03-02T08:00:00Z')
let simulator: BankIdSimulator
let bankid: BankId
const files = {
  bankidCertFile: simulatorFiles.client,
  bankidCertPassphrase: secret(simulatorFiles.passphrase),
  bankidCaFile: simulatorFiles.ca,
}
const tolvan = { personalNumber: '191212121212', givenName: 'Tolvan', surname: 'Tolvansson' }
const asked = {
  endUserIp: '192.0.2.7',
  visibleText: 'Du loggar in hos Åkes Öl.',
  web: { referringDomain: 'portal.test', userAgent: 'Test', deviceIdentifier: 'abc' },
}

beforeAll(async () => {
  simulator = await startBankIdSimulator({ clock: () => new Date(time) })
  bankid = createBankIdClient({ url: simulator.url, certificate: readBankIdCertificate(files) })
})
afterAll(async () => {
  await bankid?.close()
  await simulator?.close()
})

const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: BankIdFailure) => error.kind,
  )
/** Somebody with the order's app open. */
function open(orderRef: string) {
  const order = simulator.orders.waiting().find((one) => one.orderRef === orderRef)
  return simulator.orders.pick(order?.id ?? '')?.id ?? ''
}

describe('an order', () => {
  test('shows our text in the app, and ends with the person who identified', async () => {
    const { orderRef } = await bankid.begin(asked)
    expect(await bankid.collect(orderRef)).toEqual({ status: 'pending', hintCode: 'outstandingTransaction' })
    expect(simulator.orders.waiting()[0]).toMatchObject({ text: asked.visibleText, endUserIp: asked.endUserIp })
    const id = open(orderRef)
    expect(await bankid.collect(orderRef)).toEqual({ status: 'pending', hintCode: 'userSign' })
    expect(simulator.orders.identify(id, { ...tolvan, givenName: 'Åsa', surname: 'Öberg' })).toBeDefined()
    expect(await bankid.collect(orderRef)).toEqual({
      status: 'complete',
      personalNumber: tolvan.personalNumber,
      risk: 'low',
    })
    // A final result is told once.
    expect(await refusalOf(bankid.collect(orderRef))).toBe('noOrder')
  })

  test('that no app opens within 30 seconds fails, one that nobody identifies in after three minutes', async () => {
    const { orderRef } = await bankid.begin(asked)
    const opened = await bankid.begin(asked)
    open(opened.orderRef)
    time += 30_000
    expect(await bankid.collect(orderRef)).toEqual({ status: 'failed', hintCode: 'startFailed' })
    expect(await bankid.collect(opened.orderRef)).toMatchObject({ status: 'pending' })
    time += 150_000
    expect(await bankid.collect(opened.orderRef)).toEqual({ status: 'failed', hintCode: 'expiredTransaction' })
  })

  test('that was cancelled is gone, and a second cancel finds nothing', async () => {
    const { orderRef } = await bankid.begin(asked)
    await bankid.cancel(orderRef)
    expect(await refusalOf(bankid.collect(orderRef))).toBe('noOrder')
    expect(await refusalOf(bankid.cancel(orderRef))).toBe('noOrder')
  })

  test.each([
    [{ status: 503, errorCode: 'Maintenance' }, 'unavailable'],
    [{ status: 503, errorCode: 'maintenance' }, 'unavailable'],
    [{ status: 500, errorCode: 'internalError' }, 'unavailable'],
    [{ status: 408, errorCode: 'requestTimeout' }, 'unavailable'],
    [{ status: 429, errorCode: 'tooManyRequests' }, 'unavailable'],
    [{ status: 400, errorCode: 'alreadyInProgress' }, 'alreadyInProgress'],
    [{ status: 400, errorCode: 'invalidParameters' }, 'refused'],
    [{ status: 401, errorCode: 'unauthorized' }, 'refused'],
  ] as const)('that meets %o is told as %s', async (trouble, kind) => {
    simulator.breaks.auth.push(trouble)
    expect(await refusalOf(bankid.begin(asked))).toBe(kind)
    expect(await refusalOf(bankid.begin(asked))).toBeUndefined()
  })

  test('that meets silence is told as unavailable', async () => {
    const certificate = readBankIdCertificate(files)
    const impatient = createBankIdClient({ url: simulator.url, certificate, timeout: 1000 })
    // Connected already, it waits for the answer alone.
    await impatient.begin(asked).catch(() => undefined)
    simulator.breaks.auth.push({ status: 'silence' })
    expect(await refusalOf(impatient.begin(asked))).toBe('unavailable')
    // On a slow machine the request may not even have arrived, and the next one would meet the silence.
    simulator.breaks.auth.length = 0
    expect(await refusalOf(bankid.begin(asked))).toBeUndefined()
    await impatient.close()
  })

  test('of an address that is none is our bug', async () => {
    expect(await refusalOf(bankid.begin({ ...asked, endUserIp: 'nowhere' }))).toBe('refused')
  })
})

/** A request past our client. */
const post = (options: { method?: string; path?: string; type?: string; files?: string; body?: string }) =>
  new Promise<number | string>((resolve) => {
    const { method = 'POST', path = '/auth', type = 'application/json', body = '{}' } = options
    const pem = options.files === undefined ? undefined : readFileSync(options.files)
    const sent = httpsRequest(
      `${simulator.url}${path}`,
      {
        method,
        headers: { 'content-type': type },
        ca: readFileSync(simulatorFiles.ca),
        agent: false,
        cert: pem,
        key: pem,
      },
      (response) => resolve(response.resume().statusCode ?? 0),
    )
    sent.on('error', (error: Error & { code?: string }) => resolve(error.code ?? error.message))
    sent.end(body)
  })

describe('the simulator is as strict as BankID', () => {
  const known = simulatorFiles.clientPem
  test.each([
    ['a GET', { method: 'GET', files: known }, 405],
    ['a charset', { type: 'application/json; charset=utf-8', files: known }, 415],
    ['another path', { path: '/sign/later', files: known }, 404],
    ['no address', { files: known }, 400],
    ['no JSON', { files: known, body: '{' }, 400],
    ['an unknown field', { files: known, body: '{"endUserIp":"192.0.2.7","pin":"1"}' }, 400],
    ['everything right', { files: known, body: '{"endUserIp":"192.0.2.7"}' }, 200],
  ])('%s', async (_, request, status) => {
    expect(await post(request)).toBe(status)
  })

  test('nobody without its certificate gets past the handshake', async () => {
    for (const files of [undefined, simulatorFiles.stranger])
      expect(await post(files ? { files } : {})).toMatch(/CERTIFICATE|HANDSHAKE|ALERT|ECONNRESET|EPIPE/)
  })
})

describe('the certificate', () => {
  test('is taken as PKCS#12 and as PEM', async () => {
    for (const bankidCertFile of [simulatorFiles.client, simulatorFiles.clientPem]) {
      const certificate = readBankIdCertificate({ ...files, bankidCertFile })
      expect(certificate.ends?.toISOString()).toBe('2059-12-31T23:59:59.000Z')
      const client = createBankIdClient({ url: simulator.url, certificate })
      expect(await refusalOf(client.begin(asked))).toBeUndefined()
      await client.close()
    }
  })

  const wrong = { bankidCertPassphrase: secret('wrong') }
  test.each([
    ['an old export', { bankidCertFile: simulatorFiles.clientLegacy }, /^BANKID_CERT_FILE is a PKCS#12 file with old/],
    ['another passphrase', wrong, /^BANKID_CERT_FILE does not open with BANKID_CERT_PASSPHRASE$/],
    ['no certificate', { bankidCertFile: import.meta.filename }, /^BANKID_CERT_FILE is no PKCS#12 or PEM file/],
    ['no file', { bankidCertFile: '/nowhere/client.p12' }, /^BANKID_CERT_FILE cannot be read: ENOENT$/],
    ['no certificate at all', { bankidCertFile: undefined }, /^BANKID_CERT_FILE is missing/],
    ['no CA', { bankidCaFile: undefined }, /^BANKID_CA_FILE is missing/],
    ['a CA that is none', { bankidCaFile: import.meta.filename }, /^BANKID_CA_FILE is no/],
  ])('%s is told by the name of its setting', (_, more, message) => {
    expect(() => readBankIdCertificate({ ...files, ...more })).toThrow(message)
  })

  test('of the portal is not enough: a server of another CA is not BankID', async () => {
    const certificate = { ...readBankIdCertificate(files), ca: readFileSync(simulatorFiles.stranger) }
    const client = createBankIdClient({ url: simulator.url, certificate })
    expect(await refusalOf(client.begin(asked))).toBe('unavailable')
    await client.close()
  })

  test('is warned of fourteen days before it ends', () => {
    const ends = new Date('2026-12-01T12:00:00Z')
    expect(describeCertificateExpiry(ends, new Date('2026-11-17T11:00:00Z'))).toBeUndefined()
    expect(describeCertificateExpiry(ends, new Date('2026-11-17T12:00:00Z'))).toMatch(/ends on 2026-12-01/)
    expect(describeCertificateExpiry(ends, new Date('2026-12-01T12:00:00Z'))).toMatch(/ended on 2026-12-01: nobody/)
    expect(describeCertificateExpiry(undefined, ends)).toBeUndefined()
  })
})
