import { useState } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import { fromFormValue, type UntypedRow } from '../row/form-values.ts'
import { isHeldForApprovalError, apiPost } from '../http/http.ts'
import { useLocalize, type LocalizedText } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { refusalDetailsOf } from '../row/run-action.ts'
import { toast } from '../base/toast.ts'
import { useInvalidateResource } from '../row/use-detail.ts'
import type { FormState } from './use-form.ts'

type Options = {
  resource: Resource<any, any>
  /** Id of the row to change; undefined to add one. */
  id?: string
  preset?: UntypedRow
  form: FormState
  done: (id: string, answer: UntypedRow) => void
  said?: LocalizedText
}

/**
 * Saves a form with the version it was opened with. If somebody else saved first, nothing is overwritten: `theirs`
 * becomes the current row, and `merge` saves over that.
 */
export function useSaveRow({ resource, id, preset, form, done, said = id ? words.updated : words.added }: Options) {
  const t = useLocalize()
  const renew = useInvalidateResource()
  const [isSaving, setSaving] = useState(false)
  const [problem, setProblem] = useState('')
  const [theirs, setTheirs] = useState<UntypedRow>()

  const send = async (body: UntypedRow, version: unknown) => {
    setSaving(true)
    setProblem('')
    try {
      const identity = id ? { id, ...(version !== undefined && { version }) } : { id: '', ...unseen(resource, preset) }
      const path = `${resource.path}/${id ? 'submit' : (resource.createPath ?? 'submit')}`
      const saved = await form.hold(() =>
        apiPost<UntypedRow | undefined>(path, { body: { ...identity, ...body } }, { quiet: true }),
      )
      toast.success(t(said))
      void renew(resource)
      done(String(saved?.id ?? id ?? ''), saved ?? {})
    } catch (reason) {
      if (isHeldForApprovalError(reason)) {
        toast.info(reason.message)
        return done(id ?? '', {})
      }
      const refusal = refusalDetailsOf(reason)
      if (refusal.reason === 'changed_meanwhile' && refusal.row) return setTheirs(refusal.row)
      const sentences = Object.fromEntries(Object.entries(refusal.fields ?? {}).filter(([key]) => form.fields[key]))
      if (Object.keys(sentences).length) form.refuse(sentences)
      else setProblem((reason as Error).message)
    } finally {
      setSaving(false)
    }
  }
  return {
    isSaving,
    problem,
    theirs,
    dropTheirs: () => setTheirs(undefined),
    go: async () => {
      if (isSaving || !form.check()) return
      if (id && !form.changed.length) {
        toast.info(t(words.nothingChanged))
        return
      }
      await send(form.payload(), form.row.version)
    },
    merge: async (mine: UntypedRow) => {
      const row = theirs!
      setTheirs(undefined)
      form.rebase(row, mine)
      await send(
        Object.fromEntries(Object.entries(mine).map(([key, value]) => [key, fromFormValue(value, form.fields[key]!)])),
        row.version,
      )
    },
  }
}

/** Returns the preset values of fields the form does not show. */
const unseen = (resource: Resource<any, any>, preset: UntypedRow = {}) =>
  Object.fromEntries(
    Object.entries(preset).filter(([key]) => resource.fields[key]?.form === 'hidden' || !(key in resource.fields)),
  )
