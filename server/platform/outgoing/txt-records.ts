import { Resolver } from 'node:dns/promises'

/** Without an answer of any server after two tries. */
export class DnsFailure extends Error {}

const none = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * The TXT records of a name, each in one piece.
 *
 * @param servers the DNS servers to ask; none: those of the machine
 * @throws DnsFailure when no server answers within six seconds, or it answers with a failure
 */
export async function findTxtRecords(servers: readonly string[], name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (none.has(code)) return []
    throw new DnsFailure(`no answer about ${name}: ${code}`, { cause: error })
  }
}
