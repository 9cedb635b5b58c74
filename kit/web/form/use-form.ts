import { useEffect, useId, useMemo, useRef, useState } from 'react'
import type { Field, Fields, FieldProblem } from '#kit/fields/field-kind.ts'
import { isFieldRequired, isWriteOnlyField, fieldKindOf, parseFieldInput } from '#kit/fields/kinds.ts'
import { fieldProblemSentence } from '#kit/fields/problems.ts'
import {
  changedFormFieldKeys,
  formFieldEntries,
  isFixedInForm,
  presetFromSingleLimits,
  buildFormPayload,
  withFieldsRequiredByLimits,
  initialFormValues,
  type FormMode,
  type UntypedRow,
} from './form-values.ts'
import { useLanguage, type LocalizedText } from '../language.tsx'
import { isSecretFieldName } from '#kit/fields/secret-names.ts'
import { useSession } from '../session/session.ts'
import { deleteFormDraft, saveFormDraftDebounced, loadFormDraft, type FormDraft } from './drafts.ts'

export type FormState = {
  id: string
  fields: Fields
  mode: FormMode
  values: UntypedRow
  /** What the form was opened with; references' words come from here. */
  row: UntypedRow
  set: (key: string, value: unknown) => void
  /** Takes nothing while it is on its way to the server: it would be gone with the form, unseen. */
  hold: <T>(send: () => Promise<T>) => Promise<T>
  /** Sentence under a field, in the reader's language. */
  errorOf: (key: string) => string | undefined
  errorCount: number
  /** Looks at one field, as when it is left; answers whether it is well. */
  look: (key: string) => boolean
  /** Looks at all; focuses the first that is wrong and answers whether all is well. */
  check: () => boolean
  /** Sentences the server sent for fields. */
  refuse: (sentences: Record<string, string>) => void
  changed: string[]
  payload: () => UntypedRow
  /** Starts again from another row, with some values of one's own on top. */
  rebase: (row: UntypedRow, mine: UntypedRow) => void
  /** Puts several values at once. */
  put: (values: UntypedRow) => void
  /** Input of an earlier time that was never saved, until it is brought back or thrown away. */
  draft?: Draft
  /** All of the draft, or what is left of it after it was merged with what others saved since. */
  takeDraft: (values?: UntypedRow) => void
  dropDraft: () => void
}

/**
 * Headings and the fields below them, in this order; fields not named follow at the end. `when` hides a group, checks
 * included.
 */
/** `K` are the fields the form may have, `V` what is in it. */
export type FormLayout<K extends string = string, V = UntypedRow> = readonly {
  title?: LocalizedText
  fields: readonly K[]
  when?: (values: V) => boolean
}[]

/** What a page says about a value its kind finds right; a `label` among the params names a part of the field. */
type FieldCheck = (value: unknown, values: UntypedRow) => FieldProblem | undefined
export type FieldWithCheck = Field & { check?: FieldCheck }

type Errors = Record<string, FieldProblem | string>

function withError(errors: Errors, key: string, problem: FieldProblem | undefined): Errors {
  const { [key]: _old, ...rest } = errors
  return problem ? { ...rest, [key]: problem } : rest
}

type Draft = FormDraft & { at: number; isOlder: boolean }

const idOf = (form: string, key: string) => `${form}-${key}`

type Options = {
  fields: Fields
  mode: FormMode
  row?: UntypedRow
  preset?: UntypedRow
  draftKey?: string
  layout?: FormLayout
}
type Base = { row: UntypedRow; values: UntypedRow }

/** The state of a form over some fields. The checks are the very ones the server makes. */
export function useForm(given: Options): FormState {
  const limits = useSession((session) => session.limits)
  const fields = useMemo(() => withFieldsRequiredByLimits(given.fields, limits), [given.fields, limits])
  const options = { ...given, fields }
  const { mode } = options
  const id = useId()
  const [base, setBase] = useState<Base>(() => ({
    row: options.row ?? {},
    values: {
      ...initialFormValues(fields, options.row),
      ...(mode === 'add' && presetFromSingleLimits(fields, limits)),
      ...options.preset,
    },
  }))
  const [values, setValues] = useState<UntypedRow>(base.values)
  const latest = useRef(values)
  latest.current = values
  const isHeld = useRef(false)
  const put = (more: UntypedRow) => {
    setValues((before) => ({ ...before, ...more }))
    latest.current = { ...latest.current, ...more }
  }
  const checks = useChecks(id, fields, (key, field) => problemOf(key, field, latest.current, base, options))
  const changed = changedFormFieldKeys(fields, base.values, values)
  return {
    id,
    fields,
    mode,
    values,
    row: base.row,
    set: (key, value) => {
      if (isHeld.current) return
      put({ [key]: value })
      for (const [other, { requiredWhen }] of Object.entries(fields))
        if (other === key || requiredWhen?.[key]) checks.lookAgain(other)
    },
    hold: async (send) => {
      isHeld.current = true
      return send().finally(() => (isHeld.current = false))
    },
    ...checks.ofForm,
    changed,
    payload: () => buildFormPayload(fields, mode, base.values, latest.current),
    rebase: (row, mine) => {
      const start = initialFormValues(fields, row)
      setBase({ row, values: start })
      setValues({ ...start, ...mine })
      latest.current = { ...start, ...mine }
    },
    put,
    ...useDraft(options, { values, changed, base, put }),
  }
}

