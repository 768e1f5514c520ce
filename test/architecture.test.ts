import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import packageFile from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')

interface Source {
  /** Relative to the project: `server/platform/http/serve-routes.ts`. */
  path: string
  text: string
  lines: number
  /** Its imports: paths relative to the project, or names of packages. */
  imports: string[]
}

const folders = ['contract', 'server', 'web', 'simulators', 'test', 'e2e', 'bench', 'scripts']
const isTest = ({ path }: { path: string }) => /\.test\.tsx?$/.test(path)

function sourcesIn(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.(tsx?|mjs)$/.test(file.name))
    .map((file) => {
      const path = join(file.parentPath, file.name).slice(root.length + 1)
      const text = readFileSync(join(root, path), 'utf8')
      return { path, text, lines: text.split('\n').length - 1, imports: importsOf(path, text) }
    })
}

function importsOf(path: string, text: string): string[] {
  const found = text.matchAll(/(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s+'([^']+)'|\bimport\s*\(?\s*'([^']+)'/g)
  return [...found]
    .map((match) => match[1] ?? match[2] ?? '')
    .filter((name) => name !== '')
    .map((name) => {
      if (name.startsWith('#')) return name.slice(1)
      return name.startsWith('.') ? normalize(join(dirname(path), name)) : name
    })
}

const all = folders.flatMap(sourcesIn)
const product = all.filter((source) => /^(contract|server|web)\//.test(source.path) && !isTest(source))
const under = (...starts: string[]) => product.filter(({ path }) => starts.some((start) => path.startsWith(start)))
const isOurs = (name: string) => folders.some((folder) => name.startsWith(`${folder}/`)) || name.startsWith('locales/')

/** Every forbidden import, as `importer → imported`. */
const offences = (sources: Source[], isAllowed: (target: string, source: Source) => boolean) =>
  sources.flatMap((source) =>
    source.imports.filter((target) => !isAllowed(target, source)).map((target) => `${source.path} → ${target}`),
  )
const importsByPath = new Map(all.map(({ path, imports }) => [path, imports]))
const needed = new Map<string, Set<string>>()

/** The transitive imports of a file. */
function neededBy(path: string): Set<string> {
  const known = needed.get(path)
  if (known) return known
  const found = new Set<string>()
  const add = (one: string) => {
    if (found.has(one)) return
    found.add(one)
    importsByPath.get(one)?.forEach(add)
  }
  importsByPath.get(path)?.forEach(add)
  needed.set(path, found)
  return found
}

const startsWithOneOf =
  (...starts: string[]) =>
  (target: string) =>
    starts.some((start) => target.startsWith(start))
const orForeign = (rule: (target: string, source: Source) => boolean) => (target: string, source: Source) =>
  !isOurs(target) || rule(target, source)

test('the walk finds the files and reads their imports', () => {
  expect(product.length).toBeGreaterThan(60)
  expect(product.find(({ path }) => path === 'server/platform/http/serve-routes.ts')?.imports).toEqual(
    expect.arrayContaining(['contract/permissions.ts', 'server/platform/limits/address.ts', 'fastify']),
  )
})

/**
 * The layers of the server, the lowest first. Rooms of the same layer do not import each other. Files in no layer
 * (`start-server.ts`, `app.ts`, the demo, the commands) compose the rest, and no other file imports them.
 */
const floors = [
  [/^(contract|locales)\//],
  // The few files at the root of the platform.
  [/^server\/platform\/(?!system\.ts)[^/]+$/],
  [/^server\/(config|settings|setting-checks|limit-settings|unknown-settings|boot-guard)\.ts$/],
  [/^server\/platform\/database\//],
  [/^server\/platform\/secrets\//],
  [/^server\/platform\/limits\//, /^server\/platform\/audit\//, /^server\/platform\/outgoing\//],
  [/^server\/platform\/messages\//, /^server\/platform\/quarantine\//],
  [/^server\/platform\/jobs\//],
  [/^server\/platform\/system\.ts$/],
  [/^server\/platform\/http\//],
  [/^server\/oidc\//, /^server\/saml\//, /^server\/bankid\//, /^server\/mails\//],
  [/^server\/company-oidc\//],
  [/^server\/accounts\//, /^server\/credentials\//],
  [/^server\/room\.ts$/],
  [/^server\/features\//],
]

/** The rooms, and what they have in common. */
const useCases = ['accounts', 'credentials', 'features', 'mails'].map((room) => `server/${room}/`)

test('no import cycles, including type-only imports', () => {
  expect(offences(all, (target, { path }) => !neededBy(target).has(path))).toEqual([])
})

/** A folder and the name of what is below it: `server/oidc` and `tokens`, if that is a folder. */
function childIn(folder: string, path: string): string | undefined {
  if (!path.startsWith(`${folder}/`)) return undefined
  const [child, ...below] = path.slice(folder.length + 1).split('/')
  return below.length > 0 ? child : undefined
}

/** The circles of folders that stand beside each other in this one, as `a, b`. */
function circlesIn(folder: string): string[] {
  const uses = new Map<string, Set<string>>()
  for (const { path, imports } of product) {
    const from = childIn(folder, path)
    for (const target of imports) {
      const to = childIn(folder, target)
      if (from && to && from !== to) uses.set(from, (uses.get(from) ?? new Set()).add(to))
    }
  }
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(uses.get(from) ?? [])].some((next) => {
      if (next === to) return true
      if (seen.has(next)) return false
      seen.add(next)
      return reaches(next, to, seen)
    })
  return [...uses.keys()].filter((child) => reaches(child, child))
}

test('folders beside each other import in one direction', () => {
  const parents = new Set(
    product.flatMap(({ path }) => path.split('/').map((_, at, parts) => parts.slice(0, at).join('/'))),
  )
  expect([...parents].flatMap((folder) => circlesIn(folder).map((child) => `${folder}/${child}`))).toEqual([])
})

describe('imports flow one way', () => {
  test('the contract knows only zod and itself', () => {
    const allowed = startsWithOneOf('zod/mini', 'contract/', 'locales/sv/')
    expect(offences(under('contract/'), allowed)).toEqual([])
  })

  test('a folder of the contract has the name of its room, or has the fields that rooms have in common', () => {
    const roomsOf = (folder: string) => under(`${folder}/`).map(({ path }) => childIn(folder, path))
    const rooms = new Set([...roomsOf('server/features'), ...roomsOf('web/features'), 'fields', undefined])
    expect([...new Set(roomsOf('contract'))].filter((room) => !rooms.has(room))).toEqual([])
  })

  test('the web app knows the contract and never the server', () => {
    expect(offences(under('web/'), orForeign(startsWithOneOf('web/', 'contract/', 'locales/')))).toEqual([])
  })

  test('the server never knows the web app', () => {
    expect(
      offences(
        under('server/'),
        orForeign((target) => !target.startsWith('web/')),
      ),
    ).toEqual([])
  })

  test('a layer of the server imports no layer above it', () => {
    const floorOf = (path: string) => floors.findIndex((rooms) => rooms.some((room) => room.test(path)))
    const allowed = (target: string, { path }: Source) =>
      floorOf(target) !== -1 && (floorOf(target) < floorOf(path) || isSameRoom(target, path))
    const isSameRoom = (one: string, other: string) => floors.flat().some((room) => room.test(one) && room.test(other))
    const onAFloor = under('server/').filter(({ path }) => floorOf(path) !== -1)
    expect(offences(onAFloor, orForeign(allowed))).toEqual([])
  })

  test('the embedded PostgreSQL imports no other part', () => {
    expect(
      offences(under('server/embedded-postgres/'), orForeign(startsWithOneOf('server/embedded-postgres/'))),
    ).toEqual([])
  })

  test('a room reaches another room only through its door', () => {
    const roomOf = (path: string) => path.split('/')[2] ?? ''
    const allowed = (target: string, source: Source) => {
      if (!target.startsWith('server/features/')) return !/^server\/(app|main)\.ts|^server\/(admin|demo)\//.test(target)
      const room = roomOf(target)
      return room === roomOf(source.path) || target === `server/features/${room}/${room}.ts`
    }
    expect(offences(under('server/features/'), orForeign(allowed))).toEqual([])
  })

  test('a screen reaches another room only through its door', () => {
    const roomOf = (path: string) => path.split('/')[2] ?? ''
    const allowed = (target: string, source: Source) => {
      if (!target.startsWith('web/features/'))
        return startsWithOneOf('web/lib/', 'web/ui/', 'contract/', 'locales/')(target)
      const room = roomOf(target)
      return (
        room === roomOf(source.path) ||
        [`${room}.ts`, `${room}.tsx`, `${room}.room.ts`].includes(target.split('/').slice(3).join('/'))
      )
    }
    expect(offences(under('web/features/'), orForeign(allowed))).toEqual([])
  })

  test('the frame of the app imports only the declarations of its rooms', () => {
    const allowed = (target: string) => !target.startsWith('web/features/') || target.endsWith('.room.ts')
    expect(offences(under('web/app/'), allowed)).toEqual([])
  })

  test.each([
    ['contract/rooms.ts', /^contract\/([a-z-]+)\/\1\.room\.ts$/],
    ['server/rooms.ts', /^server\/features\/([a-z-]+)\/\1\.handlers\.ts$/],
    ['web/app/rooms.ts', /^web\/features\/[a-z-]+\/[a-z-]+\.room\.ts$/],
  ])('%s has every room', (list, room) => {
    const rooms = product.map(({ path }) => path).filter((path) => room.test(path))
    expect(rooms.length).toBeGreaterThan(5)
    const listed = importsByPath.get(list) ?? []
    expect(rooms.filter((path) => !listed.includes(path))).toEqual([])
  })

  test('the frame of the light pages imports none of its pages', () => {
    const allowed = startsWithOneOf('web/sign-in/frame/', 'web/ui/', 'web/lib/', 'contract/', 'locales/')
    expect(offences(under('web/sign-in/frame/'), orForeign(allowed))).toEqual([])
  })

  test('web/ui imports no data and no routes', () => {
    const allowed = (target: string) =>
      isOurs(target) ? target.startsWith('web/ui/') : !/^@tanstack|^(react-)?i18next|^zod/.test(target)
    expect(offences(under('web/ui/'), allowed)).toEqual([])
  })

  test('web/lib imports no screen', () => {
    expect(
      offences(
        under('web/lib/'),
        orForeign((target) => !/^web\/(app|features|sign-in)\//.test(target)),
      ),
    ).toEqual([])
  })

  /** Every import that the light entry reaches from its pages and that a pattern forbids. */
  function reachedByLightEntry(forbidden: RegExp, isPart: (path: string) => boolean = () => false): string[] {
    const seen = new Set<string>()
    const reach = (path: string, by: string): string[] => {
      if (forbidden.test(path)) return [`${by} → ${path}`]
      const source = product.find((candidate) => candidate.path === path)
      if (!source || seen.has(path) || isPart(path)) return []
      seen.add(path)
      return source.imports.flatMap((target) => reach(target, path))
    }
    return under('web/sign-in/').flatMap(({ path }) => reach(path, path))
  }

  test('the light entry loads no router, no query library, no i18next and nothing of the app', () => {
    expect(reachedByLightEntry(/^@tanstack|^(react-)?i18next|^@base-ui|^web\/(app|features)\//)).toEqual([])
  })

  test('only the forms behind mailed links bring the form library, as parts of their own', () => {
    const forms = ['invitation/accept-invitation-form.tsx', 'reset-password/new-password-form.tsx']
    const isForm = (path: string) => forms.some((form) => path === `web/sign-in/${form}`)
    expect(product.filter(({ path }) => isForm(path))).toHaveLength(2)
    expect(reachedByLightEntry(/^react-hook-form|^@hookform/, isForm)).toEqual([])
    const importedAtOnce = /from '[^']*(accept-invitation|new-password)-form\.tsx'/
    expect(product.filter(({ text }) => importedAtOnce.test(text)).map(({ path }) => path)).toEqual([])
  })

  test('the product imports no tests or simulators, except the demo, which production never loads', () => {
    const allowed = (target: string, { path }: Source) =>
      (target.startsWith('simulators/') && path.startsWith('server/demo/')) ||
      !/^(simulators|test|e2e|bench)\/|\.test\.tsx?$/.test(target)
    expect(offences(product, allowed)).toEqual([])
  })

  test('the server imports only packages listed under dependencies', () => {
    const packageOf = (name: string) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/')
    const allowed = (target: string) =>
      isOurs(target) ||
      target === 'package.json' ||
      target.startsWith('node:') ||
      packageOf(target) in packageFile.dependencies
    expect(offences(under('contract/', 'server/'), allowed)).toEqual([])
  })
})

// Long because they are lists.
const lists = ['server/platform/database/database-types.ts', 'server/settings.ts']

test('a folder has at most thirty files', () => {
  const sizes = Object.entries(Object.groupBy(product, ({ path }) => dirname(path))).map(([folder, files = []]) => ({
    folder,
    size: files.length,
  }))
  expect(sizes.filter(({ size }) => size > 30)).toEqual([])
})

describe('files', () => {
  const paths = all.map(({ path }) => path)

  test('have descriptive names', () => {
    expect(paths.filter((path) => /(^|[/.-])(utils?|helpers?|common|misc|shared)([/.]|$)/.test(path))).toEqual([])
  })

  test('are in kebab-case, room first, role last', () => {
    const named = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z]+)*)*\.(tsx?|mjs)$/
    expect(paths.filter((path) => !named.test(basename(path)))).toEqual([])
  })

  test('re-export nothing', () => {
    const barrels = all.filter(
      ({ path, text }) => /\/index\.tsx?$/.test(path) || /^export\s+(\*|(type\s+)?\{[^}]*\})\s+from/m.test(text),
    )
    expect(barrels.map(({ path }) => path)).toEqual([])
  })

  test('are at most 200 lines long, with a median of at most 60', () => {
    const measured = product.filter(({ path }) => !lists.includes(path))
    expect(measured.filter(({ lines }) => lines > 200).map(({ path, lines }) => `${path}: ${lines}`)).toEqual([])
    const sizes = measured.map(({ lines }) => lines).sort((a, b) => a - b)
    expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThanOrEqual(60)
  })
})

describe('code', () => {
  const where = (sources: Source[], pattern: RegExp) =>
    sources.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    )

  test('checks for super users only in the permissions of the rooms', () => {
    const elsewhere = product.filter(({ path }) => !/^contract\/(actor|([a-z-]+)\/\2\.room)\.ts$/.test(path))
    expect(where(elsewhere, /\bactor\??\.superUser\b|\bif\s*\(.*\bsuperUser\b/)).toEqual([])
  })

  test('has classes only for errors and the React error boundary', () => {
    const demanded = /^\s*(export\s+)?(abstract\s+)?class\s(?!\w+ extends ([\w.]*(Error|Problem|Refusal)\b|Component<))/
    expect(where(product, demanded)).toEqual([])
  })

  test('uses the injected clock, never the system clock', () => {
    // The provider's library uses the system clock; that file measures the difference.
    const rooms = under(...useCases, 'server/oidc/', 'server/saml/', 'server/bankid/').filter(
      ({ path }) => !path.endsWith('/provider-time.ts'),
    )
    expect(where(rooms, /\bDate\.now\(\)|\bnew Date\(\)/)).toEqual([])
  })

  test('begins and commits transactions only in the platform', () => {
    expect(
      where(under(...useCases, 'server/saml/', 'server/bankid/'), /\.transaction\(\)|\b(begin|commit|rollback)\b['`]/),
    ).toEqual([])
  })

  test('begins no transaction inside of another: what is given a Db, which may be one, calls withTransaction', () => {
    const begun = under('server/').flatMap(({ path, text }) =>
      path.endsWith('/transactions.ts')
        ? []
        : text
            .split(/\n(?=(?:export )?(?:async )?(?:function|const) )/)
            .filter((part) => part.includes('.transaction()') && /(?<!: )\(\s*db: Db\b/.test(part))
            .map((part) => `${path}: ${part.split('\n', 1)[0]}`),
    )
    expect(begun).toEqual([])
  })

  test('takes its own files by path, never by the pathname of a URL, which has %20 for a space and %C3%A5 for å', () => {
    const settings = readdirSync(root)
      .filter((path) => /\.config\.ts$/.test(path))
      .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8'), lines: 0, imports: [] }))
    expect(where([...all, ...settings], /new URL\(.*import\.meta\.url|\bfile:.*\.pathname\b/)).toEqual([])
  })

  test('of the rooms has its SQL in repositories', () => {
    const others = under(...useCases).filter(({ path }) => !path.endsWith('.repository.ts'))
    const isSql =
      /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bpool\.query\b|^import \{.*\bsql\b.*\} from 'kysely'/
    expect(where(others, isSql)).toEqual([])
  })

  test('never concatenates values into SQL', () => {
    expect(where(under('server/'), /\bsql\.(raw|lit)\b/)).toEqual([])
  })

  test('of the contract, the platform, SAML, BankID and the embedded database documents its exports', () => {
    const explained = ['platform', 'saml', 'bankid', 'embedded-postgres', 'accounts', 'credentials'].map(
      (room) => `server/${room}/`,
    )
    const unexplained = under('contract/', ...explained).flatMap(({ path, text }) => {
      const lines = text.split('\n')
      return lines.flatMap((line, index) => {
        const name = /^export (?:async )?(?:function|interface|class) (\w+)/.exec(line)?.[1]
        return name && !/\*\/\s*$/.test(lines[index - 1] ?? '') ? [`${path} ${name}`] : []
      })
    })
    expect(unexplained.filter((name) => !lists.includes(name.split(' ')[0] ?? ''))).toEqual([])
  })
})

/** Who reads memberships and assignments that begin later or have ended, and why that gives nobody access. */
const readsEverything: Record<string, string> = {
  'server/accounts/directory-groups.repository.ts': 'adds them',
  'server/accounts/group-access.repository.ts': 'gives and takes back what groups give',
  'server/accounts/group-roles.repository.ts': 'gives roles to those who have the service',
  'server/accounts/groups.repository.ts': 'adds members of an organisation to its groups',
  'server/accounts/roles.repository.ts': 'what admins see and change; what is current has functions of its own',
  'server/credentials/factors/recoveries.repository.ts':
    'since when somebody is an admin; who may help is asked before',
  'server/accounts/first-services.repository.ts': 'adds them',
  'server/demo/add-demo-people.ts': 'adds them',
  'server/demo/add-demo-review.ts': 'notes uses',
  'server/features/access-ends/ends.repository.ts': 'says what ends',
  'server/features/access-reviews/access-reviews.repository.ts': 'a review asks about everything',
  'server/features/access-reviews/review-rows.repository.ts': 'a review asks about everything',
  'server/features/access-reviews/reviewers.repository.ts': 'rows of a review',
  'server/features/audit-events/event-links.repository.ts': 'the people in the lists of an admin',
  'server/features/audit-events/events-in-sight.repository.ts': 'the names of people in the lists of an admin',
  'server/features/groups/group-people.repository.ts': 'what admins see of groups and change',
  'server/features/scoped-roles/scoped-roles.repository.ts': 'who has a role for a part, for those who name them',
  'server/features/groups/groups.repository.ts': 'what admins see of groups: who waits, and what would end',
  'server/features/invitations/become-member.repository.ts': 'adds them',
  'server/features/invitations/own-invitations.repository.ts':
    'who is in the list of an organisation is not invited to it',
  'server/features/invitations/pending-members.repository.ts':
    'who is in the list of an organisation is not invited to it',
  'server/features/invitations/plan-import.repository.ts': 'who is in the list of an organisation is not invited to it',
  'server/features/launcher/launcher.repository.ts': 'notes a use',
  'server/features/organizations/locked-out.repository.ts': 'changes them',
  'server/features/organizations/organizations.repository.ts': 'an organisation with people is not deleted',
  'server/features/passive-users/coming-steps.repository.ts': 'the people in the lists of an admin',
  'server/features/passive-users/due-people.repository.ts':
    'finds of whom to ask; how long they may stay away follows from what is current',
  'server/features/passive-users/passive-reports.repository.ts': 'hides what concerns another organisation',
  'server/features/profile/own-data/collect-data.repository.ts': 'a copy of what is stored',
  'server/features/profile/own-roles.repository.ts': 'what people see of themselves',
  'server/features/scim/groups/scim-members.repository.ts':
    "who is in the list of an organisation is in its directory's groups",
  'server/features/scim/kept.repository.ts': 'what comes back is as it was, with its days',
  'server/features/scim/place.repository.ts': "who is in the list of an organisation is its directory's",
  'server/features/scim/scim-log.repository.ts': 'who is in the list of an organisation needs no other try',
  'server/features/service-roles/holders.repository.ts': 'what admins see and change',
  'server/features/sign-in/auth-type.repository.ts': 'counts how people of a mail domain sign in',
  'server/features/users/memberships.repository.ts': 'adds and changes them',
  'server/features/users/user-filters.repository.ts': 'the lists of admins',
  'server/features/users/user-lists.repository.ts': 'the lists of admins',
  'server/features/users/user-summaries.repository.ts': 'the lists of admins',
  'server/features/users/users.repository.ts': 'changes them, and compares their ends',
  'server/oidc/logout/withdrawn-access.ts': 'finds what has ended',
  'server/oidc/storage/write-request.ts': 'notes a use',
  'server/platform/database/current-access.ts': 'the views have the columns of the tables',
  'server/platform/database/schema.ts': 'the names of the schema files',
}

test('whatever gives access asks for the day: the tables are read only where a list says why', () => {
  const table =
    /(?:from|join|update|into)\s+(?:memberships|service_assignments)\b|['"](?:memberships|serviceAssignments)(?: as \w+)?['"]/
  const readers = under('server/')
    .filter(({ text }) => table.test(text))
    .map(({ path }) => path)
  expect(readers.sort()).toEqual(Object.keys(readsEverything).sort())
})

const written = (names: string) => {
  const tables = names.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  return new RegExp(`(insert into|delete from) (${names})\\b|\\.(insertInto|deleteFrom)\\('(${tables})'`)
}
const writersOf = (pattern: RegExp) =>
  under('server/').filter(({ path, text }) => !path.startsWith('server/demo/') && pattern.test(text))

test('code that changes a group, or may free a seat, applies what groups give (decision 0103)', () => {
  const changesGroups = written('group_members|group_services|group_service_roles|groups')
  const frees =
    /delete from (memberships|users|service\w*assignments)\b|\.deleteFrom\('(memberships|users|service\w*Assignments)'/
  const changesRules = /updateTable\('serviceRoles'\)|update service_roles\b|maxNumberOfUsers: \(given\)/
  const writers = writersOf(new RegExp([changesGroups, frees, changesRules].map(({ source }) => source).join('|')))
  expect(writers.length).toBeGreaterThan(7)
  const access = /^server\/accounts\/group-(access|roles)(\.repository)?\.ts$/
  const others = writers.filter(({ path, imports }) => !access.test(path) && !imports.some((one) => access.test(one)))
  expect(others.map(({ path }) => path)).toEqual([])
})

test('memberships are made in one place, which asks the directory of the organisation', () => {
  expect(writersOf(/insert into memberships\b|\.insertInto\('memberships'\)/).map(({ path }) => path)).toEqual([
    'server/accounts/directory-groups.repository.ts',
  ])
})

/** Queries that ask who is called an admin. What somebody may do is asked of their permissions: an own role can allow as much. */
const asksForAdmins: Record<string, string> = {
  'server/accounts/counting-factors.repository.ts': 'beside those who decide over others',
  'server/credentials/factors/recoveries.repository.ts': 'only long-standing admins confirm',
  'server/features/access-reviews/review-rows.repository.ts': 'a filter by this role',
  'server/features/factors/rules.repository.ts': 'beside those who decide over others',
  'server/features/invitations/become-member.repository.ts': 'an invitation that promises this role',
  'server/features/invitations/promised-end.repository.ts': 'an invitation that promises this role',
  'server/features/passive-users/due-people.repository.ts': 'beside those who may everything',
  'server/features/scim/scim-users.repository.ts': 'the type of the column',
  'server/features/users/invitation-filters.repository.ts': 'a filter by this role',
  'server/features/users/user-filters.repository.ts': 'a filter by this role',
}

test('whom an organisation asks to act follows from permissions, not from the name of the role', () => {
  const asking = under('server/')
    .filter(({ path, text }) => path.endsWith('.repository.ts') && text.includes("'organizationAdmin'"))
    .map(({ path }) => path)
  expect(asking.sort()).toEqual(Object.keys(asksForAdmins).sort())
})
