import { bulkInvitations } from '#contract/bulk-invitations.ts'
import { clientErrors } from '#contract/client-errors.ts'
import { emailTemplates } from '#contract/email-templates.ts'
import { invitations } from '#contract/invitations.ts'
import { launcher } from '#contract/launcher.ts'
import { organizations } from '#contract/organizations.ts'
import { portal } from '#contract/portal.ts'
import type { Routes } from '#contract/route.ts'
import { samlConfigs } from '#contract/saml-configs.ts'
import { secondFactor } from '#contract/second-factor.ts'
import { services } from '#contract/services.ts'
import { session } from '#contract/session.ts'
import { clientErrorsHandlers } from './features/client-errors/client-errors.handlers.ts'
import { emailTemplatesHandlers } from './features/email-templates/email-templates.handlers.ts'
import { bulkInvitationsHandlers } from './features/invitations/import-people.ts'
import { invitationsHandlers } from './features/invitations/invitations.handlers.ts'
import { launcherHandlers } from './features/launcher/launcher.handlers.ts'
import { organizationsHandlers } from './features/organizations/organizations.handlers.ts'
import { portalHandlers } from './features/portal/portal.handlers.ts'
import { samlConfigsHandlers } from './features/saml-configs/saml-configs.handlers.ts'
import { servicesHandlers } from './features/services/services.handlers.ts'
import { sessionHandlers } from './features/session/session.handlers.ts'
import { secondFactorHandlers } from './features/sign-in/second-factor.handlers.ts'
import type { Handlers } from './platform/request-context.ts'

/** A room: its calls, and the use cases behind them. */
const room = <Group extends Routes>(routes: Group, handlers: Handlers<Group>) => ({ routes, handlers })

/** The rooms that need nothing but what every use case gets. A new feature is a line here. */
export const rooms = [
  room(session, sessionHandlers),
  room(launcher, launcherHandlers),
  room(portal, portalHandlers),
  room(clientErrors, clientErrorsHandlers),
  room(organizations, organizationsHandlers),
  room(services, servicesHandlers),
  room(samlConfigs, samlConfigsHandlers),
  room(emailTemplates, emailTemplatesHandlers),
  room(invitations, invitationsHandlers),
  room(bulkInvitations, bulkInvitationsHandlers),
  room(secondFactor, secondFactorHandlers),
]
