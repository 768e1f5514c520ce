import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The bytes that a line of the code says, as a number or a product. */
function bytesIn(path: string, pattern: RegExp): number {
  const [, product = ''] = pattern.exec(read(path)) ?? []
  return product.split('*').reduce((all, factor) => all * Number(factor.replaceAll('_', '')), 1)
}
const MB = 1024 * 1024
const saml = bytesIn('contract/sign-in/saml.ts', /SAMLResponse: ifReadable\(([\d *]+)\)/)
const federation = bytesIn('server/platform/outgoing/outgoing.ts', /federation: \{ bytes: ([\d *]+)/)
const metadata = bytesIn('server/platform/outgoing/outgoing.ts', /metadata: \{ bytes: ([\d *]+)/)
const anyCall = bytesIn('server/platform/http/serve-routes.ts', /bodyLimit \?\? ([\d *]+)/)
const request = bytesIn('server/platform/http/refusals/header-size.ts', /maxHeaderSize = ([\d *]+)/)
const answer = bytesIn('test/response-headers.test.ts', /^const most = (\d+)/m)
const pages = /Math\.min\((\d+), Math\.max\((\d+)/.exec(read('server/embedded-postgres/cluster.ts')) ?? []

/** Each size that the pages name, with what it is of: in the order of the page. */
const sizes: Record<string, readonly number[]> = {
  'docs/operations.md': [
    bytesIn('deploy/helm/vestibule/values.yaml', /limits: \{ memory: (\d+)Mi/) * MB,
    Number(pages[1]) * MB,
    saml,
    federation,
    metadata,
  ],
  'docs/services.md': [
    bytesIn('contract/service-roles/role-files.ts', /maxRolesFile = ([\d *]+)/),
    ...Array(2).fill(bytesIn('server/oidc/reach/organizations-claim.ts', /maxRolesInToken = (\d+)/)),
  ],
  'docs/product-rules.md': [bytesIn('contract/brands/brand-form.ts', /maxLogoBytes = ([\d *]+)/), federation],
  'docs/reliability.md': [bytesIn('test/process/full-disk.test.ts', /size=(\d+)m/) * MB],
  'docs/security.md': [
    bytesIn('server/platform/secrets/passwords.ts', /memoryCost: ([\d_]+)/) * 1024,
    federation,
    answer,
  ],
  'deploy/proxy/apache.conf': [request],
  'deploy/proxy/nginx.conf': [anyCall, saml, request, answer],
  'deploy/helm/vestibule/values.yaml': [answer],
  'docs/deployment.md': [answer],
}
/** What a test of its own compares, what other programs have, an example, and a measurement with its machine and date. */
const notOurs: Record<string, readonly string[]> = {
  // test/process/release.test.ts; the buffers of HAProxy and Caddy.
  'docs/deployment.md': ['17 MB', '69 MB', '15 KB', '10 MB'],
  'docs/words.md': ['1 MB'],
  'docs/scaling.md': ['37 MB'],
}

const files = ['docs', 'deploy'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(md|yaml|conf|cfg|service|socket|example|json)$|file$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1)),
)

test('every size of the pages is that of the code', () => {
  const pagesWith = Object.fromEntries(
    [...files, 'README.md', 'CONTRIBUTING.md', 'SECURITY.md']
      .filter((path) => !path.startsWith('docs/decisions/'))
      .flatMap((path) => {
        const found = read(path).match(/(?<![\d.,])\d[\d.,]* ?[KM]i?B\b/g) ?? []
        const rest = found.map((size) => size.replace('MiB', 'MB')).filter((size) => !notOurs[path]?.includes(size))
        return rest.length > 0 ? [[path, rest]] : []
      }),
  )
  const written = Object.fromEntries(
    Object.entries(sizes).map(([path, list]) => [
      path,
      list.map((bytes) => (bytes >= MB ? `${bytes / MB} MB` : `${bytes / 1024} KB`)),
    ]),
  )
  expect(pagesWith).toEqual(written)
  for (const [path, list] of Object.entries(notOurs)) for (const size of list) expect(read(path)).toContain(size)
})
