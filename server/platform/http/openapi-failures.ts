const failures: Record<string, string> = {
  400: 'The request could not be read',
  401: 'No session, or wrong credentials',
  403: 'Not allowed for this person, or from another origin',
  404: 'Not there, or not visible to this person',
  409: 'In conflict with what is there',
  413: 'Too large',
  415: 'Not the type that this call takes',
  422: 'Some fields are wrong; issues names them',
  429: 'Too many; Retry-After says when to come back',
  503: 'Something that this needs is down; Retry-After says when to come back',
}

const failure = (status: string, description: string) => ({
  description,
  ...(status === '429' || status === '503'
    ? { headers: { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } } }
    : {}),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

/** What can go wrong with any call, each described once. */
export const failureAnswers = () =>
  Object.fromEntries(
    Object.entries(failures).map(([status, description]) => [`Problem${status}`, failure(status, description)]),
  )
