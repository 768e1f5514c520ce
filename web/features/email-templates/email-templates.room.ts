import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import Mails from 'lucide-react/icons/mails'
import { root } from '#web/lib/root-route.ts'
import { emailTemplatesSearch } from './email-templates-search.ts'

const emailTemplates = createRoute({
  getParentRoute: () => root,
  path: '/email-templates',
  validateSearch: emailTemplatesSearch,
  component: lazyRouteComponent(() => import('./email-templates-page.tsx'), 'EmailTemplatesPage'),
  staticData: {
    title: 'emailTemplates',
    menu: 'administration',
    group: 'messages',
    place: 110,
    icon: Mails,
    permission: 'manageEmailTemplates',
  },
})

export const pages = [emailTemplates]
