import type { Config } from '#server/config.ts'

/** The sign-in that shows the brand of an organisation. */
export const signInLink = ({ baseUrl }: Pick<Config, 'baseUrl'>, organizationId: string): string =>
  `${baseUrl}/login?${new URLSearchParams({ org: organizationId })}`
