import { accessRequests } from '#web/features/access-requests/access-requests.room.ts'
import { accessReview } from '#web/features/access-reviews/access-reviews.room.ts'
import { account } from '#web/features/account/account.room.ts'
import { auditEvents } from '#web/features/audit-events/audit-events.room.ts'
import { auditStreams } from '#web/features/audit-streams/audit-streams.room.ts'
import { emailTemplates } from '#web/features/email-templates/email-templates.room.ts'
import { importPeople } from '#web/features/invitations/invitations.room.ts'
import { launcher, noAccess } from '#web/features/launcher/launcher.room.ts'
import { notices } from '#web/features/notices/notices.room.ts'
import { organizations } from '#web/features/organizations/organizations.room.ts'
import { samlConfigs } from '#web/features/saml-configs/saml-configs.room.ts'
import { services } from '#web/features/services/services.room.ts'
import { chooseOrganization, enter, strongerSignIn } from '#web/features/step-up/step-up.room.ts'
import { system } from '#web/features/system/system.room.ts'
import { userAdministration, users } from '#web/features/users/users.room.ts'

/** Every room of the app, in the order of its menus and of the palette. */
export const rooms = [
  launcher,
  enter,
  chooseOrganization,
  strongerSignIn,
  noAccess,
  userAdministration,
  accessRequests,
  accessReview,
  importPeople,
  organizations,
  services,
  samlConfigs,
  users,
  notices,
  emailTemplates,
  auditEvents,
  auditStreams,
  system,
  account,
]
