import { selfSigned } from './saml/certificate.ts'
import type { Target } from './world.ts'

/**
 * A kind of thing that super users alone list, read, create, change and delete: by GET, POST and PUT of one address, and by
 * GET and DELETE of `{id}` below it.
 */
export interface ManagedNoun {
  url: string
  /** The name of its id in a body. */
  id: string
  /** What creates one. */
  form: Record<string, unknown>
  /** The property of the form that the audit log calls it by. */
  label: string
  /** What a change sends instead. */
  change: Record<string, unknown>
  /** What the event of that change says has changed; the same, unless this names it. */
  changed?: readonly string[]
  /** The id that a target has; without it nobody has any yet. */
  of?: (target: Target) => string | number
}

/** By the end of the names of their events. The tests of access, of each event and of saves without a change read it. */
export const managedNouns = {
  Notice: {
    url: '/api/notices',
    id: 'noticeId',
    label: 'message',
    form: { message: 'Closed on Sunday', startsOn: '2026-03-02' },
    change: { message: 'Open again' },
    changed: ['noticeText'],
  },
  SamlConfig: {
    url: '/api/saml-configs',
    id: 'id',
    label: 'name',
    form: {
      name: 'Acme',
      url: 'https://idp.acme.example/sso',
      domain: 'https://acme.example',
      certificate: selfSigned({ name: 'idp.acme.example' }).certificate,
    },
    change: { url: 'https://idp.acme.example/other' },
    of: ({ samlConfigId }) => samlConfigId,
  },
} satisfies Record<string, ManagedNoun>
