import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type AnyRoute, type RequestArguments, send } from './api.ts'

/**
 * A change: `useSave(users.update).mutateAsync({input})`. Afterwards everything on the screen is asked again.
 * A failure is a toast, unless `inline` says that the form shows it.
 */
export function useSave<R extends AnyRoute>(route: R, { inline }: { inline?: boolean } = {}) {
  const client = useQueryClient()
  return useMutation<void, Error, RequestArguments<R>[0]>({
    mutationFn: (request) => send(route, ...([request] as RequestArguments<R>)),
    onSuccess: () => void client.invalidateQueries(),
    meta: { inline },
  })
}
