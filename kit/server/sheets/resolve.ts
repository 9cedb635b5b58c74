import sql, { empty, raw } from 'sql-template-tag'
import { isEmptyInput, type Field, type FieldProblem } from '../../fields/base/field-kind.ts'
import { isReferenceField, fieldKindOf, parseFieldInput } from '../../fields/kinds.ts'
import { MANAGEMENT_TENANT } from '../base/caller.ts'
import { canReadField } from '../database/data-scope.ts'
import { readBatch } from '../database/db.ts'
import { recordMaskedValueMiss } from '../query/masked-filters.ts'
import { unitOfWorkOptionsForRead, referenceableRowsSql, callForReference } from '../resource/list-of.ts'
import { canReadTitle } from '../resource/present.ts'
import type { Call } from '../module/module.ts'
import type { LabelLookup } from '../module/services.ts'
import {
  notDeletedSql,
  columnNameSql,
  hasTenantColumn,
  tenantPredicateSql,
  tableNameSql,
  tenantScopeOf,
} from '../database/row-sql.ts'
import { splitCellValues, YES_NO_TEXTS } from './cells.ts'

type Candidate = {
  value: string
  title: string | null
  code: string | null
  id: string
  tenantId: string
  owner: string | null
}
type CellText = { key: string; field: Field; text: string; tenantId: string }
export type ResolvedCell = { value: unknown } | { problem: FieldProblem }

const isNamed = (field: Field) => !!field.to && isReferenceField(field)
const namesOf = ({ field, text }: CellText) => (fieldKindOf(field).many ? splitCellValues(text) : [text])

/**
 * Finds the rows these names, codes or ids may stand for, among those visible to the caller, with one query per field.
 * Fields hidden from the caller match nothing. Wrong guesses of masked codes are counted, so that a sheet cannot be
 * used to find out who has which number.
 */
async function candidatesOf(
  call: Call,
  own: string,
  field: Field,
  names: readonly string[],
): Promise<Map<string, Candidate[]>> {
  const { caller, services } = call
  const target = services.registry.resource(field.to!)
  // Some references store a text field that has the same name in both resources.
  const key = field.keyType === 'text' ? own : undefined
  const ids = names.filter((name) => /^\d{1,18}$/.test(name))
  const { titleCode } = target
  const none = sql`null`
  const title = canReadTitle(services.registry, target, caller) ? sql`r.${columnNameSql(target.title)}` : none
  const isCodeSeen = titleCode !== undefined && canReadField(target, titleCode, caller)
  const code = isCodeSeen ? sql`r.${columnNameSql(titleCode)}` : none
  const value = key ? columnNameSql(key) : raw('"id"')
  const [rows] = await readBatch(services.pool, unitOfWorkOptionsForRead(call), [
    sql`
    select r.${value}::text as value, ${title}::text as title, ${code}::text as code, r.id::text as id,
    ${hasTenantColumn(target) ? raw('r.tenant_id') : raw("''")} as "tenantId",
    ${field.same ? sql`r.${columnNameSql(field.same)}::text` : raw('null')} as owner from ${tableNameSql(target)} r
    where (${title}::text = any(${names}) or ${code}::text = any(${names})
    or r.id = any(${ids}::bigint[])${
      key
        ? sql`
      or r.${value}::text = any(${names})`
        : empty
    })${tenantPredicateSql(target, tenantScopeOf(caller))}${notDeletedSql(target)}${referenceableRowsSql(
      callForReference(call, field),
      target,
    )}`,
  ])
  const found = new Map<string, Candidate[]>()
  for (const row of rows as Candidate[]) {
    for (const name of new Set([row.title, row.code, row.id, row.value]))
      if (name !== null) (found.get(name) ?? found.set(name, []).get(name)!).push(row)
  }
  if (isCodeSeen) for (const name of names) if (!found.has(name)) recordMaskedValueMiss(target, titleCode, name, caller)
  return found
}

/** Candidate rows by field and name. */
type CandidatesByName = ReadonlyMap<string, ReadonlyMap<string, Candidate[]>>

