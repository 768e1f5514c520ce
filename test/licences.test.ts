import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface LockedPackage {
  license?: string
  dev?: boolean
  optional?: boolean
}

/** Licences that ask for no more than their text in what we ship. */
const permissive = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
]
/** Fonts, copyleft per file, and the public domain: for the build, the tests and the web app. */
const forDevelopment = [...permissive, 'MPL-2.0', 'OFL-1.1', 'Python-2.0', 'Unlicense', 'WTFPL', 'Zlib']
/** Packages whose manifest names no licence, with the one in their files. */
const inFiles: Record<string, string> = {
  // Its manifest names LGPL and MIT, to choose from.
  'node_modules/@auth0/xmldom': 'MIT',
  'node_modules/passport-strategy': 'MIT',
  'node_modules/pause': 'MIT',
  'node_modules/saml/node_modules/xpath': 'MIT',
  'node_modules/samlp/node_modules/xpath': 'MIT',
  'node_modules/samlp/node_modules/xtend': 'MIT',
  'node_modules/svg-tags': 'MIT',
  'node_modules/utils-flatten': 'MIT',
  'node_modules/valid-url': 'MIT',
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, LockedPackage>
}

test('Every package has a licence that allows us to ship it', () => {
  const refused = Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { license = inFiles[path] ?? 'none', dev = false }]) => ({ path, license, dev }))
    .filter(({ license, dev }) => {
      const accepted = dev ? forDevelopment : permissive
      const names = license
        .replace(/^mit$/, 'MIT')
        .replaceAll(/[()]/g, '')
        .split(/ (?:OR|AND) /)
      return !(license.includes(' OR ')
        ? names.some((name) => accepted.includes(name))
        : names.every((name) => accepted.includes(name)))
    })
  expect(refused).toEqual([])
})
