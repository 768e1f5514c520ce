import type { Config } from '#server/config.ts'

/** Our entity ID, one for each company: the address of its metadata, by convention. */
export const ownEntityId = ({ baseUrl }: Config, id: number) => `${baseUrl}/saml/${id}/metadata`

/** Where identity providers send sign-outs, one for each company likewise. */
export const sloUrl = ({ baseUrl }: Config, id: number) => `${baseUrl}/saml/${id}/slo`

/** The assertion consumer service, one for each company, so that a response is only checked with that company's key. */
export const acsUrl = ({ baseUrl }: Config, id: number) => `${baseUrl}/saml/${id}/acs`
