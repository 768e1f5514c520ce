import LogOut from 'lucide-react/icons/log-out'
import Settings from 'lucide-react/icons/settings'
import { useState } from 'react'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Combobox } from '#web/ui/fields/combobox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { Menu, MenuChoice, MenuItem, MenuLink } from '#web/ui/menu/menu.tsx'
import { MenuSeparator } from '#web/ui/menu/menu-group.tsx'
import { SessionDialog } from '#web/ui/session-dialog.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import { organizations } from './samples.ts'
import { Row } from './specimen.tsx'

type Open = 'dialog' | 'nested' | 'confirm' | 'session'

/** Overlays are drawn outside the specimens, so they follow the theme of the page. */
export function Overlays() {
  const [open, setOpen] = useState<readonly Open[]>([])
  const [organization, setOrganization] = useState('1')
  const show = (name: Open) => setOpen((names) => [...names, name])
  const hide = (name: Open) => setOpen((names) => names.filter((other) => other !== name))
  return (
    <>
      <Row>
        <Button onClick={() => show('dialog')}>Dialog</Button>
        <Button onClick={() => show('confirm')}>Confirmation</Button>
        <Button onClick={() => show('session')}>Session ending</Button>
        <Button onClick={() => toasts.show({ tone: 'success', title: 'Saved', content: 'Nordvik AB is updated.' })}>
          Success toast
        </Button>
        <Button onClick={() => toasts.show({ tone: 'danger', title: 'Not saved', content: 'Something went wrong.' })}>
          Error toast
        </Button>
        <Menu label="Nordvik AB" name="Organisation: Nordvik AB">
          <MenuChoice label="Organisation" value={organization} options={organizations} onChange={setOrganization} />
        </Menu>
        <Menu label="Anna" align="end">
          <MenuLink icon={Settings} link={<a href="#overlays">Account settings</a>}>
            Account settings
          </MenuLink>
          <MenuSeparator />
          <MenuItem icon={LogOut} onClick={() => undefined}>
            Sign out
          </MenuItem>
        </Menu>
      </Row>
      <Dialog
        open={open.includes('dialog')}
        onClose={() => hide('dialog')}
        title="Edit user"
        subtitle={
          <>
            user@nordvik.example <Badge tone="warn">Pending</Badge>
          </>
        }
        closeLabel="Close"
        form={{ onSubmit: (event) => event.preventDefault() }}
        footerStart={
          <Button variant="ghost" onClick={() => show('confirm')}>
            Delete
          </Button>
        }
        footer={
          <>
            <Button onClick={() => hide('dialog')}>Cancel</Button>
            <Button type="submit" variant="primary">
              Save
            </Button>
          </>
        }
      >
        <Field label="First name">
          <TextInput defaultValue="Anna" />
        </Field>
        <Field label="Organisation">
          <Combobox
            options={organizations}
            value={organization}
            onChange={(value) => setOrganization(value ?? '')}
            emptyText="No organisation with this name"
            clearLabel="Clear"
            openLabel="Show all"
          />
        </Field>
        <Button onClick={() => show('nested')}>Open one above</Button>
        <Dialog
          open={open.includes('nested')}
          onClose={() => hide('nested')}
          title="Above"
          closeLabel="Close"
          size="small"
        >
          <p>The one below steps back.</p>
        </Dialog>
        <Confirm open={open.includes('confirm')} onClose={() => hide('confirm')} />
      </Dialog>
      {!open.includes('dialog') && <Confirm open={open.includes('confirm')} onClose={() => hide('confirm')} />}
      <SessionDialog
        open={open.includes('session')}
        title="You will soon be signed out"
        countdown="0:45"
        text="Nothing has happened here for a while."
        announcement="You will be signed out in 45 seconds."
        stayLabel="Stay signed in"
        signOutLabel="Sign out"
        onStay={() => hide('session')}
        onSignOut={() => hide('session')}
      />
    </>
  )
}

function Confirm({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <ConfirmDialog
      open={open}
      title="Delete Nordvik AB?"
      cancelLabel="Cancel"
      confirmLabel="Delete"
      onConfirm={onClose}
      onCancel={onClose}
    >
      The organisation and its memberships disappear. This cannot be undone.
    </ConfirmDialog>
  )
}
