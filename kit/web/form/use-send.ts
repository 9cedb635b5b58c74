import { useState } from 'react'
import { refusalDetailsOf } from './run-action.ts'
import { toast } from '../parts/toast.ts'
import type { FormState } from './use-form.ts'

/**
 * Sends a form once at a time, when all is well in it: what is refused for its fields stands below them, anything else
 * is told.
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
