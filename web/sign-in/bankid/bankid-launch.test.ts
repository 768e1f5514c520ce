import { expect, test } from 'vitest'
import { deviceOf, launchAddress } from './bankid-launch.ts'

const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15'
const android =
  'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'
const windows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

test('a phone, a tablet and a computer are told apart', () => {
  expect(deviceOf({ userAgent: safari, maxTouchPoints: 5 })).toBe('ios')
  expect(deviceOf({ userAgent: android, maxTouchPoints: 5 })).toBe('android')
  expect(deviceOf({ userAgent: mac, maxTouchPoints: 5 })).toBe('ios')
  expect(deviceOf({ userAgent: mac, maxTouchPoints: 0 })).toBe('computer')
  // A computer with a touch screen.
  expect(deviceOf({ userAgent: windows, maxTouchPoints: 10 })).toBe('computer')
})

const page = 'https://portal.example/interaction/x/login?email=a%2Bb%40x.se'
const launch = (userAgent: string, at = page) =>
  launchAddress({ token: 'f7a0-1', browser: { userAgent, maxTouchPoints: 0 }, page: at })

test('a computer and Android open the app, and come back by themselves', () => {
  expect(launch(windows)).toBe('bankid:///?autostarttoken=f7a0-1&redirect=null')
  expect(launch(android)).toBe('https://app.bankid.com/?autostarttoken=f7a0-1&redirect=null')
})

test('iOS is told which browser to come back to', () => {
  const wayBack = (userAgent: string, at = page) => new URL(launch(userAgent, at)).searchParams.get('redirect')
  expect(new URL(launch(safari)).origin).toBe('https://app.bankid.com')
  expect(wayBack(safari)).toBe(`${page}#bankid`)
  expect(wayBack(safari, `${page}#main`)).toBe(`${page}#bankid`)
  expect(wayBack(safari.replace('Version/18.5', 'CriOS/140.0'))).toBe('googlechrome://')
  expect(wayBack(safari.replace('Version/18.5', 'FxiOS/140.0'))).toBe('firefox://')
  expect(wayBack(safari.replace('Version/18.5', 'EdgiOS/140.0'))).toBe(`microsoft-edge-${page}#bankid`)
})
