import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { clientTrials } from '#contract/service-clients/client-trial.ts'
import type { ServiceClient } from '#contract/service-clients/service-clients.ts'
import { call } from '#web/lib/requests/api.ts'

interface Sent {
  redirectUri: string
  scope: string
  resource: string
  pkce: boolean
}

/** A trial of the saved client: what is sent, of which what was not changed follows the client, and what came of it. */
export function useTrial(serviceId: string, client: ServiceClient) {
  const [changed, setChanged] = useState<Partial<Sent>>({})
  const sent: Sent = {
    redirectUri: client.redirectUris[0] ?? '',
    scope: client.scopes.join(' '),
    resource: '',
    pkce: true,
    ...changed,
  }
  const run = useMutation({
    mutationFn: () =>
      call(clientTrials.run, {
        params: { id: serviceId },
        input: {
          redirectUri: sent.redirectUri || undefined,
          scope: sent.scope,
          resource: sent.resource || undefined,
          pkce: sent.pkce,
        },
      }),
  })
  return {
    sent,
    change: (part: Partial<Sent>) => setChanged({ ...changed, ...part }),
    start: () => run.mutate(),
    trying: run.isPending,
    trial: run.data,
  }
}
export type RunningTrial = ReturnType<typeof useTrial>
