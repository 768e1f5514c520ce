import { randomBytes } from 'node:crypto'
import { domainToASCII } from 'node:url'
import type { SamlDomain, samlDomains } from '#contract/saml-configs/saml-domains.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { DnsFailure, findTxtRecords } from '#server/platform/outgoing/txt-records.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { auditedConfig } from './audited-config.ts'
import { findSamlConfig, findSamlConfigForUpdate } from './saml-configs.repository.ts'
import {
  findOwner,
  insertDomain,
  listDomains,
  proveDomain,
  removeDomain,
  type StoredDomain,
} from './saml-domains.repository.ts'

const most = 50

export const samlDomainsHandlers: Handlers<typeof samlDomains> = {
  list: async ({ db, params }) => {
    const { id } = found(await findSamlConfig(db, Number(params.id)))
    return (await listDomains(db, id)).map(described)
  },
  add: ({ db, params, input: { domain }, now, audit }) =>
    change(db, audit, params.id, async (samlConfigId, before) => {
      if (before.length >= most) throw atDomain('tooManyDomains')
      if (before.some((one) => one.domain === domain)) throw atDomain('domainAlreadyThere')
      await refuseTaken(db, domain)
      await insertDomain(db, { samlConfigId, domain, token: randomBytes(16).toString('hex'), addedAt: now })
    }),
  check: async ({ db, params, input: { domain }, config, now, transact }) => {
    const { id } = found(await findSamlConfig(db, Number(params.id)))
    const { token } = found((await listDomains(db, id)).find((one) => one.domain === domain))
    if (!(await readRecords(config.dnsServers, domain)).includes(recordValue(token)))
      throw atDomain('domainRecordMissing')
    return transact((trx, audit) =>
      change(trx, audit, params.id, async (samlConfigId, before) => {
        const present = found(before.find((one) => one.domain === domain))
        // Someone removed it and added it again while the record was looked up.
        if (present.token !== token) throw new Problem(409, 'changedByOthers')
        if (present.proof === 'dns') return
        await refuseTaken(trx, domain, samlConfigId)
        await proveDomain(trx, { samlConfigId, domain }, { proof: 'dns', provenAt: now, reason: null })
      }),
    )
  },
  confirm: ({ db, params, input: { domain, reason }, now, audit }) =>
    change(db, audit, params.id, async (samlConfigId, before) => {
      // A proof by DNS says more than a confirmation.
      if (found(before.find((one) => one.domain === domain)).proof !== null) return
      await refuseTaken(db, domain, samlConfigId)
      await proveDomain(db, { samlConfigId, domain }, { proof: 'confirmed', provenAt: now, reason })
    }),
  remove: ({ db, params, input: { domain }, audit }) =>
    change(db, audit, params.id, async (samlConfigId, before) => {
      found(before.find((one) => one.domain === domain))
      await removeDomain(db, samlConfigId, domain)
    }),
}

/** Locks the configuration, changes its domains, and records what has become of them. */
async function change(
  db: Db,
  audit: (entry: AuditEntry) => void,
  id: string,
  work: (samlConfigId: number, before: StoredDomain[]) => Promise<unknown>,
): Promise<SamlDomain[]> {
  const samlConfig = found(await findSamlConfigForUpdate(db, Number(id)))
  const before = await listDomains(db, samlConfig.id)
  await work(samlConfig.id, before)
  const after = await listDomains(db, samlConfig.id)
  const { target } = auditedConfig(samlConfig)
  const [old, now] = [auditedDomains(before), auditedDomains(after)]
  if (JSON.stringify(old) !== JSON.stringify(now)) audit({ name: 'updateSamlConfig', target, before: old, after: now })
  return after.map(described)
}

const auditedDomains = (domains: StoredDomain[]) => ({
  domainsProven: listed(domains, 'dns'),
  domainsConfirmed: listed(domains, 'confirmed'),
  domainsWaiting: listed(domains, null),
})

const listed = (domains: StoredDomain[], kind: StoredDomain['proof']) =>
  domains
    .filter(({ proof }) => proof === kind)
    .map(({ domain, reason }) => (reason === null ? domain : `${domain} (${reason})`))
    .join(', ') || null

async function refuseTaken(db: Db, domain: string, unlessOf?: number): Promise<void> {
  const owner = await findOwner(db, domain)
  if (owner !== undefined && owner !== unlessOf) throw new Problem(409, 'domainTaken')
}

async function readRecords(servers: readonly string[], domain: string): Promise<string[]> {
  try {
    return await findTxtRecords(servers, recordName(domain))
  } catch (cause) {
    if (!(cause instanceof DnsFailure)) throw cause
    throw atDomain('dnsNoAnswer', cause)
  }
}

const atDomain = (
  message: 'tooManyDomains' | 'domainAlreadyThere' | 'domainRecordMissing' | 'dnsNoAnswer',
  cause?: unknown,
) => new Problem(422, 'validationFailed', { issues: [{ path: 'domain', message }], cause })

const recordName = (domain: string) => `_vestibule.${domainToASCII(domain)}`
const recordValue = (token: string) => `vestibule-domain=${token}`

const described = ({ domain, token, proof, provenAt, reason }: StoredDomain): SamlDomain => ({
  ...{ domain, proof, reason },
  recordName: recordName(domain),
  recordValue: recordValue(token),
  provenAt: provenAt?.toISOString() ?? null,
})
