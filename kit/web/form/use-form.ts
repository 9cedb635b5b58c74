import { useEffect, useId, useMemo, useRef, useState } from 'react'
import type { Field, Fields, Problem } from '#kit/fields/field-kind.ts'
import { isNeeded, isWriteOnly, kindOf, parseField } from '#kit/fields/kinds.ts'
import { problemSentence } from '#kit/fields/problems.ts'
import {
  changedKeys,
  formFields,
  isFixed,
  onlyChoices,
  payload,
  requiredOfReader,
  startValues,
  type FormMode,
  type Row,
} from './form-values.ts'
import { useLang, type LocalizedText } from '../language.tsx'
import { isSecretName } from '#kit/fields/secret-names.ts'
import { useSession } from '../session/session.ts'
import { deleteDraft, saveDraftDebounced, loadDraft, type KeptDraft } from './drafts.ts'

export type Form = {
  id: string
  fields: Fields
  mode: FormMode
  values: Row
  /** What the form was opened with; references' words come from here. */
  row: Row
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
  payload: () => Row
  /** Starts again from another row, with some values of one's own on top. */
  rebase: (row: Row, mine: Row) => void
  /** Puts several values at once. */
  put: (values: Row) => void
  /** Input of an earlier time that was never saved, until it is brought back or thrown away. */
  draft?: Draft
  /** All of the draft, or what is left of it after it was merged with what others saved since. */
  takeDraft: (values?: Row) => void
  dropDraft: () => void
}

/**
 * Headings and the fields below them, in this order; fields not named follow at the end. `when` hides a group, checks
 * included.
 */
/** `K` are the fields the form may have, `V` what is in it. */
export type FormLayout<K extends string = string, V = Row> = readonly {
  title?: LocalizedText
  fields: readonly K[]
  when?: (values: V) => boolean
}[]

/** What a page says about a value its kind finds right; a `label` among the params names a part of the field. */
type FieldCheck = (value: unknown, values: Row) => Problem | undefined
export type CheckedField = Field & { check?: FieldCheck }

type Errors = Record<string, Problem | string>

function withError(errors: Errors, key: string, problem: Problem | undefined): Errors {
  const { [key]: _old, ...rest } = errors
  return problem ? { ...rest, [key]: problem } : rest
}

type Draft = KeptDraft & { at: number; isOlder: boolean }

const idOf = (form: string, key: string) => `${form}-${key}`

type Options = {
  fields: Fields
  mode: FormMode
  row?: Row
  preset?: Row
  draftKey?: string
  layout?: FormLayout
}
type Base = { row: Row; values: Row }

