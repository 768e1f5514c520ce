import type { RelyingParty } from '../relying-party.ts'

/** A module of an official plan, under its official name: what it demands, as we read it, and what shows it. */
export interface Module<Party = RelyingParty> {
  name: string
  /** For docs/conformance.md. */
  demands: string
  /** Why it does not apply; then `check` shows that this is so. */
  notApplicable?: string
  /** Why it does not pass yet; then there is nothing to check. */
  notYet?: string
  /** Throws where the portal does not do what is demanded. */
  check?(party: Party): Promise<void>
}

export type Verdict = 'passed' | 'not applicable' | 'not yet'

export const verdictOf = ({ notApplicable, notYet }: Module<never>): Verdict =>
  notYet ? 'not yet' : notApplicable ? 'not applicable' : 'passed'

/** The modules by their names. */
export const modulesOf = <Party>(modules: Record<string, Omit<Module<Party>, 'name'>>): Module<Party>[] =>
  Object.entries(modules).map(([name, module]) => ({ name, ...module }))
