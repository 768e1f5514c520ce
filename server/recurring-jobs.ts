import type { BankId } from './bankid/bankid.ts'
import { logCertificateWarning } from './bankid/certificate-warning.ts'
import { createAccessEndsJob } from './features/access-ends/access-ends.ts'
import { createAccessReviewsJob } from './features/access-reviews/access-reviews.ts'
import { createAuditHeadsJob } from './features/audit-streams/send-heads.ts'
import { createPassiveUsersJob } from './features/passive-users/passive-users.ts'
import { createRecoveriesJob } from './features/recoveries/recover-account.ts'
import { createCertificateWarningsJob } from './features/saml-configs/certificate-warnings.ts'
import { createSamlMetadataJob } from './features/saml-configs/read-watched-metadata.ts'
import { createScimJob } from './features/scim/scim-job.ts'
import { createNewBrowsersJob } from './features/sign-in/new-browsers/new-browsers-job.ts'
import { createHousekeepingJobs } from './platform/jobs/housekeeping.ts'
import type { RecurringJob } from './platform/jobs/run-job.ts'
import type { System } from './platform/system.ts'

/** All recurring jobs, for the server and for `npm run admin -- jobs`. */
export const createRecurringJobs = (
  {
    config,
    db,
    keys,
    clock,
    log,
    outbox,
    outgoing,
  }: Pick<System, 'config' | 'db' | 'keys' | 'clock' | 'log' | 'outbox' | 'outgoing'>,
  bankid: BankId | undefined,
): RecurringJob[] => [
  // Log the head of the audit chain at any LOG_LEVEL: it is evidence, not a diagnostic.
  ...createHousekeepingJobs({ db, keys, clock, log: log.child({}, { level: 'info' }), kept: config }),
  createAuditHeadsJob({ db, keys, clock, outgoing, log }),
  createPassiveUsersJob({ db, outbox, clock, log }),
  createAccessEndsJob({ db, outbox, clock, config }),
  createAccessReviewsJob({ db, outbox, clock, config }),
  createCertificateWarningsJob({ db, outbox, clock }),
  createRecoveriesJob({ db, outbox, clock, config, log }),
  createNewBrowsersJob({ db, outbox, clock, config }),
  createSamlMetadataJob({ db, outbox, outgoing, clock }),
  createScimJob({ db, keys, outbox, clock, config }),
  {
    name: 'bankid-certificate',
    cron: '7 6 * * *',
    run: async () => logCertificateWarning(bankid, { now: clock(), log }),
  },
]
