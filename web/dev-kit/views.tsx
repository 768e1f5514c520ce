import { useState } from 'react'
import { Alert } from '#web/ui/alert.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { CodeInput } from '#web/ui/fields/code-input.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { PasswordInput } from '#web/ui/fields/password-input.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { AuthCard, AuthFrame } from '#web/ui/frame/auth-frame.tsx'
import { ContactFooter } from '#web/ui/frame/contact-footer.tsx'
import { LanguageSelect } from '#web/ui/frame/language-select.tsx'
import { Logo } from '#web/ui/frame/logo.tsx'
import { AppFrame, PageHeading } from '#web/ui/frame/page.tsx'
import { SkipLink } from '#web/ui/frame/skip-link.tsx'
import { PanelGroup, PanelLink, TopBar, TopBarLink } from '#web/ui/frame/top-bar.tsx'
import { InvitationCard } from '#web/ui/invitation-card.tsx'
import { Menu, MenuItem, MenuLink } from '#web/ui/menu/menu.tsx'
import { ServiceCard, ServiceGrid } from '#web/ui/service-card.tsx'
import { MessagePage } from '#web/ui/state.tsx'
import { contact, languages, services } from './samples.ts'

export const views = { 'sign-in': SignIn, code: Code, expired: Expired, launcher: Launcher, 'not-found': NotFound }

const corner = <LanguageSelect label="Language" languages={languages} defaultValue="en" onChange={() => undefined} />

function SignIn() {
  return (
    <AuthFrame productName="Vestibule" corner={corner} footer={<ContactFooter {...contact} />}>
      <AuthCard title="Sign in">
        <form>
          <Field label="E-mail">
            <TextInput type="email" autoComplete="username" />
          </Field>
          <Button type="submit" variant="primary" full>
            Continue
          </Button>
        </form>
        <a href="?view=expired">Forgot your password?</a>
      </AuthCard>
    </AuthFrame>
  )
}

function Code() {
  const [code, setCode] = useState('')
  return (
    <AuthFrame productName="Vestibule" corner={corner} footer={<ContactFooter {...contact} />}>
      <AuthCard title="Sign in">
        <form>
          <Field label="E-mail">
            <TextInput type="email" readOnly value="admin@solberga.example" />
          </Field>
          <Field label="Password">
            <PasswordInput showLabel="Show password" readOnly value="Demo-password-1" />
          </Field>
          <Alert tone="info" live="status">
            We have sent a code to your e-mail.
          </Alert>
          <Field label="Login code">
            <CodeInput value={code} onChange={setCode} />
          </Field>
          <Button type="submit" variant="primary" full>
            Sign in
          </Button>
          <LinkButton href="?view=sign-in" variant="ghost" full>
            Back
          </LinkButton>
        </form>
      </AuthCard>
    </AuthFrame>
  )
}

function Expired() {
  return (
    <AuthFrame productName="Vestibule" corner={corner} footer={<ContactFooter {...contact} />}>
      <AuthCard large title="Your session has ended" intro="You have not been active for a while.">
        <LinkButton href="?view=sign-in" variant="primary" full>
          Log in again
        </LinkButton>
      </AuthCard>
    </AuthFrame>
  )
}

function Shell({ children }: { children: React.ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <AppFrame
      skipLink={<SkipLink>Skip to the content</SkipLink>}
      footer={<ContactFooter {...contact} />}
      topBar={
        <TopBar
          home={
            <a href="?view=launcher">
              <Logo name="Vestibule" />
            </a>
          }
          links={
            <>
              <TopBarLink href="?view=launcher" aria-current="page">
                Overview
              </TopBarLink>
              <TopBarLink href="?view=not-found">User administration</TopBarLink>
              <Menu label="Administration">
                <MenuLink link={<a href="?view=not-found">Organisations</a>}>Organisations</MenuLink>
                <MenuLink link={<a href="?view=not-found">Services</a>}>Services</MenuLink>
              </Menu>
            </>
          }
          organization={<span>Nordvik AB</span>}
          account={
            <Menu label="Anna" align="end">
              <MenuItem onClick={() => undefined}>Account settings</MenuItem>
              <MenuItem onClick={() => undefined}>Sign out</MenuItem>
            </Menu>
          }
          panel={
            <>
              <PanelLink href="?view=launcher" aria-current="page">
                Overview
              </PanelLink>
              <PanelLink href="?view=not-found">User administration</PanelLink>
              <PanelGroup label="Administration">
                <PanelLink href="?view=not-found">Organisations</PanelLink>
                <PanelLink href="?view=not-found">Services</PanelLink>
              </PanelGroup>
            </>
          }
          navLabel="Main menu"
          openLabel="Open the menu"
          closeLabel="Close the menu"
          open={open}
          onOpenChange={setOpen}
        />
      }
    >
      {children}
    </AppFrame>
  )
}

function Launcher() {
  return (
    <Shell>
      <PageHeading
        title="Hello, Anna"
        subtitle="Your services at Nordvik AB"
        beside={<Badge tone="accent">Admin</Badge>}
      />
      <InvitationCard
        title="Solberga kommun invites you"
        facts={['Sent by Gun Solberg', 'Answer by 29 November 2026 at 13:00']}
        message={'Welcome!\nWe share Bokning from now on.'}
        actions={(titleId) => (
          <>
            <Button aria-describedby={titleId}>Decline</Button>
            <Button variant="primary" aria-describedby={titleId}>
              Accept
            </Button>
          </>
        )}
      />
      <ServiceGrid label="Your services">
        {services.map((service) => (
          <li key={service.name}>
            <ServiceCard {...service} href="?view=launcher" />
          </li>
        ))}
      </ServiceGrid>
    </Shell>
  )
}

function NotFound() {
  return (
    <Shell>
      <MessagePage
        code="404"
        title="There is no such page"
        action={
          <LinkButton href="?view=launcher" variant="primary">
            To the start page
          </LinkButton>
        }
      >
        The address may be mistyped, or the page has moved.
      </MessagePage>
    </Shell>
  )
}