/** The state of a form over some fields. The checks are the very ones the server makes. */
export function useForm(given: Options): Form {
  const limits = useSession((session) => session.limits)
  const fields = useMemo(() => requiredOfReader(given.fields, limits), [given.fields, limits])
  const options = { ...given, fields }
  const { mode } = options
  const id = useId()
  const [base, setBase] = useState<Base>(() => ({
    row: options.row ?? {},
    values: {
      ...startValues(fields, options.row),
      ...(mode === 'add' && onlyChoices(fields, limits)),
      ...options.preset,
    },
  }))
  const [values, setValues] = useState<Row>(base.values)
  const latest = useRef(values)
  latest.current = values
  const isHeld = useRef(false)
  const put = (more: Row) => {
    setValues((before) => ({ ...before, ...more }))
    latest.current = { ...latest.current, ...more }
  }
  const checks = useChecks(id, fields, (key, field) => problemOf(key, field, latest.current, base, options))
  const changed = changedKeys(fields, base.values, values)
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
    payload: () => payload(fields, mode, base.values, latest.current),
    rebase: (row, mine) => {
      const start = startValues(fields, row)
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
  values: Row,
  base: Base,
  { fields, mode, layout }: Options,
): Problem | undefined {
  // A masked value would not pass its own check; what was not touched was checked when it was saved.
  const isHidden = layout?.some((group) => group.when?.(values) === false && group.fields.includes(key))
  const asked = [key, ...Object.keys(field.requiredWhen ?? {})]
  const isUntouched = mode === 'edit' && !changedKeys(fields, base.values, values).some((one) => asked.includes(one))
  if (isHidden || isFixed(field, mode) || isUntouched) return undefined
  const required = isNeeded(field, values) && !(kindOf(field).writeOnly && mode === 'edit')
  const parsed = parseField(values[key], { ...field, required })
  // A page may know more of a field than its kind does, such as what stands in its JSON.
  return 'problem' in parsed ? parsed.problem : (field as CheckedField).check?.(values[key], values)
}

/** What is wrong with which field: found here, or said by the server. */
function useChecks(id: string, fields: Fields, problem: (key: string, field: Field) => Problem | undefined) {
  const language = useLang()
  const [errors, setErrors] = useState<Errors>({})
  const focus = (key: string) => setTimeout(() => document.getElementById(idOf(id, key))?.focus(), 0)
  const ofForm: Pick<Form, 'errorOf' | 'errorCount' | 'look' | 'check' | 'refuse'> = {
    errorOf: (key) => {
      const error = errors[key]
      return error === undefined || typeof error === 'string' ? error : problemSentence(error, fields[key]!, language)
    },
    errorCount: Object.keys(errors).length,
    look: (key) => {
      const found = fields[key] && problem(key, fields[key])
      // What the server said about this very value stays until it changes.
      setErrors((before) => (typeof before[key] === 'string' && !found ? before : withError(before, key, found)))
      return !found
    },
    check: () => {
      const found = formFields(fields).flatMap(([key, field]) => {
        const one = problem(key, field)
        return one ? [[key, one] as const] : []
      })
      setErrors(Object.fromEntries(found))
      if (found[0]) focus(found[0][0])
      return !found.length
    },
    refuse: (sentences) => {
      setErrors(sentences)
      const first = formFields(fields).find(([key]) => sentences[key])
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

type Typed = { values: Row; changed: string[]; base: Base; put: (values: Row) => void }

function useDraft({ fields, draftKey, row }: Options, { values, changed, base, put }: Typed) {
  const [found, setDraft] = useState(() => foundDraft(draftKey, row))
  // What is typed since is newer: nothing is offered in its place.
  const without = (kept: Row) => Object.fromEntries(Object.entries(kept).filter(([key]) => !changed.includes(key)))
  const draft = found && Object.keys(without(found.values)).length ? found : undefined
  useDraftKeeper(draftKey, values, changed, fields, base, found)
  return {
    draft,
    takeDraft: (taken: Row = found?.values ?? {}) => {
      put(without(taken))
      setDraft(undefined)
    },
    dropDraft: () => {
      if (draftKey && !changed.length) deleteDraft(draftKey)
      setDraft(undefined)
    },
  } satisfies Pick<Form, 'draft' | 'takeDraft' | 'dropDraft'>
}

function foundDraft(draftKey: string | undefined, row: Row | undefined): Draft | undefined {
  const kept = draftKey ? loadDraft(draftKey) : undefined
  return kept && { ...kept, isOlder: (kept.version ?? '') !== (row?.version ?? '') }
}

const isPrivate = (key: string, field: Field | undefined) => (field && isWriteOnly(field)) || isSecretName(key)

/**
 * Keeps what is typed on this machine, so that a crash loses nothing: with it, as long as that is `offered`, what was
 * found of an earlier time.
 */
function useDraftKeeper(
  draftKey: string | undefined,
  values: Row,
  changed: string[],
  fields: Fields,
  base: Base,
  offered: KeptDraft | undefined,
) {
  const latest = useRef({ changed, fields, base, offered })
  useEffect(() => {
    latest.current = { changed, fields, base, offered }
  })
  useEffect(() => {
    if (!draftKey) return
    return saveDraftDebounced(draftKey, () => {
      const { changed, fields, base, offered } = latest.current
      const keys = changed.filter((key) => !isPrivate(key, fields[key]))
      if (!keys.length && !offered) return undefined
      const pick = (from: Row) => Object.fromEntries(keys.map((key) => [key, from[key]]))
      return {
        values: { ...offered?.values, ...pick(values) },
        was: { ...pick(base.values), ...offered?.was },
        version: offered ? offered.version : (base.row.version ?? ''),
      }
    })
  }, [draftKey, values, offered])
}

/** Where what somebody types over one row is kept: by tenant, person, family and row. */
export const useDraftKey = (family: string, id: unknown): string =>
  useSession(
    (session) =>
      `${session.user?.tenantId ?? ''}:${session.user?.userId ?? ''}:${family}:${id ? String(id as string) : 'new'}`,
  )

export const inputId = idOf