async function knownRows(call: Call, cells: readonly CellText[]): Promise<CandidatesByName> {
  const byField = new Map<string, { field: Field; names: Set<string> }>()
  for (const one of cells) {
    if (!isNamed(one.field)) continue
    const entry = byField.get(one.key) ?? byField.set(one.key, { field: one.field, names: new Set() }).get(one.key)!
    for (const name of namesOf(one)) entry.names.add(name)
  }
  const known = new Map<string, Map<string, Candidate[]>>()
  for (const [key, { field, names }] of byField) known.set(key, await candidatesOf(call, key, field, [...names]))
  return known
}

function reference(
  known: CandidatesByName,
  { field, key, tenantId }: CellText,
  name: string,
  owner: unknown,
): ResolvedCell {
  if (fieldKindOf(field).isParent && name === '0') return { value: '0' }
  const named = known.get(key)?.get(name) ?? []
  const inTenant = named.filter((row) => ['', MANAGEMENT_TENANT, tenantId].includes(row.tenantId))
  // If none has the required parent, saving the row will report it.
  const agreeing = isEmptyInput(owner)
    ? inTenant
    : inTenant.filter((row) => row.owner === null || row.owner === String(owner))
  const near = agreeing.length ? agreeing : inTenant.slice(0, isEmptyInput(owner) ? undefined : 1)
  const best = [near.filter((row) => row.title === name), near.filter((row) => row.code === name), near].find(
    (rows) => rows.length,
  )
  if (!best) return { problem: { code: 'not_found' } }
  return best.length > 1
    ? { problem: { code: 'ambiguous', params: { count: best.length, name } } }
    : { value: best[0]!.value }
}

/** Returns the key of a dictionary entry with this label in either language, or with this key. */
function choice(labels: LabelLookup, field: Field, word: string, tenantId: string): ResolvedCell {
  for (const lang of ['zh', 'en'] as const) {
    const entries = labels.entries(tenantId, field.dict!, lang)
    const entry = entries.find(({ label }) => label.toLowerCase() === word.toLowerCase())
    if (entry) return { value: entry.key }
  }
  return labels.hasKey(tenantId, field, word) ? { value: word } : { problem: { code: 'not_a_choice' } }
}

function yesOrNo(text: string): boolean | string {
  const word = text.toLowerCase()
  const at = [YES_NO_TEXTS.zh, YES_NO_TEXTS.en]
    .map((pair) => pair.findIndex((one) => one.toLowerCase() === word))
    .find((place) => place >= 0)
  return at === undefined ? word : at === 0
}

/** Returns all parts' values joined, or the first problem. */
function each(parts: readonly string[], one: (part: string) => ResolvedCell): ResolvedCell {
  const values: unknown[] = []
  for (const part of parts) {
    const found = one(part)
    if ('problem' in found) return found
    values.push(found.value)
  }
  return { value: values.join(',') }
}

function meaning(known: CandidatesByName, labels: LabelLookup, one: CellText, owner: unknown): ResolvedCell {
  const { field, text, tenantId } = one
  if (text === '') return { value: '' }
  if (isNamed(field)) return each(namesOf(one), (name) => reference(known, one, name, field.same ? owner : undefined))
  const { choices } = fieldKindOf(field)
  if (choices === 'dictionary') return each(namesOf(one), (word) => choice(labels, field, word, tenantId))
  if (choices === 'yesNo') return { value: yesOrNo(text) }
  if (choices === 'regions' && !/^\d+$/.test(text)) {
    const code = labels.regionAt(text)
    return code ? { value: code } : { problem: { code: 'not_a_region' } }
  }
  return { value: text }
}

/**
 * Creates a function that turns cell texts into what `submit` takes: names into ids, labels into keys, yes/no into
 * booleans. `owner`: value of the field the reference must agree with (`same`), so that a tag's gateway is searched in
 * the tag's shop.
 */
export async function createCellResolver(
  call: Call,
  cells: readonly CellText[],
): Promise<(one: CellText, owner?: unknown) => ResolvedCell> {
  const { labels } = call.services
  await labels.ready(call.caller.tenantId)
  const known = await knownRows(call, cells)
  return (one, owner) => {
    const found = meaning(known, labels, one, owner)
    if ('problem' in found) return found
    const parsed = parseFieldInput(found.value, one.field)
    return 'problem' in parsed ? parsed : found
  }
}
