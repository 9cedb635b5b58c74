import { useEffect, useId, useRef, useState } from 'react'
import type { Field, Fields, Problem } from '#kit/fields/field-kind.ts'
import { parseField } from '#kit/fields/kinds.ts'
import { problemSentence } from '#kit/fields/problems.ts'
import { changedKeys, formFields, isFixed, payload, startValues, type FormMode, type Row } from './form-values.ts'
import { useLang, type Words } from './language.tsx'
import { forget, keep, recall } from './storage.ts'

export type Form = {
  id: string
  fields: Fields
  mode: FormMode
  values: Row
  /** What the form was opened with; references' words come from here. */
  row: Row
  set: (key: string, value: unknown) => void
  /** Sentence under a field, in the reader's language. */
  errorOf: (key: string) => string | undefined
  errorCount: number
  /** Looks at one field, as when it is left. */
  look: (key: string) => void
  /** Looks at all; focuses the first that is wrong and answers whether all is well. */
  check: () => boolean
  /** Sentences the server sent for fields. */
  refuse: (sentences: Record<string, string>) => void
  changed: string[]
  payload: () => Row
  /** Starts again from another row, with some values of one's own on top. */
  rebase: (row: Row, mine: Row) => void
  /** An earlier, unsaved input was found and filled in. */
  hasDraft: boolean
  dropDraft: () => void
}

/** Headings and the fields below them, in this order; fields not named follow at the end. `when` hides a group, checks included. */
export type FormLayout = readonly { title?: Words, fields: readonly string[], when?: (values: Row) => boolean }[]

type Errors = Record<string, Problem | string>

function withError(errors: Errors, key: string, problem: Problem | undefined): Errors {
  const { [key]: _old, ...rest } = errors
  return problem ? { ...rest, [key]: problem } : rest
}

type Draft = { values: Row, version: unknown }

const draftName = (key: string) => `draft:${key}`
const idOf = (form: string, key: string) => `${form}-${key}`

/** The state of a form over some fields. The checks are the very ones the server makes. */
export function useForm(options: { fields: Fields, mode: FormMode, row?: Row, preset?: Row, draftKey?: string, layout?: FormLayout }): Form {
  const { fields, mode, draftKey, layout } = options
  const id = useId()
  const language = useLang()
  const [base, setBase] = useState(() => ({ row: options.row ?? {}, values: { ...startValues(fields, options.row), ...options.preset } }))
  const [draft, setDraft] = useState(() => usable(draftKey, options.row))
  const [values, setValues] = useState<Row>(() => ({ ...base.values, ...draft?.values }))
  const [errors, setErrors] = useState<Errors>({})
  const latest = useRef(values)
  latest.current = values

  const problemOf = (key: string, field: Field): Problem | undefined => {
    const value = latest.current[key]
    // A masked value would not pass its own check; what was not touched was checked when it was saved.
    const isHidden = layout?.some((group) => group.when?.(latest.current) === false && group.fields.includes(key))
    if (isHidden || isFixed(field, mode) || (mode === 'edit' && !changedKeys({ [key]: field }, base.values, latest.current).length)) return undefined
    const optional = field.kind === 'password' && mode === 'edit' ? { ...field, required: false } : field
    const parsed = parseField(value, optional)
    return 'problem' in parsed ? parsed.problem : undefined
  }
  const put = (key: string, problem: Problem | undefined) => setErrors((before) => withError(before, key, problem))
  const focus = (key: string) => setTimeout(() => document.getElementById(idOf(id, key))?.focus(), 0)

  const changed = changedKeys(fields, base.values, values)
  useDraftKeeper(draftKey, values, changed, fields, base.row.version)

  return {
    id, fields, mode, values, row: base.row,
    set: (key, value) => {
      setValues((before) => ({ ...before, [key]: value }))
      latest.current = { ...latest.current, [key]: value }
      if (errors[key]) put(key, problemOf(key, fields[key]!))
    },
    errorOf: (key) => {
      const error = errors[key]
      return error === undefined || typeof error === 'string' ? error : problemSentence(error, fields[key]!, language)
    },
    errorCount: Object.keys(errors).length,
    look: (key) => {
      const problem = fields[key] && problemOf(key, fields[key])
      // What the server said about this very value stays until it changes.
      setErrors((before) => (typeof before[key] === 'string' && !problem ? before : withError(before, key, problem)))
    },
    check: () => {
      const found = formFields(fields).flatMap(([key, field]) => {
        const problem = problemOf(key, field)
        return problem ? [[key, problem] as const] : []
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
    changed,
    payload: () => payload(fields, mode, base.values, latest.current),
    rebase: (row, mine) => {
      const start = startValues(fields, row)
      setBase({ row, values: start })
      setValues({ ...start, ...mine })
      latest.current = { ...start, ...mine }
    },
    hasDraft: !!draft,
    dropDraft: () => {
      if (draftKey) forget(draftName(draftKey))
      setDraft(undefined)
      setValues(base.values)
      latest.current = base.values
      setErrors({})
    },
  }
}

/** A draft counts only for the very version of the row it was typed over. */
function usable(draftKey: string | undefined, row: Row | undefined): Draft | undefined {
  const draft = draftKey ? recall<Draft>(draftName(draftKey)) : undefined
  if (!draft?.values || !Object.keys(draft.values).length) return undefined
  return (draft.version ?? '') === (row?.version ?? '') ? draft : undefined
}

function useDraftKeeper(draftKey: string | undefined, values: Row, changed: string[], fields: Fields, version: unknown) {
  const latest = useRef({ changed, fields, version })
  useEffect(() => {
    latest.current = { changed, fields, version }
  })
  useEffect(() => {
    if (!draftKey) return
    const timer = setTimeout(() => {
      const { changed, fields, version } = latest.current
      const keys = changed.filter((key) => fields[key]?.kind !== 'password' && !fields[key]?.secret)
      if (!keys.length) return forget(draftName(draftKey))
      keep(draftName(draftKey), { values: Object.fromEntries(keys.map((key) => [key, values[key]])), version: version ?? '' } satisfies Draft)
    }, 600)
    return () => clearTimeout(timer)
  }, [draftKey, values])
}

/** Forgets what was typed: it is saved, or not wanted. */
export const forgetDraft = (draftKey: string) => forget(draftName(draftKey))
export const inputId = idOf
