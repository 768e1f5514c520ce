import { createContext, use } from 'react'

interface Wiring {
  id: string
  labelId: string
  describedBy: string | undefined
  invalid: boolean
  /** The field says nowhere that it may stay empty. */
  required: boolean
}

export const FieldWiring = createContext<Wiring | null>(null)

interface Own {
  id?: string | undefined
  'aria-describedby'?: string | undefined
  'aria-invalid'?: unknown
}

/** The attributes that tie a control to its field's label, hint and error; the control's own ones are kept. */
export function useFieldWiring(own: Own) {
  const field = use(FieldWiring)
  return {
    id: own.id ?? field?.id,
    'aria-describedby': [field?.describedBy, own['aria-describedby']].filter(Boolean).join(' ') || undefined,
    'aria-invalid': field?.invalid || Boolean(own['aria-invalid']) || undefined,
  }
}

/**
 * For a control that a person types in; a select always has a value. A field that may stay empty says so beside its label,
 * and one without a visible label is part of a row that may be left as it is.
 */
export function useRequired({ readOnly }: { readOnly?: boolean | undefined }): { 'aria-required'?: true } {
  return use(FieldWiring)?.required && !readOnly ? { 'aria-required': true } : {}
}
