/** A person as the directory shows them. */
export interface DirectoryPerson {
  id: string
  givenName: string
  familyName: string
  email: string
  active: boolean
}

/** A request of the directory, and what the portal answered; status 0 where no answer came. */
export interface Exchange {
  method: string
  path: string
  body: unknown
  status: number
}

export interface ScimClientOptions {
  /** The portal's origin. */
  portal: string
  token: string
}

const mostRemembered = 10
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'

/** Sends what a directory sends, in the forms of Entra ID (PATCH) and Okta (PUT), and remembers the last changes. */
export function createScimClient({ portal, token }: ScimClientOptions) {
  const sent: Exchange[] = []
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' }
    const answer = await fetch(`${portal}/scim/v2${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(() => undefined)
    if (body !== undefined) sent.unshift({ method, path, body, status: answer?.status ?? 0 })
    sent.length = Math.min(sent.length, mostRemembered)
    return answer
  }
  return {
    sent: (): readonly Exchange[] => sent,
    /** Everybody whom this directory has sent; undefined where the portal does not answer it. */
    people: async (): Promise<DirectoryPerson[] | undefined> => {
      const answer = await ask('GET', '/Users?count=200')
      if (!answer?.ok) return undefined
      const { Resources } = (await answer.json()) as { Resources: Resource[] }
      return Resources.map(asPerson)
    },
    add: (person: Omit<DirectoryPerson, 'id' | 'active'>) =>
      ask('POST', '/Users', { schemas: [userSchema], ...asResource({ ...person, active: true }) }),
    change: (person: DirectoryPerson) =>
      ask('PUT', `/Users/${person.id}`, { schemas: [userSchema], ...asResource(person) }),
    setActive: (id: string, active: boolean) =>
      ask('PATCH', `/Users/${id}`, {
        schemas: [patchSchema],
        Operations: [{ op: 'Replace', path: 'active', value: active ? 'True' : 'False' }],
      }),
  }
}
export type ScimClient = ReturnType<typeof createScimClient>

interface Resource {
  id: string
  userName: string
  active: boolean
  name?: { givenName?: string; familyName?: string }
}

const asPerson = ({ id, userName, active, name = {} }: Resource): DirectoryPerson => ({
  id,
  email: userName,
  active,
  givenName: name.givenName ?? '',
  familyName: name.familyName ?? '',
})

const asResource = ({ givenName, familyName, email, active }: Omit<DirectoryPerson, 'id'>) => ({
  userName: email,
  name: { givenName, familyName },
  emails: [{ value: email, type: 'work', primary: true }],
  active,
})
