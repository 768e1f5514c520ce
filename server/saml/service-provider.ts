import type { Config } from '#server/config.ts'

/** Our entity ID, one for each company: the address of its metadata, by convention. */
export const ownEntityId = ({ baseUrl }: Config, id: number) => `${baseUrl}/saml/${id}/metadata`

/** The assertion consumer service, one for each company, so that a response is only checked with that company's key. */
export const acsUrl = ({ baseUrl }: Config, id: number) => `${baseUrl}/saml/${id}/acs`
