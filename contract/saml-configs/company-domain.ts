import * as z from 'zod/mini'
import { canonicalDomain } from '#contract/fields/canonical-email.ts'
import { emailPattern } from '#contract/fields/email-address.ts'
import { message, url } from '#contract/fields/fields.ts'

const host = /^(https?:\/\/)([^/:?#]*)/

/**
 * The web address of a company. The database takes the mail domain from it, so its host is stored in the canonical form
 * of e-mail addresses. It needs a dot, because `https://se` would cover every address that ends in `.se`.
 */
export const companyDomain = url.check(
  z.overwrite((typed) => typed.replace(host, (_, scheme: string, name: string) => scheme + canonicalDomain(name))),
  z.refine((typed) => emailPattern.test(`a@${host.exec(typed)?.[2]}`), message('invalidUrl')),
)
