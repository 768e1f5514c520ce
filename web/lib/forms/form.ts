import './zod-config.ts'

import { zodResolver } from '@hookform/resolvers/zod'
import { type BaseSyntheticEvent, useId, useRef, useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, type UseFormReturn, useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import type { FieldLabels } from '#contract/message-key.ts'
import { ApiProblem, brokenCall, wasCancelled } from '#web/lib/requests/api-problem.ts'
import { failureText, useTexts } from '#web/lib/texts/texts.ts'
import { useErrorInTitle } from '#web/lib/texts/title.ts'

interface FormOptions<Draft extends FieldValues, Values> {
  /** The contract's own schema. */
  schema: z.ZodMiniType<Values, Draft>
  /** Every field that the form shows. */
  labels: Partial<FieldLabels<Draft>>
  values: DefaultValues<Draft>
  /** Sends what the schema made of the draft. Its ApiProblem lands on the fields, or above the buttons. */
  save: (values: Values) => Promise<void>
}

export interface FieldError {
  /** Of the control. */
  id: string
  name: string
  /** Key of the message. */
  key: string
}

export interface SchemaForm<Draft extends FieldValues, Values> {
  form: UseFormReturn<Draft, unknown, Values>
  register: UseFormReturn<Draft, unknown, Values>['register']
  /** For `<form noValidate onSubmit>`. A second submit while the first is under way sends nothing. */
  submit: (event?: BaseSyntheticEvent) => void
  saving: boolean
  /** Has unsaved changes. */
  dirty: boolean
  /** `<Field {...field('email')}>`: its label, its id, and its error as a text. One of several alike gets a label of its own. */
  field: (name: Path<Draft>, label?: string) => { id: string; label: string; error: string | undefined }
  /** How a field is called; a nested one as its group. */
  labelOf: (name: string) => string
  /** What to correct, in the order in which it was found; for the summary at the top. */
  errors: readonly FieldError[]
  /** An error with its field's label. Call it once the fields have rendered: some have a label of their own. */
  errorText: (error: FieldError) => string
  /** What the server says about the whole, as a text; belongs above the buttons. */
  problem: string | undefined
  /** Takes that away, for a form whose next attempt begins with typing. */
  dismissProblem: () => void
  /** Counts the submits that found something to correct: focus moves when it changes. */
  refusals: number
}

/** The form of a schema: `FormOf<typeof serviceForm>`. What its fields hold may differ from what is sent. */
export type FormOf<Schema extends z.ZodMiniType<unknown, FieldValues>> = SchemaForm<z.input<Schema>, z.output<Schema>>

/**
 * The form of the app and of the sign-in pages: it validates with the contract's schema and shows the server's issues at
 * its fields.
 */
export function useSchemaForm<Draft extends FieldValues, Values>({
  schema,
  labels,
  values,
  save,
}: FormOptions<Draft, Values>): SchemaForm<Draft, Values> {
  const texts = useTexts()
  const { t, messageText } = texts
  const prefix = useId()
  const [refusals, setRefusals] = useState(0)
  const [refused, setRefused] = useState<Error>()
  const form = useForm<Draft, unknown, Values>({
    resolver: zodResolver(schema),
    defaultValues: values,
    shouldFocusError: false,
  })
  const { errors, isSubmitting, isSubmitted, isDirty } = form.formState
  const refuse = () => setRefusals((count) => count + 1)
  const idOf = (name: string) => `${prefix}${name}`
  const ownLabels = useRef(new Map<string, string>())
  const labelOf = (name: string) => messageText(labels[name.split('.', 1)[0] as keyof typeof labels] ?? name)

  const send = form.handleSubmit(async (input) => {
    try {
      await save(input)
    } catch (error) {
      if (wasCancelled(error)) return
      setRefused(error instanceof ApiProblem ? error : brokenCall())
      if (placeProblem(form, error)) refuse()
    }
  }, refuse)
  const found = flatten(errors).map(({ name, key }) => ({ id: idOf(name), name, key }))
  useErrorInTitle(isSubmitted && found.length > 0)

  return {
    form,
    register: form.register,
    submit: (event) => {
      event?.preventDefault()
      if (!isSubmitting) void send()
    },
    saving: isSubmitting,
    dirty: isDirty,
    field: (name, label = labelOf(name)) => {
      ownLabels.current.set(name, label)
      const { error } = form.getFieldState(name, form.formState)
      return { id: idOf(name), label, error: error?.message ? messageText(error.message) : undefined }
    },
    labelOf,
    errors: found,
    errorText: ({ name, key }) =>
      t('fieldAndProblem', { field: ownLabels.current.get(name) ?? labelOf(name), problem: messageText(key) }),
    problem: errors.root?.server && refused ? failureText(refused, texts) : undefined,
    dismissProblem: () => form.clearErrors('root'),
    refusals,
  }
}

/** Puts what the server refused where it belongs; true when a field got something. */
function placeProblem<Draft extends FieldValues, Values>(form: UseFormReturn<Draft, unknown, Values>, error: unknown) {
  if (!(error instanceof ApiProblem)) {
    form.setError('root.server', { type: 'server', message: brokenCall().message })
    throw error
  }
  const present = form.getValues()
  const mine = error.issues.filter(({ path }) => (path.split('.', 1)[0] as string) in present)
  for (const { path, message } of mine) form.setError(path as Path<Draft>, { type: 'server', message })
  // An issue of no field of this form must be seen, too.
  if (mine.length === 0 || mine.length < error.issues.length)
    form.setError('root.server', { type: 'server', message: error.message })
  return mine.length > 0
}

/** The errors of all fields, nested ones with their dotted names. */
function flatten(errors: object, parent = ''): { name: string; key: string }[] {
  return Object.entries(errors).flatMap(([name, error]) => {
    if (!error || typeof error !== 'object' || (parent === '' && name === 'root') || name === 'ref') return []
    const path = parent + name
    return 'message' in error && typeof error.message === 'string'
      ? [{ name: path, key: error.message }]
      : flatten(error, `${path}.`)
  })
}

/** A number field: empty is none, and what is no number is left to the schema to refuse. */
export const asNumber = (text: unknown) => {
  const typed = String(text ?? '').trim()
  return typed === '' ? null : Number(typed)
}
