import type { Config } from '#server/config.ts'

/** Our entity ID, one for each company: the address of its metadata, by convention. */
export const ownEntityId = ({ baseUrl }: Config, id: number) => `${baseUrl}/saml/${id}/metadata`

/** Where identity providers send sign-outs, one for each company likewise. */
export const sloUrl = ({ baseUrl }: Config, id: number) => `${baseUrl}/saml/${id}/slo`

/** Where a sign-in at one company begins, by SAML or OpenID Connect. */
export const startUrl = ({ baseUrl }: Config, id: number) => `${baseUrl}/login/company/${id}`

/** The assertion consumer service, one for each company, so that a response is only checked with that company's key. */
export const acsUrl = ({ baseUrl }: Config, id: number) => `${baseUrl}/saml/${id}/acs`
