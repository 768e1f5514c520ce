/** The schema of the pg-boss tables. */
export const queueSchema = 'pgboss'

/** Options of a queue; times in seconds. The database owner creates queues: the serving role may not create tables. */
export interface Queue {
  name: string
  retryLimit: number
  retryDelay: number
  retryBackoff: boolean
  retryDelayMax?: number
  expireInSeconds: number
  retentionSeconds: number
  deleteAfterSeconds: number
  /** The queue that takes jobs whose retries are used up. */
  deadLetter?: string
  /** Notifies the workers when the transaction that queued the job commits; otherwise they poll. */
  notify?: boolean
}

const day = 24 * 60 * 60

const deadLetterQueue = (name: string): Queue => ({
  name,
  retryLimit: 0,
  retryDelay: 0,
  retryBackoff: false,
  expireInSeconds: 60,
  retentionSeconds: 90 * day,
  deleteAfterSeconds: 90 * day,
})

// Retries for about two days: ten seconds, doubling to an hour.
const deliveryQueue = (name: string, deadLetter: string): Queue => ({
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

/** All queues; a dead-letter queue must come before the queues that refer to it. */
export const queues: readonly Queue[] = [
  deadLetterQueue('mail-dead'),
  deadLetterQueue('sms-dead'),
  deadLetterQueue('logout-dead'),
  deadLetterQueue('own-data-dead'),
  deadLetterQueue('erase-person-dead'),
  deadLetterQueue('jobs-dead'),
  deliveryQueue('mail', 'mail-dead'),
  deliveryQueue('sms', 'sms-dead'),
  // Retries for most of a day: two seconds, doubling to an hour. A service's session does not outlive that by much.
  { ...deliveryQueue('logout', 'logout-dead'), retryLimit: 30, retryDelay: 2, expireInSeconds: 30 },
  { ...deliveryQueue('own-data', 'own-data-dead'), retryLimit: 20 },
  deliveryQueue('erase-person', 'erase-person-dead'),
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
