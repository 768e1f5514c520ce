import { MutationCache, QueryClient } from '@tanstack/react-query'
import { ApiProblem, wasCancelled } from './api-problem.ts'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** The form shows the failure itself. */
      inline?: boolean | undefined
    }
  }
}

const mayPass = (error: Error) => error instanceof ApiProblem && (error.status === 0 || error.status >= 500)

/** @param showFailure what happens to a failed change that no form shows itself */
export function createQueryClient(showFailure: (error: Error) => void) {
  return new QueryClient({
    mutationCache: new MutationCache({
      onError: (error, _input, _result, mutation) => {
        if (!mutation.meta?.inline && !wasCancelled(error)) showFailure(error)
      },
    }),
    defaultOptions: {
      // Without a network a question fails at once and says so, instead of waiting in silence behind a skeleton.
      queries: {
        networkMode: 'always',
        retry: (failures, error) => failures < 1 && mayPass(error),
        retryDelay: 500,
      },
      mutations: { networkMode: 'always' },
    },
  })
}
