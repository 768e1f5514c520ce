import { expect, test } from 'vitest'
import { simulatorFiles } from '../simulators/bankid/simulator.ts'
import { type Environment, readConfig } from './config.ts'
import { connectBankId } from './connect-bankid.ts'

const clock = () => new Date()
const connect = (env: Environment) => connectBankId(readConfig(env), clock)
const production = {
  NODE_ENV: 'production',
  BASE_URL: 'https://portal.nordvik.example',
  MASTER_KEY: 'qN3uY0wq5c0mG8lq0o2nT1xkq6zQmJ1f7m9bXw3r5sE=',
  DATABASE_URL: 'postgres://app@db.nordvik.example/vestibule',
  SMTP_URL: 'smtp://mail.nordvik.example:587',
}
const files = {
  BANKID_URL: 'https://bankid.nordvik.example/rp/v6.0',
  BANKID_CERT_FILE: simulatorFiles.client,
  BANKID_CERT_PASSPHRASE: simulatorFiles.passphrase,
  BANKID_CA_FILE: simulatorFiles.ca,
}

test('without an address BankID is simulated with a phone app, and unavailable in production', async () => {
  const { bankid, phoneApp } = await connect({})
  expect([bankid, phoneApp]).toEqual([expect.anything(), expect.anything()])
  await bankid?.close()
  expect(await connect(production)).toEqual({})
})

test('with an address BankID is called with the certificate, and there is no phone app', async () => {
  const { bankid, phoneApp } = await connect(files)
  expect(bankid?.certificateEnds?.getUTCFullYear()).toBe(2059)
  expect(phoneApp).toBeUndefined()
  await bankid?.close()
})

test('a certificate that cannot be used stops the start, by the name of its setting', async () => {
  await expect(connect({ ...files, BANKID_CERT_FILE: simulatorFiles.clientLegacy })).rejects.toMatchObject({
    name: 'BankIdCertificateError',
    message: expect.stringMatching(/^BANKID_CERT_FILE .* openssl pkcs12 -legacy /),
  })
  await expect(connect({ ...files, BANKID_CA_FILE: undefined })).rejects.toThrow(/^BANKID_CA_FILE is missing/)
})
