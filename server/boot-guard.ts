import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import { kept } from '#contract/kept.ts'
import { readPrivateFile } from './platform/private-file.ts'
import { WrongValue } from './platform/wrong-value.ts'
import { fileSetting, type Values } from './settings.ts'

/**
 * The reasons why production must not start (security 23), each as a sentence that begins with the setting. Leaves out
 * settings whose value has already been refused.
 */
export function missingInProduction(config: Values, refused: readonly string[]): string[] {
  const isRefused = (setting: string) =>
    [setting, fileSetting(setting)].some((name) => refused.some((problem) => problem.startsWith(`${name} `)))
  const problems: string[] = []
  const demand = (holds: boolean, problem: string) => {
    if (!holds) problems.push(problem)
  }
  if (!isRefused('BASE_URL')) demand(config.baseUrl.startsWith('https://'), 'BASE_URL must begin with https://')
  if (!isRefused('MASTER_KEY')) demand(config.masterKey !== undefined, 'MASTER_KEY or MASTER_KEY_FILE is missing')
  if (!isRefused('DATABASE_URL')) {
    demand(
      config.databaseUrl !== undefined || config.embeddedDatabaseInProduction,
      'DATABASE_URL is missing (or EMBEDDED_DATABASE_IN_PRODUCTION=1)',
    )
  }
  if (!isRefused('SMTP_URL')) demand(config.smtpUrl !== undefined, 'SMTP_URL is missing')
  demand(!config.demo, 'DEMO must be off')
  demand(!config.dkimSelector === !config.dkimKeyFile, 'DKIM_SELECTOR and DKIM_KEY_FILE belong together')
  problems.push(...keyFileProblems('DKIM_KEY_FILE', config.dkimKeyFile))
  if (config.bankidUrl !== undefined) problems.push(...bankidProblems(config, config.bankidUrl))
  if (config.smsProvider !== undefined) {
    demand(config.smsUsername !== undefined, 'SMS_USERNAME is missing')
    if (!isRefused('SMS_PASSWORD')) demand(config.smsPassword !== undefined, 'SMS_PASSWORD is missing')
    if (!isRefused('SMS_URL')) demand(!config.smsUrl?.startsWith('http:'), 'SMS_URL must begin with https://')
  }
  return problems
}

/** Browsers refuse a domain of which the portal's address is not a part. */
export function passkeyProblems({ baseUrl, passkeyRpId }: Values, refused: readonly string[]): string[] {
  if (refused.some((problem) => /^(BASE_URL|PASSKEY_RP_ID) /.test(problem))) return []
  const { hostname } = new URL(baseUrl)
  const isAbove = passkeyRpId.includes('.') && hostname.endsWith(`.${passkeyRpId}`)
  return passkeyRpId === hostname || isAbove ? [] : ['PASSKEY_RP_ID must be the host of BASE_URL, or a domain above it']
}

/** A file goes as a whole, so what is in it must be kept for one and the same time. */
export function coldStorageProblems(config: Values, refused: readonly string[]): string[] {
  const { auditColdAfterMonths: months, auditColdDir } = config
  if (refused.some((problem) => problem.startsWith('AUDIT_')) || months === 0) return []
  const problems: string[] = []
  if (months < 6) problems.push('AUDIT_COLD_AFTER_MONTHS must be 0, or at least 6')
  if (auditColdDir === undefined) problems.push('AUDIT_COLD_DIR is missing')
  const names = ['auditMonths', 'auditSignInMonths', 'auditUnknownSignInMonths'] as const
  const longest = Math.max(...names.map((name) => config[name]))
  for (const name of names)
    if (config[name] > months && config[name] < longest)
      problems.push(
        `${kept[name].env} must be at most AUDIT_COLD_AFTER_MONTHS, or ${longest} as the longest of its kind`,
      )
  return problems
}

function bankidProblems(config: Values, address: string): string[] {
  const { protocol, hostname } = new URL(address)
  // Only the simulator runs on this machine, and it would let anyone sign in as anyone.
  const loopback =
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^\[::ffff:7f/.test(hostname) ||
    (isIPv4(hostname) && /^(127|0)\./.test(hostname))
  const problems = keyFileProblems('BANKID_CERT_FILE', config.bankidCertFile)
  if (loopback) problems.push('BANKID_URL must not be the simulator on this machine')
  if (protocol !== 'https:') problems.push('BANKID_URL must begin with https://')
  if (config.bankidCertFile === undefined) problems.push('BANKID_CERT_FILE is missing')
  if (config.bankidCaFile === undefined) problems.push('BANKID_CA_FILE is missing')
  else if (isSimulators(config.bankidCaFile)) problems.push('BANKID_CA_FILE must not be the one of the simulator')
  return problems
}

// The simulator may run under another host name, so check its certificate too.
function isSimulators(file: string): boolean {
  try {
    return new X509Certificate(readFileSync(file)).subject.includes('BankID simulator')
  } catch {
    // An invalid file is reported when it is used, a moment later.
    return false
  }
}

function keyFileProblems(setting: string, file: string | undefined): string[] {
  try {
    if (file !== undefined) readPrivateFile(file)
    return []
  } catch (error) {
    if (!(error instanceof WrongValue)) throw error
    return [`${setting} ${error.message}`]
  }
}
