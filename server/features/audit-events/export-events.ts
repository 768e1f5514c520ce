import type { AuditEventDetail } from '#contract/audit-events/audit-events.ts'
import type { auditExports } from '#contract/audit-events/audit-exports.ts'
import type { MessageKey } from '#contract/message-key.ts'
import type { Language } from '#contract/roles.ts'
import type { TextFile } from '#contract/route.ts'
import { csvLine, csvStart } from '#server/platform/csv.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { detectLanguage } from '#server/platform/http/request-language.ts'
import { translate } from '#server/platform/messages/texts.ts'
import type { System } from '#server/platform/system.ts'
import { findOrganizationName, readEventsInOrder } from './audit-events.repository.ts'
import { chainLines } from './chain-lines.repository.ts'
import { readsOfAll, viewerOf } from './viewer.ts'

type Context = RequestContext<typeof auditExports.table> | RequestContext<typeof auditExports.lines>
type Event = Pick<AuditEventDetail, 'name' | 'actor' | 'actorName' | 'target' | 'targetName' | 'createdAt' | 'changes'>

const languageOf = ({ session, http }: Context) => session.user.preferredLanguage ?? detectLanguage(http.request)
const inSweden = new Intl.DateTimeFormat('sv-SE', {
  dateStyle: 'short',
  timeStyle: 'medium',
  timeZone: 'Europe/Stockholm',
})
const columns = [
  'eventTime',
  'eventName',
  'eventActor',
  'eventActorName',
  'eventTarget',
  'eventTargetName',
  'eventChanges',
] as const

async function* tableOf(context: Context, language: Language) {
  const { db, actor, query } = context
  const t = (key: MessageKey) => translate(language, key)
  yield csvStart + csvLine(columns.map(t))
  const eventText = textsOfEvents(t)
  const cellsOf = ({ name, actor, actorName, target, targetName, createdAt, changes }: Event) => [
    inSweden.format(new Date(createdAt)),
    eventText(name),
    actor,
    actorName,
    target,
    targetName,
    changes
      .map(({ property, previousValue, newValue }) => `${property}: ${previousValue ?? '–'} → ${newValue ?? '–'}`)
      .join('\n'),
  ]
  for await (const events of readEventsInOrder(db, viewerOf(actor), query))
    yield events.map((event) => csvLine(cellsOf(event))).join('')
}

/** The text of each event; events of a later version are unknown. */
function textsOfEvents(t: (key: MessageKey) => string) {
  const known = new Map<string, string>()
  return (name: string) => {
    const key = `event${name.charAt(0).toUpperCase()}${name.slice(1)}` as MessageKey
    const text = known.get(name) ?? t(key)
    known.set(name, text === key ? t('eventUnknown') : text)
    return known.get(name) ?? null
  }
}

/** What an admin may read of an event is not all that was hashed, so these lines cannot be checked. */
async function* linesInSight({ db, actor, query }: Context) {
  yield `${JSON.stringify({ format: 'vestibule-audit-events-1', verifiable: false })}\n`
  for await (const events of readEventsInOrder(db, viewerOf(actor), query))
    yield events.map(({ actorId: _, ...event }) => `${JSON.stringify(event)}\n`).join('')
}

/** Before the first byte: what has left the portal is in the log. */
async function recordExport({ db, actor, query, transact }: Context, fileType: string): Promise<void> {
  const { organizationFilter, ...filters } = query
  const viewer = viewerOf(actor)
  // The reader of this event is not to learn what an organisation out of reach is called.
  const organization =
    organizationFilter &&
    (readsOfAll(viewer) || viewer.organizationIds.includes(organizationFilter)) &&
    (await findOrganizationName(db, organizationFilter))
  await transact(async (_, audit) =>
    audit({
      name: 'exportAuditEvents',
      after: { fileType, ...filters, organization: organization || organizationFilter },
      organizationIds: readsOfAll(viewer)
        ? []
        : organization && organizationFilter
          ? [organizationFilter]
          : viewer.organizationIds,
    }),
  )
}

const fileOf = (context: Context, ending: string, lines: AsyncIterable<string>): TextFile => ({
  fileName: `${translate(languageOf(context), 'auditEvents')} ${inSweden.format(context.now).slice(0, 10)}.${ending}`,
  lines,
})

/** @param pool reads the rows of the chain as the check does */
export const createAuditExportsHandlers = ({ pool }: Pick<System, 'pool'>): Handlers<typeof auditExports> => ({
  table: async (context) => {
    await recordExport(context, 'CSV')
    return fileOf(context, 'csv', tableOf(context, languageOf(context)))
  },
  lines: async (context) => {
    const { actor, db, keys, query } = context
    await recordExport(context, 'JSON Lines')
    const readsAll = viewerOf(actor) === 'everything'
    return fileOf(context, 'jsonl', readsAll ? chainLines({ db, pool, keys }, query) : linesInSight(context))
  },
})
