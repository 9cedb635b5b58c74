import { useState } from 'react'
import { refusalDetailsOf } from '../row/run-action.ts'
import { toast } from '../base/toast.ts'
import type { FormState } from './use-form.ts'

/**
 * Returns a function that checks and sends a form, one call at a time. Shows refusals of its fields below them and any
 * other error as a toast.
 */
export function useFormSubmit(
  form: FormState,
  call: () => Promise<void>,
): { send: () => Promise<void>; isSending: boolean } {
  const [isSending, setSending] = useState(false)
  const send = async () => {
    if (isSending || !form.check()) return
    setSending(true)
    try {
      await form.hold(call)
    } catch (reason) {
      const refused = refusalDetailsOf(reason).fields
      if (refused) form.refuse(refused)
      if (!refused || !Object.keys(refused).some((key) => key in form.fields)) toast.error((reason as Error).message)
    } finally {
      setSending(false)
    }
  }
  return { send, isSending }
}
