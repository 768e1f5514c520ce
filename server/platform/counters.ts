import { Counter } from 'prom-client'

/** What this process counts for `GET /metrics` as it happens; all other metrics are read when they are asked for. */
export interface Counters {
  /** By method and outcome: `success` or `failure`. */
  signIns: Counter<'method' | 'outcome'>
  /** Requests that a limit refused, by limit. */
  limitsHit: Counter<'limit'>
}

/** Creates the counters of one process, outside any registry. */
export const createCounters = (): Counters => ({
  signIns: new Counter({
    name: 'vestibule_sign_ins_total',
    help: 'Sign-ins by method and outcome.',
    labelNames: ['method', 'outcome'],
    registers: [],
  }),
  limitsHit: new Counter({
    name: 'vestibule_limits_hit_total',
    help: 'Requests that were refused because a limit was reached.',
    labelNames: ['limit'],
    registers: [],
  }),
})
