import { isReferenceField, isWriteOnlyField, fieldKindOf } from '#kit/fields/kinds.ts'
import type { Field } from '#kit/fields/base/field-kind.ts'
import { f, localize, pluralizeUnit, type Lang, type Resource, type LocalizedText } from '#kit/resource/index.ts'
import { baseFields, toSqlName } from '#kit/resource/define-resource.ts'
import { storedFields } from '#kit/server/database/row-sql.ts'
import { defineRoute, type Call, type ModuleRegistry } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import {
  DATA_SCOPE_CUSTOM,
  DATA_SCOPE_DEPTS_BELOW,
  DATA_SCOPE_OWN_ROWS,
  DATA_SCOPE_OWN_DEPT,
  DATA_SCOPE_OWN_SHOPS,
} from './dictionaries.ts'
import { dataScope } from './scopes.resource.ts'

type Any = Resource<any, any>

/** Returns the resource a scope's resource code refers to, by its code or its name. */
export const findResourceByScopeCode = (registry: ModuleRegistry, code: string | null | undefined): Any | undefined =>
  [...registry.served.values()].map((one) => one.resource).find((one) => one.code === code || one.name === code)

/** Column a scope by person or department filters on when it names none. */
export const defaultScopeColumn = (type: number): string => (type === DATA_SCOPE_OWN_ROWS ? 'createUser' : 'createDept')

/**
 * Returns the columns that hold a user (for "own rows") or a department (for the department types). Creator and
 * creator's department count only for resources written by office staff: other writers have none.
 */
export function possibleScopeColumns(resource: Any, type: number): string[] {
  const target = type === DATA_SCOPE_OWN_ROWS ? 'user' : 'dept'
  const own = storedFields(resource)
    .filter(([, field]) => isReferenceField(field) && field.to === target)
    .map(([key]) => key)
  return [
    ...(resource.writer === 'office' ? [defaultScopeColumn(type)] : []),
    ...(resource.name === target ? ['id'] : []),
    ...own,
  ]
}

/** Returns the scope types that apply to a resource. */
export function possibleDataScopeTypes(resource: Any): number[] {
  const byColumn = [DATA_SCOPE_OWN_ROWS, DATA_SCOPE_OWN_DEPT, DATA_SCOPE_DEPTS_BELOW].filter(
    (type) => possibleScopeColumns(resource, type).length > 0,
  )
  return [1, ...byColumn, DATA_SCOPE_CUSTOM, ...(Object.keys(resource.scope).length ? [DATA_SCOPE_OWN_SHOPS] : [])]
}

const ENTRIES_SHOWN = 12

/**
 * Returns a hint how values of a column are written: the dictionary's keys, or the unit or format. Empty for others.
 */
function unitOf(services: Services, tenantId: string, field: Field, lang: Lang): string {
  const { choices, inRules } = fieldKindOf(field)
  if (choices === 'dictionary') {
    const entries = services.labels.entries(tenantId, field.dict!, lang)
    const shown = entries.slice(0, ENTRIES_SHOWN).map(({ key, label }) => `${key} ${label}`)
    return [...shown, ...(entries.length > ENTRIES_SHOWN ? ['…'] : [])].join(lang === 'zh' ? '、' : ', ')
  }
  const unit = inRules || field.unit
  return unit ? pluralizeUnit(unit, lang, 2) : ''
}

const baseWords = {
  createUser: { zh: '创建人', en: 'Created by' },
  createDept: { zh: '创建人的部门', en: 'Department of creator' },
  id: { zh: '编号', en: 'ID' },
}
/** Whether a condition may compare the field: not secrets, documents or fields with several values. */
const isCompared = (field: Field): boolean => {
  const { document, many, inRules } = fieldKindOf(field)
  return !isWriteOnlyField(field) && !document && !many && inRules !== false
}

const labelOf = (resource: Any, key: string): LocalizedText =>
  (resource.fields as Record<string, Field>)[key]?.label ?? baseWords[key as keyof typeof baseWords]

/**
 * Returns what data scopes of a resource code can use: its scope types and columns with their units. `known` is false
 * when no resource has the code.
 */
async function meaning(call: Call<{ resourceCode: string | null }>) {
  const { services, lang, caller } = call
  const resource = findResourceByScopeCode(services.registry, call.input.resourceCode)
  if (!resource) return { known: false, label: '', types: [], userColumns: [], deptColumns: [], columns: [] }
  await services.labels.ready(caller.tenantId)
  const named = (keys: readonly string[]) =>
    keys.map((key) => ({ name: toSqlName(key), label: localize(labelOf(resource, key), lang) }))
  const base = resource.writer === 'office' ? (['createUser', 'createDept', 'id'] as const) : (['id'] as const)
  const fields = storedFields(resource).filter(([, field]) => isCompared(field))
  return {
    known: true,
    label: localize(resource.label, lang),
    types: possibleDataScopeTypes(resource),
    userColumns: named(possibleScopeColumns(resource, DATA_SCOPE_OWN_ROWS)),
    deptColumns: named(possibleScopeColumns(resource, DATA_SCOPE_OWN_DEPT)),
    columns: [
      ...named(base).map((one) => ({ ...one, unit: unitOf(services, caller.tenantId, baseFields.id, lang) })),
      ...fields.map(([key, field]) => ({
        name: toSqlName(key),
        label: localize(field.label, lang),
        unit: unitOf(services, caller.tenantId, field, lang),
      })),
    ],
  }
}

export const dataScopeRulesRoute = defineRoute({
  method: 'GET',
  path: `${dataScope.path}/meaning`,
  title: { zh: '数据权限可用的规则', en: 'Data scope rules' },
  can: 'data_scope',
  tx: false,
  input: { resourceCode: f.text({ label: dataScope.fields.resourceCode.label, max: 255 }) },
  handle: meaning,
})
