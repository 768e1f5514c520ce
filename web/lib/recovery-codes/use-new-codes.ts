import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { factors } from '#contract/factors/factors.ts'
import { call } from '#web/lib/requests/api.ts'

/** Makes recovery codes, and holds them while they are shown. */
export function useNewCodes() {
  const client = useQueryClient()
  const [made, setMade] = useState<readonly string[]>()
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(factors.createRecoveryCodes, { input: {} }),
    onSuccess: ({ codes }) => {
      setMade(codes)
      void client.invalidateQueries()
    },
  })
  return { made, make: () => mutate(), isPending, close: () => setMade(undefined) }
}
