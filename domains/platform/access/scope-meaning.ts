import { isReference, isWriteOnly, kindOf } from '#kit/fields/kinds.ts'
import type { Field } from '#kit/fields/field-kind.ts'
import { f, localize, unitWord, type Lang, type Resource, type LocalizedText } from '#kit/resource/index.ts'
import { baseFields, snake } from '#kit/resource/define-resource.ts'
import { storedFields } from '#kit/server/database/rows.ts'
import { route, type Call } from '#kit/server/module.ts'
import type { Registry, Services } from '#kit/server/services.ts'
import { CUSTOM, DEPTS_BELOW, OWN, OWN_DEPT, OWN_SHOPS } from './dictionaries.ts'
import { dataScope } from './scopes.resource.ts'

type Any = Resource<any, any>

/** The family a scope's resource code means, by code or name. */
export const familyOf = (registry: Registry, code: string | null | undefined): Any | undefined =>
  [...registry.served.values()].map((one) => one.resource).find((one) => one.code === code || one.name === code)

/** Column a rule by person or department looks at when the scope names none. */
export const usualColumn = (type: number): string => (type === OWN ? 'createUser' : 'createDept')

/**
 * Columns that hold a person (for "own rows") or a department (for the two department rules). Rows that customers,
 * devices and the system write carry neither their maker nor a department of theirs.
 */
export function columnsFor(resource: Any, type: number): string[] {
  const family = type === OWN ? 'user' : 'dept'
  const own = storedFields(resource)
    .filter(([, field]) => isReference(field) && field.to === family)
    .map(([key]) => key)
  return [
    ...(resource.writer === 'office' ? [usualColumn(type)] : []),
    ...(resource.name === family ? ['id'] : []),
    ...own,
  ]
}

/** Kinds of rules that mean something for a family. */
export function typesFor(resource: Any): number[] {
  const byColumn = [OWN, OWN_DEPT, DEPTS_BELOW].filter((type) => columnsFor(resource, type).length > 0)
  return [1, ...byColumn, CUSTOM, ...(Object.keys(resource.scope).length ? [OWN_SHOPS] : [])]
}

const ENTRIES_SHOWN = 12

/** In what a value of a column is written: unit, form, or the keys there are. */
function unitOf(services: Services, tenantId: string, field: Field, lang: Lang): string {
  const { choices, inRules } = kindOf(field)
  if (choices === 'dictionary') {
    const entries = services.labels.entries(tenantId, field.dict!, lang)
    const shown = entries.slice(0, ENTRIES_SHOWN).map(({ key, label }) => `${key} ${label}`)
    return [...shown, ...(entries.length > ENTRIES_SHOWN ? ['…'] : [])].join(lang === 'zh' ? '、' : ', ')
  }
  const unit = inRules || field.unit
  return unit ? unitWord(unit, lang, 2) : ''
}

const baseWords = {
  createUser: { zh: '创建人', en: 'Created by' },
  createDept: { zh: '创建人的部门', en: 'Department of creator' },
  id: { zh: '编号', en: 'ID' },
}
/** What no rule says anything of: secrets, whole documents, what holds several values. */
const isCompared = (field: Field): boolean => {
  const { document, many, inRules } = kindOf(field)
  return !isWriteOnly(field) && !document && !many && inRules !== false
}

const labelOf = (resource: Any, key: string): LocalizedText =>
  (resource.fields as Record<string, Field>)[key]?.label ?? baseWords[key as keyof typeof baseWords]

/**
 * What scopes of a resource code may say: the kinds of rules that mean something there, and its columns with their
 * units.
 */
async function meaning(call: Call<{ resourceCode: string | null }>) {
  const { services, lang, caller } = call
  const resource = familyOf(services.registry, call.input.resourceCode)
  if (!resource) return { known: false, label: '', types: [], userColumns: [], deptColumns: [], columns: [] }
  await services.labels.ready(caller.tenantId)
  const named = (keys: readonly string[]) =>
    keys.map((key) => ({ name: snake(key), label: localize(labelOf(resource, key), lang) }))
  const base = resource.writer === 'office' ? (['createUser', 'createDept', 'id'] as const) : (['id'] as const)
  const fields = storedFields(resource).filter(([, field]) => isCompared(field))
  return {
    known: true,
    label: localize(resource.label, lang),
    types: typesFor(resource),
    userColumns: named(columnsFor(resource, OWN)),
    deptColumns: named(columnsFor(resource, OWN_DEPT)),
    columns: [
      ...named(base).map((one) => ({ ...one, unit: unitOf(services, caller.tenantId, baseFields.id, lang) })),
      ...fields.map(([key, field]) => ({
        name: snake(key),
        label: localize(field.label, lang),
        unit: unitOf(services, caller.tenantId, field, lang),
      })),
    ],
  }
}

export const meaningRoute = route({
  method: 'GET',
  path: `${dataScope.path}/meaning`,
  title: { zh: '数据权限可用的规则', en: 'Data scope rules' },
  can: 'data_scope',
  tx: false,
  input: { resourceCode: f.text({ label: dataScope.fields.resourceCode.label, max: 255 }) },
  handle: meaning,
})
