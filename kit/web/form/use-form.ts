import { useEffect, useId, useMemo, useRef, useState } from 'react'
import type { Field, Fields, FieldProblem } from '#kit/fields/base/field-kind.ts'
import { isFieldRequired, isWriteOnlyField, fieldKindOf, parseFieldInput } from '#kit/fields/kinds.ts'
import { fieldProblemSentence } from '#kit/fields/problem-sentence.ts'
import {
  changedFormFieldKeys,
  formFieldEntries,
  isReadOnlyInForm,
  presetFromSingleLimits,
  buildFormPayload,
  withFieldsRequiredByLimits,
  initialFormValues,
  type FormMode,
  type UntypedRow,
} from '../row/form-values.ts'
import { useLanguage, type LocalizedText } from '../base/language.tsx'
import { isSecretFieldName } from '#kit/fields/base/secret-names.ts'
import { useSession } from '../session/session.ts'
import { deleteFormDraft, saveFormDraftDebounced, loadFormDraft, type FormDraft } from './drafts.ts'

export type FormState = {
  id: string
  fields: Fields
  mode: FormMode
  values: UntypedRow
  /** The row the form was opened with, which also holds the labels of references. */
  row: UntypedRow
  set: (key: string, value: unknown) => void
  /** Ignores input while `send` runs, as it would be lost when the form closes. */
  hold: <T>(send: () => Promise<T>) => Promise<T>
  /** Error text below a field, in the user's language. */
  errorOf: (key: string) => string | undefined
  errorCount: number
  /** Checks one field, as when it loses focus; returns whether it is valid. */
  look: (key: string) => boolean
  /** Checks all fields, focuses the first invalid one and returns whether all are valid. */
  check: () => boolean
  /** Shows error sentences from the server below their fields. */
  refuse: (sentences: Record<string, string>) => void
  changed: string[]
  payload: () => UntypedRow
  /** Restarts the form from another row, with some of the user's values on top. */
  rebase: (row: UntypedRow, mine: UntypedRow) => void
  /** Sets several values at once. */
  put: (values: UntypedRow) => void
  /** Unsaved input from an earlier session, until it is restored or dropped. */
  draft?: Draft
  /** Restores the draft, or only `values` of it after it was merged with later changes of others. */
  takeDraft: (values?: UntypedRow) => void
  dropDraft: () => void
}

/**
 * Layout of a form: headings and the fields below them, in this order. Fields not named follow at the end. `when` hides
 * a group and skips its checks. `K` are the keys of the form's fields, `V` its values.
 */
export type FormLayout<K extends string = string, V = UntypedRow> = readonly {
  title?: LocalizedText
  fields: readonly K[]
  when?: (values: V) => boolean
}[]

/** A page's own check of a value that its kind accepts. A `label` among the parameters names a part of the field. */
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

/** Returns the state of a form over some fields. Checks input exactly as the server does. */
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
  // A masked value would fail its own check, and an untouched value was checked when it was saved.
  const isHidden = layout?.some((group) => group.when?.(values) === false && group.fields.includes(key))
  const dependencies = [key, ...Object.keys(field.requiredWhen ?? {})]
  const isUntouched =
    mode === 'edit' && !changedFormFieldKeys(fields, base.values, values).some((one) => dependencies.includes(one))
  if (isHidden || isReadOnlyInForm(field, mode) || isUntouched) return undefined
  const required = isFieldRequired(field, values) && !(fieldKindOf(field).writeOnly && mode === 'edit')
  const parsed = parseFieldInput(values[key], { ...field, required })
  // A page may check more than the kind, such as the contents of JSON.
  return 'problem' in parsed ? parsed.problem : (field as FieldWithCheck).check?.(values[key], values)
}

/** Holds the errors of the fields, found here or sent by the server. */
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
      // An error from the server stays until the value changes.
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
  // Values typed since are newer than the draft, so those fields are left out of it.
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
 * Stores what is typed in this browser, so that a crash loses nothing. Keeps an earlier draft with it while that draft
 * is still `offered`.
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

/** Returns the key of a row's draft: tenant, user, resource and row id. */
export const useFormDraftKey = (resource: string, id: unknown): string =>
  useSession(
    (session) =>
      `${session.user?.tenantId ?? ''}:${session.user?.userId ?? ''}:${resource}:${id ? String(id as string) : 'new'}`,
  )

export const formInputId = idOf
