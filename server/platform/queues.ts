/** The schema that the queue keeps its tables in. */
export const queueSchema = 'pgboss'

/** How a queue behaves: times in seconds. The database's owner creates them, because the serving role makes no tables. */
export interface Queue {
  name: string
  retryLimit: number
  retryDelay: number
  retryBackoff: boolean
  retryDelayMax?: number
  expireInSeconds: number
  retentionSeconds: number
  deleteAfterSeconds: number
  /** Where a job goes when its tries are used up. */
  deadLetter?: string
  /** Wakes the workers when the transaction that queued the job commits, instead of at their next look. */
  notify?: boolean
}

const day = 24 * 60 * 60

const dead = (name: string): Queue => ({
  name,
  retryLimit: 0,
  retryDelay: 0,
  retryBackoff: false,
  expireInSeconds: 60,
  retentionSeconds: 90 * day,
  deleteAfterSeconds: 90 * day,
})

// About two days of tries: ten seconds, doubling to an hour.
const delivery = (name: string, deadLetter: string): Queue => ({
  name,
  retryLimit: 60,
  retryDelay: 10,
  retryBackoff: true,
  retryDelayMax: 60 * 60,
  expireInSeconds: 120,
  retentionSeconds: 14 * day,
  deleteAfterSeconds: day,
  deadLetter,
  notify: true,
})

/** Every queue there is; a dead letter queue comes before those that name it. */
export const queues: readonly Queue[] = [
  dead('mail-dead'),
  dead('sms-dead'),
  dead('jobs-dead'),
  delivery('mail', 'mail-dead'),
  delivery('sms', 'sms-dead'),
  {
    name: 'jobs',
    retryLimit: 5,
    retryDelay: 30,
    retryBackoff: true,
    expireInSeconds: 10 * 60,
    retentionSeconds: 14 * day,
    deleteAfterSeconds: day,
    deadLetter: 'jobs-dead',
  },
]