function problemOf(
  key: string,
  field: Field,
  values: UntypedRow,
  base: Base,
  { fields, mode, layout }: Options,
): FieldProblem | undefined {
  // A masked value would not pass its own check; what was not touched was checked when it was saved.
  const isHidden = layout?.some((group) => group.when?.(values) === false && group.fields.includes(key))
  const asked = [key, ...Object.keys(field.requiredWhen ?? {})]
  const isUntouched =
    mode === 'edit' && !changedFormFieldKeys(fields, base.values, values).some((one) => asked.includes(one))
  if (isHidden || isFixedInForm(field, mode) || isUntouched) return undefined
  const required = isFieldRequired(field, values) && !(fieldKindOf(field).writeOnly && mode === 'edit')
  const parsed = parseFieldInput(values[key], { ...field, required })
  // A page may know more of a field than its kind does, such as what stands in its JSON.
  return 'problem' in parsed ? parsed.problem : (field as FieldWithCheck).check?.(values[key], values)
}

/** What is wrong with which field: found here, or said by the server. */
function useChecks(id: string, fields: Fields, problem: (key: string, field: Field) => FieldProblem | undefined) {
  const language = useLanguage()
  const [errors, setErrors] = useState<Errors>({})
  const focus = (key: string) => setTimeout(() => document.getElementById(idOf(id, key))?.focus(), 0)
  const ofForm: Pick<FormState, 'errorOf' | 'errorCount' | 'look' | 'check' | 'refuse'> = {
    errorOf: (key) => {
      const error = errors[key]
      return error === undefined || typeof error === 'string'
        ? error
        : fieldProblemSentence(error, fields[key]!, language)
    },
    errorCount: Object.keys(errors).length,
    look: (key) => {
      const found = fields[key] && problem(key, fields[key])
      // What the server said about this very value stays until it changes.
      setErrors((before) => (typeof before[key] === 'string' && !found ? before : withError(before, key, found)))
      return !found
    },
    check: () => {
      const found = formFieldEntries(fields).flatMap(([key, field]) => {
        const one = problem(key, field)
        return one ? [[key, one] as const] : []
      })
      setErrors(Object.fromEntries(found))
      if (found[0]) focus(found[0][0])
      return !found.length
    },
    refuse: (sentences) => {
      setErrors(sentences)
      const first = formFieldEntries(fields).find(([key]) => sentences[key])
      if (first) focus(first[0])
    },
  }
  const lookAgain = (key: string) => {
    if (!errors[key]) return
    const found = problem(key, fields[key]!)
    setErrors((before) => withError(before, key, found))
  }
  return { ofForm, lookAgain }
}

type Typed = { values: UntypedRow; changed: string[]; base: Base; put: (values: UntypedRow) => void }

function useDraft({ fields, draftKey, row }: Options, { values, changed, base, put }: Typed) {
  const [found, setDraft] = useState(() => foundDraft(draftKey, row))
  // What is typed since is newer: nothing is offered in its place.
  const without = (kept: UntypedRow) =>
    Object.fromEntries(Object.entries(kept).filter(([key]) => !changed.includes(key)))
  const draft = found && Object.keys(without(found.values)).length ? found : undefined
  useDraftKeeper(draftKey, values, changed, fields, base, found)
  return {
    draft,
    takeDraft: (taken: UntypedRow = found?.values ?? {}) => {
      put(without(taken))
      setDraft(undefined)
    },
    dropDraft: () => {
      if (draftKey && !changed.length) deleteFormDraft(draftKey)
      setDraft(undefined)
    },
  } satisfies Pick<FormState, 'draft' | 'takeDraft' | 'dropDraft'>
}

function foundDraft(draftKey: string | undefined, row: UntypedRow | undefined): Draft | undefined {
  const kept = draftKey ? loadFormDraft(draftKey) : undefined
  return kept && { ...kept, isOlder: (kept.version ?? '') !== (row?.version ?? '') }
}

const isPrivate = (key: string, field: Field | undefined) =>
  (field && isWriteOnlyField(field)) || isSecretFieldName(key)

/**
 * Keeps what is typed on this machine, so that a crash loses nothing: with it, as long as that is `offered`, what was
 * found of an earlier time.
 */
function useDraftKeeper(
  draftKey: string | undefined,
  values: UntypedRow,
  changed: string[],
  fields: Fields,
  base: Base,
  offered: FormDraft | undefined,
) {
  const latest = useRef({ changed, fields, base, offered })
  useEffect(() => {
    latest.current = { changed, fields, base, offered }
  })
  useEffect(() => {
    if (!draftKey) return
    return saveFormDraftDebounced(draftKey, () => {
      const { changed, fields, base, offered } = latest.current
      const keys = changed.filter((key) => !isPrivate(key, fields[key]))
      if (!keys.length && !offered) return undefined
      const pick = (from: UntypedRow) => Object.fromEntries(keys.map((key) => [key, from[key]]))
      return {
        values: { ...offered?.values, ...pick(values) },
        was: { ...pick(base.values), ...offered?.was },
        version: offered ? offered.version : (base.row.version ?? ''),
      }
    })
  }, [draftKey, values, offered])
}

/** Where what somebody types over one row is kept: by tenant, person, family and row. */
export const useFormDraftKey = (family: string, id: unknown): string =>
  useSession(
    (session) =>
      `${session.user?.tenantId ?? ''}:${session.user?.userId ?? ''}:${family}:${id ? String(id as string) : 'new'}`,
  )

export const formInputId = idOf
