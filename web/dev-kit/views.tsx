import { useState } from 'react'
import { Alert } from '#web/ui/alert.tsx'
import { AuthCard, AuthFrame } from '#web/ui/auth-frame.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { CodeInput } from '#web/ui/code-input.tsx'
import { ContactFooter } from '#web/ui/contact-footer.tsx'
import { Field } from '#web/ui/field.tsx'
import { LanguageSelect } from '#web/ui/language-select.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { Menu, MenuItem, MenuLink } from '#web/ui/menu.tsx'
import { AppFrame, PageHeading } from '#web/ui/page.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { ServiceCard, ServiceGrid } from '#web/ui/service-card.tsx'
import { SkipLink } from '#web/ui/skip-link.tsx'
import { MessagePage } from '#web/ui/state.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { PanelGroup, PanelLink, TopBar, TopBarLink } from '#web/ui/top-bar.tsx'
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
