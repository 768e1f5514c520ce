import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import KeyRound from 'lucide-react/icons/key-round'
import Link from 'lucide-react/icons/link'
import Plus from 'lucide-react/icons/plus'
import { root } from '#web/lib/root-route.ts'
import { samlConfigsSearch } from './saml-configs-search.ts'

const besideTheList = { permission: 'manageSamlConfigs', reachedFrom: ['/saml-configuration'] } as const
const dialogs = () => import('./form/saml-config-dialogs.tsx')

const page = createRoute({
  getParentRoute: () => root,
  path: '/saml-configuration',
  validateSearch: samlConfigsSearch,
  component: lazyRouteComponent(() => import('./saml-configs-page.tsx'), 'SamlConfigsPage'),
  staticData: {
    title: 'samlConfigs',
    menu: 'administration',
    group: 'customers',
    place: 80,
    icon: KeyRound,
    permission: 'manageSamlConfigs',
  },
})

const create = createRoute({
  getParentRoute: () => page,
  path: 'create',
  component: lazyRouteComponent(() => import('./form/create-config-dialog.tsx'), 'CreateSamlConfigDialog'),
  staticData: { title: 'createSamlConfig', dialog: true, action: { icon: Plus } },
})

const edit = createRoute({
  getParentRoute: () => page,
  path: '$samlConfigId',
  component: lazyRouteComponent(dialogs, 'EditSamlConfigDialog'),
  staticData: { title: 'editSamlConfig', dialog: true },
})

// Pages and not dialogs: they grew beside the form.
const test = createRoute({
  getParentRoute: () => root,
  path: '/saml-configuration/$samlConfigId/test',
  validateSearch: ({ ticket }: Record<string, unknown>): { ticket?: string } =>
    typeof ticket === 'string' ? { ticket } : {},
  component: lazyRouteComponent(() => import('./pages/test-page.tsx'), 'TestPage'),
  staticData: { title: 'samlTest', ...besideTheList },
})

const signIns = createRoute({
  getParentRoute: () => root,
  path: '/saml-configuration/$samlConfigId/sign-ins',
  component: lazyRouteComponent(() => import('./pages/sign-ins-page.tsx'), 'SignInsPage'),
  staticData: { title: 'samlSignIns', ...besideTheList },
})

const setupLink = createRoute({
  getParentRoute: () => page,
  path: 'setup-link',
  component: lazyRouteComponent(() => import('./setup/create-setup-dialog.tsx'), 'CreateSetupDialog'),
  staticData: { title: 'createSetupLink', dialog: true, action: { icon: Link } },
})

const setup = createRoute({
  getParentRoute: () => page,
  path: 'setups/$setupId',
  component: lazyRouteComponent(() => import('./setup/setup-dialog.tsx'), 'SetupDialog'),
  staticData: { title: 'setupReview', dialog: true },
})

export const pages = [page.addChildren([create, edit, setupLink, setup]), test, signIns]
