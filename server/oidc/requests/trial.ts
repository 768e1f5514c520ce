import { AsyncLocalStorage } from 'node:async_hooks'

/** Who tries the sign-in of which service. */
export interface TrialOf {
  accountId: string
  serviceId: string
}

const trials = new AsyncLocalStorage<TrialOf>()

/**
 * Runs requests to this very app on trial: this person enters this service without having it. No request from outside can
 * be on trial, whatever it sends, and what a trial was given is worth nothing outside of it.
 */
export const onTrial = <Answer>(trial: TrialOf, run: () => Promise<Answer>): Promise<Answer> => trials.run(trial, run)

/** The trial that the request being received belongs to. */
export const presentTrial = (): TrialOf | undefined => trials.getStore()
