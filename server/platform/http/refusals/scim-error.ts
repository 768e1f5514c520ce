import type { FastifyReply, FastifyRequest } from 'fastify'
import type { MessageKey } from '#contract/message-key.ts'
import { translate } from '../../messages/texts.ts'
import type { Problem } from '../../problem.ts'

/** The types of errors that SCIM has a name for (RFC 7644, 3.12). */
const scimTypes: Partial<Record<MessageKey, string>> = {
  scimInvalidFilter: 'invalidFilter',
  scimInvalidPath: 'invalidPath',
  scimInvalidSyntax: 'invalidSyntax',
  scimInvalidValue: 'invalidValue',
  scimMutability: 'mutability',
  scimNoAddress: 'invalidValue',
  scimNoTarget: 'noTarget',
  scimTooMuch: 'invalidSyntax',
  scimUserNameTaken: 'uniqueness',
  scimGroupNameTaken: 'uniqueness',
  scimFilterTooSlow: 'tooMany',
  scimGroupTooLarge: 'tooMany',
  malformedRequest: 'invalidSyntax',
  validationFailed: 'invalidSyntax',
}

/** Whether a request is one of SCIM, whose failures have a form of their own. */
export const isScim = ({ url }: Pick<FastifyRequest, 'url'>): boolean => /^\/scim(\/|\?|$)/.test(url)

/** What SCIM has and this server does not: RFC 7644 wants 501 there (3.7, 3.11). */
export const isUnsupportedScim = ({ url }: Pick<FastifyRequest, 'url'>): boolean =>
  /^\/scim\/v2\/(Bulk|Me)(\/|\?|$)/i.test(url)

/** Answers a failure in the form of RFC 7644, 3.12: `status` is a text, `detail` is for people, in English. */
export function scimError(reply: FastifyReply, { status, key }: Problem): FastifyReply {
  // SCIM knows no 422.
  const code = status === 422 ? 400 : status
  const scimType = scimTypes[key]
  return reply
    .code(code)
    .header('cache-control', 'no-store')
    .type('application/scim+json; charset=utf-8')
    .send({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(code),
      ...(scimType && { scimType }),
      detail: translate('en', key),
    })
}
