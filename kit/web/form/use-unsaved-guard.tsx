import { useState, type ReactNode } from 'react'
import { NAME_SEPARATOR } from '#kit/base/localized-text.ts'
import { useLocalize } from '../base/language.tsx'
import { UnsavedChangesDialog } from './unsaved-changes-dialog.tsx'
import type { FormState } from './use-form.ts'

/**
 * Guards a form against losing input: closes it at once while nothing was typed, otherwise asks first.
 *
 * @returns The function that closes the form, and the question to render inside it.
 */
export function useUnsavedGuard(form: FormState, onLeave: () => void, onUntouched = onLeave): [() => void, ReactNode] {
  const t = useLocalize()
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const fields = () => form.changed.map((key) => t(form.fields[key]!.label)).join(t(NAME_SEPARATOR))
  const question = isConfirmOpen && (
    <UnsavedChangesDialog fields={fields()} onKeep={() => setConfirmOpen(false)} onDiscard={onLeave} />
  )
  return [() => (form.changed.length ? setConfirmOpen(true) : onUntouched()), question]
}
