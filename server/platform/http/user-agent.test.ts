import { expect, test } from 'vitest'
import { parseUserAgent } from './user-agent.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const devices: Record<string, [string | null, [string | null, string | null, boolean]]> = {
  'Chrome on Windows': [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/156.0.0.0 Safari/537.36`,
    ['Chrome', 'Windows', false],
  ],
  'Edge on Windows': [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0`,
    ['Edge', 'Windows', false],
  ],
  'Opera on a Mac': [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Chrome/155.0.0.0 Safari/537.36 OPR/121.0.0.0`,
    ['Opera', 'macOS', false],
  ],
  'Firefox on Linux': [
    'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
    ['Firefox', 'Linux', false],
  ],
  'Safari on a Mac': [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    ['Safari', 'macOS', false],
  ],
  'Safari on an iPhone': [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    ['Safari', 'iOS', true],
  ],
  'Chrome on an iPhone': [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/156.0.0.0 Mobile/15E148 Safari/604.1',
    ['Chrome', 'iOS', true],
  ],
  'a Samsung telephone': [
    `Mozilla/5.0 (Linux; Android 10; K) ${webkit} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
    ['Samsung Internet', 'Android', true],
  ],
  'Chrome on a Chromebook': [
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/156.0.0.0 Safari/537.36`,
    ['Chrome', 'ChromeOS', false],
  ],
  'a program': ['curl/8.5.0', [null, null, false]],
  'nothing at all': [null, [null, null, false]],
}

test.each(Object.entries(devices))('%s is recognised', (_, [userAgent, [browser, system, handheld]]) => {
  expect(parseUserAgent(userAgent)).toEqual({ browser, system, handheld })
})
