/** The method and origin in the audit event of a sign-in or sign-out. The test browser sends no user agent. */
export const traceChanges = (method: string, client = 'portal') =>
  Object.entries({ method, client, address: '127.0.0.0/24' }).map(([property, newValue]) => ({
    property,
    previousValue: null,
    newValue,
  }))
