import type { Config } from './config.ts'

/** Of the system, its quota, and PostgreSQL. */
const fullDisk = new Set(['ENOSPC', 'EDQUOT', '53100'])

/** One line for what an operator can change; undefined for a bug, which keeps its stack. */
export function operatorLine(error: unknown, { port, host }: Config): string | undefined {
  const { name, message, code } = error as Error & { code?: string }
  if (code && fullDisk.has(code)) return `Vestibule cannot start: the disk is full: ${message}`
  if (code === 'EADDRINUSE') return `Vestibule cannot start: port ${port} is in use already (PORT sets another).`
  if (code === 'EACCES') return `Vestibule cannot start: this account may not use it: ${message}`
  if (code === 'EADDRNOTAVAIL') return `Vestibule cannot start: this machine does not have the address ${host} (HOST).`
  const known = ['DatabaseStartError', 'MigrationError', 'MasterKeyError', 'ConfigError', 'BankIdCertificateError']
  return known.includes(name) ? `Vestibule cannot start: ${message}` : undefined
}
