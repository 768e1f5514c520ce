/** The address that opens a service of the chosen organisation; the server remembers the use and leads on. */
export const launchPath = (serviceId: string, organizationId: string | undefined) =>
  `/launch/${serviceId}${organizationId ? `?organizationId=${organizationId}` : ''}`
