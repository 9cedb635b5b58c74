import { useState, type ReactNode } from 'react'
import { NAME_SEPARATOR } from '#kit/resource/localized-text.ts'
import { useLocalize } from '../language.tsx'
import { UnsavedChangesDialog } from './ask-unsaved.tsx'
import type { FormState } from './use-form.ts'

/**
 * Leaving a form: at once while nothing was typed, else after a question.
 *
 * @returns What closes it, and the question, to be drawn inside.
 */
export function useUnsavedGuard(form: FormState, onLeave: () => void, onUntouched = onLeave): [() => void, ReactNode] {
  const t = useLocalize()
  const [isAsked, setAsked] = useState(false)
  const fields = () => form.changed.map((key) => t(form.fields[key]!.label)).join(t(NAME_SEPARATOR))
  const question = isAsked && (
    <UnsavedChangesDialog fields={fields()} onKeep={() => setAsked(false)} onDiscard={onLeave} />
  )
  return [() => (form.changed.length ? setAsked(true) : onUntouched()), question]
}
