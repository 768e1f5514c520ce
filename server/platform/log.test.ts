import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { addressKey } from './limits/address.ts'
import { createLog, withoutPersonalData, withoutPersonalNumbers } from './log.ts'
import { secret } from './secret.ts'

const written = (write: (log: ReturnType<typeof createLog>) => void): string => {
  const lines: string[] = []
  write(createLog('trace', { write: (line: string) => void lines.push(line) }))
  return lines.join('')
}

describe('the log', () => {
  test('is one JSON line each, with the level as a word and the time in UTC', () => {
    const lines = written((log) => log.warn({ count: 1 }, 'several\nlines')).split('\n')
    expect(lines.length).toBe(2)
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      count: 1,
      msg: 'several\nlines',
    })
  })

  test.each([
    'password',
    'newPassword',
    'oldPassword',
    'ssn',
    'token',
    'code',
    'cookie',
    'authorization',
    'email',
    'phoneNumber',
    'secret',
    'set-cookie',
  ])('never holds a %s, however deep it is passed', (name) => {
    const value = 'a-value-that-must-not-be-seen'
    const line = written((log) => log.info({ [name]: value, input: { [name]: value, person: { [name]: value } } }))
    expect(line).not.toContain(value)
    expect(line.match(/\[redacted\]/g)?.length).toBe(3)
  })

  test('holds no secret of the settings and no raw address', () => {
    const line = written((log) =>
      log.info({
        req: { method: 'GET', url: '/reset-password/abc?email=a@b.example', headers: { cookie: 'x' } },
        key: secret('hemligt'),
      }),
    )
    expect(line).not.toMatch(/reset-password|b\.example|hemligt/)
    expect(line).toContain('[secret]')
  })

  test('keeps of an error its kind, code and place, and no value that it quotes', () => {
    const error = Object.assign(
      new pg.DatabaseError('duplicate key for anna@nordvik.example 19900101-2384', 0, 'error'),
      {
        code: '23505',
        detail: 'Key (email)=(anna@nordvik.example) already exists.',
        parameters: ['199001012384'],
      },
    )
    const { err } = JSON.parse(written((log) => log.error({ err: error }, 'failed')))
    expect(err).toMatchObject({ errorCode: '23505', message: 'duplicate key for [e-mail] 19900101-****' })
    expect(Object.keys(err).sort()).toEqual(['errorCode', 'message', 'stack', 'type'])
    expect(err.stack).toContain('log.test.ts')
    expect(err.stack).not.toMatch(/anna|2384/)
  })

  test('tells what was behind an error', () => {
    const { err } = JSON.parse(written((log) => log.error({ err: new Error('outer', { cause: new Error('inner') }) })))
    expect(err.cause).toBe('inner')
  })
})

describe('personal data in a text', () => {
  test.each([
    ['199001012384', '19900101-****'],
    ['19900101-2384', '19900101-****'],
    ['900101-2384', '900101-****'],
    ['9001012384', '900101-****'],
    ['200229+1234', '200229-****'],
    ['born 19900101 and', 'born 19900101 and'],
    ['556012-5790', '556012-5790'],
    ['1234567890123', '1234567890123'],
    ['2026-11-21T10:15:00.123Z', '2026-11-21T10:15:00.123Z'],
  ])('%s becomes %s', (text, wanted) => {
    expect(withoutPersonalNumbers(`x ${text} y`)).toBe(`x ${wanted} y`)
  })

  test.each([
    ['mail to anna@nordvik.example, now', 'mail to [e-mail], now'],
    ['/invites/anna%40nordvik.example/user', '/invites/[e-mail]/user'],
    ['?email=anna+x@nordvik.example&b=1', '?email=[e-mail]&b=1'],
    ['"Anna" <anna@nordvik.example>', '"Anna" <[e-mail]>'],
    ['åsa.öberg@nordvik.example', '[e-mail]'],
    ['at frame (/app/x.js:1:2)', 'at frame (/app/x.js:1:2)'],
  ])('%s becomes %s', (text, wanted) => {
    expect(withoutPersonalData(text)).toBe(wanted)
  })
})

describe('an address counts', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['2001:db8:1:2:ffff::', '2001:db8:1:2::/64'],
  ])('%s as %s', (address, key) => {
    expect(addressKey(address)).toBe(key)
  })

  test('as another one as soon as its /64 differs', () => {
    expect(addressKey('2001:db8:1:2::1')).toBe(addressKey('2001:db8:1:2:ffff:ffff:ffff:ffff'))
    expect(addressKey('2001:db8:1:2::1')).not.toBe(addressKey('2001:db8:1:3::1'))
  })
})
