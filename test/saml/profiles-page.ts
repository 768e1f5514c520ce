import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Part, parts, valuesOf } from './odd-responses.ts'
import { wrappings } from './wrapping.ts'

const wrapped = '`signature-wrapping.test.ts` “a user cannot become another user by wrapping the own response”'

const row = (part: Part) => {
  const { name, subject, taken, because = '', element, attribute, where } = part
  const of = element === 'Issuer' && attribute ? ` of the ${where}` : ''
  const values = Object.keys(valuesOf(part)).map((what) => (taken.includes(what) ? `**${what}**` : what))
  return `| \`${name}\`${of}${subject === 'by attribute' ? ', the person named by an attribute' : ''} | ${values.join(', ')} | ${because} |`
}

/** docs/saml-profiles.md: the rules, and the verdict of each odd answer. */
export const profilesPage = (): string =>
  readFileSync(join(import.meta.dirname, 'profiles.txt'), 'utf8')
    .replace('{count}', () => String(parts.flatMap((part) => Object.keys(valuesOf(part))).length))
    .replace('{odd}', () => parts.map(row).join('\n'))
    .replace('{wrappings}', () => wrappings.map(({ name }) => `| ${name} | ${wrapped} |`).join('\n'))
