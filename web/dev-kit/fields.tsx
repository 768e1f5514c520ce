import { useState } from 'react'
import { Checkbox, Switch } from '#web/ui/fields/checkbox.tsx'
import { CodeInput } from '#web/ui/fields/code-input.tsx'
import { Combobox } from '#web/ui/fields/combobox.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { FormError } from '#web/ui/fields/form-error.tsx'
import { PasswordInput } from '#web/ui/fields/password-input.tsx'
import { PasswordRules } from '#web/ui/fields/password-rules.tsx'
import { RadioCards } from '#web/ui/fields/radio-cards.tsx'
import { SearchInput } from '#web/ui/fields/search-input.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import styles from './kit.module.css'
import { loginMethods, organizations, passwordRules } from './samples.ts'
import { Specimen, Stack, type Theme } from './specimen.tsx'

export function Fields() {
  return (
    <>
      <Specimen name="Text">
        {() => (
          <Stack>
            <Field label="First name">
              <TextInput defaultValue="Anna" />
            </Field>
            <Field label="Phone number" optionalText="(optional)" hint="With country code, such as +46701740605">
              <TextInput type="tel" placeholder="+46" />
            </Field>
            <Field label="E-mail" error="This does not look like an e-mail address.">
              <TextInput type="email" defaultValue="admin@nordvik" />
            </Field>
            <Field label="E-mail" hint="The e-mail cannot be changed.">
              <TextInput readOnly value="admin@nordvik.example" />
            </Field>
            <Field label="Sign out inactive users after">
              <TextInput type="number" defaultValue={180} suffix="days" />
            </Field>
            <Field label="Not available now">
              <TextInput disabled defaultValue="Nordvik AB" />
            </Field>
          </Stack>
        )}
      </Specimen>
      <Specimen name="Password">
        {() => (
          <Stack>
            <Field label="New password">
              <PasswordInput showLabel="Show password" autoComplete="new-password" defaultValue="Demo-password-1" />
            </Field>
            <PasswordRules
              title="The password needs"
              rules={passwordRules}
              metText="fulfilled"
              missingText="missing"
              summary="3 of 5 fulfilled"
            />
          </Stack>
        )}
      </Specimen>
      <Specimen name="Code" note="One input; paste “123 456”. Six digits send once.">
        {() => (
          <Stack>
            <Code />
            <Code error="The code is wrong. You have 4 tries left." start="123456" />
          </Stack>
        )}
      </Specimen>
      <Specimen name="Choices">{(theme) => <Choices theme={theme} />}</Specimen>
      <Specimen name="Text area">
        {() => (
          <Stack>
            <Field label="Message" optionalText="(optional)">
              <TextArea maxLength={500} counter={(length) => `${length} of 500`} defaultValue="Welcome to Nordvik." />
            </Field>
            <Field label="Certificate">
              <TextArea mono spellCheck={false} rows={4} defaultValue="-----BEGIN CERTIFICATE-----" />
            </Field>
          </Stack>
        )}
      </Specimen>
      <Specimen name="Search, combobox, copy">{(theme) => <Finders theme={theme} />}</Specimen>
      <Specimen name="Error summary">
        {(theme) => (
          <Stack>
            <FormError
              title="There are 2 things to correct"
              errors={[
                { id: `${theme}-first`, message: 'First name is missing.' },
                { id: `${theme}-last`, message: 'Last name is missing.' },
              ]}
            />
            <Field label="First name" id={`${theme}-first`} error="First name is missing.">
              <TextInput />
            </Field>
            <Field label="Last name" id={`${theme}-last`} error="Last name is missing.">
              <TextInput />
            </Field>
          </Stack>
        )}
      </Specimen>
    </>
  )
}

function Code({ error, start = '' }: { error?: string; start?: string }) {
  const [code, setCode] = useState(start)
  const [sent, setSent] = useState(0)
  return (
    <Field label="Login code" hint={error ? undefined : `Sent ${sent} times from here`} error={error}>
      <CodeInput value={code} onChange={setCode} onComplete={() => setSent((count) => count + 1)} />
    </Field>
  )
}

function Choices({ theme }: { theme: Theme }) {
  const [method, setMethod] = useState<string | null>('local')
  return (
    <div className={styles.wide}>
      <Stack>
        <Field label="Role">
          <Select defaultValue="regular">
            <option value="regular">Regular</option>
            <option value="organizationAdmin">Organisation admin</option>
          </Select>
        </Field>
        <Checkbox label="Journal" defaultChecked />
        <Checkbox label="Bokning" hint="Used by nobody yet" />
        <Checkbox label="Not available" disabled />
        <Switch label="Super user" hint="Sees everything and may change it" />
        <Switch label="Want signed assertions" defaultChecked />
        <Switch label="Not available" disabled defaultChecked />
        <Switch label="Refused" hint="Sees everything" error="The address has not been confirmed yet." defaultChecked />
      </Stack>
      <RadioCards
        legend="Login method"
        name={`method-${theme}`}
        options={loginMethods}
        value={method}
        onChange={setMethod}
      />
      <RadioCards
        legend="Login method, missing"
        options={loginMethods.slice(0, 2)}
        value={null}
        onChange={() => undefined}
        error="Choose how people sign in."
      />
    </div>
  )
}

function Finders({ theme }: { theme: Theme }) {
  const [search, setSearch] = useState('nordvik')
  const [organization, setOrganization] = useState<string | null>('1')
  const options = organizations.map((option) =>
    option.value === '2' ? { ...option, unavailable: 'Already added' } : option,
  )
  return (
    <Stack>
      <SearchInput label={`Search users (${theme})`} clearLabel="Clear search" value={search} onChange={setSearch} />
      <Field label="Organisation">
        <Combobox
          options={options}
          value={organization}
          onChange={setOrganization}
          emptyText="No organisation with this name"
          clearLabel="Clear"
          openLabel="Show all"
        />
      </Field>
      <CopyField
        label="Invite link"
        value="https://vestibule.example/accept-invitation/0000"
        copyLabel="Copy"
        copiedLabel="Copied"
      />
    </Stack>
  )
}
