import { isKnownFieldKind } from '../../fields/kinds.ts'
import { baseFields, type Action, type Resource } from '../../resource/define-resource.ts'
import type { PrintableDocumentLines } from '../../resource/printable-document.ts'
import type { ResourceExtension, ModuleDefinition, Route, ServedResource } from '../module/module.ts'

/**
 * Returns one sentence for each reference to something undeclared: which resource and field, what it names, where that
 * must be declared. TypeScript cannot check this, as resources, dictionaries and menus are named by texts.
 */
export function validateDeclarations(
  modules: readonly ModuleDefinition[],
  served: ReadonlyMap<string, ServedResource>,
): string[] {
  const known: DeclaredNames = {
    resources: new Map([...served].map(([name, one]) => [name, one.resource])),
    dictionaries: new Map(
      modules.flatMap((module) =>
        (module.dictionaries ?? []).map(({ code, entries }) => [code, new Set(entries.map(({ key }) => String(key)))]),
      ),
    ),
    menus: new Set([
      ...modules.flatMap((module) => (module.menus ?? []).map(({ code }) => code)),
      ...[...served.values()].flatMap(({ resource }) => (resource.menu ? [resource.code] : [])),
    ]),
  }
  return [
    ...[...known.resources.values()].flatMap((resource) => faultsOf(resource, known)),
    ...[...served.values()].flatMap(idle),
    ...duplicateDocuments([...known.resources.values()]),
    ...modules.flatMap((module) => (module.extends ?? []).flatMap((one) => unknownExtension(module, one, known))),
    ...modules.flatMap((module) => [
      ...moduleFaults(module, known),
      ...(module.routes ?? []).flatMap((one) => inRoute(one, known)),
    ]),
  ]
}

/** Actions without a handler in any module. */
const idle = ({ resource, actions }: ServedResource): string[] =>
  Object.keys(resource.actions as object)
    .filter((action) => !(action in actions))
    .map((action) => `${resource.name} has the action ${action}, which no module carries out`)

const unknownExtension = (
  module: ModuleDefinition,
  { resource }: ResourceExtension,
  { resources }: DeclaredNames,
): string[] =>
  resources.has(resource.name) ? [] : [`${module.name} adds to the resource "${resource.name}", which no module serves`]

type Any = Resource<any, any>
type DeclaredNames = {
  resources: ReadonlyMap<string, Any>
  /** Keys of each dictionary. */
  dictionaries: ReadonlyMap<string, ReadonlySet<string>>
  menus: ReadonlySet<string>
}
type FieldReferences = {
  kind: string
  dict?: string
  default?: unknown
  to?: string
  resourceByValue?: Record<string, string>
  same?: string
  by?: string
  required?: boolean
  onRemoval?: string
}

function faultsOf(resource: Any, known: DeclaredNames): string[] {
  const { name, menu, list } = resource
  const fields = resource.fields as Record<string, FieldReferences>
  const sort = list.sort.replace(/^-/, '')
  return [
    ...Object.entries(fields).flatMap(([key, field]) => [
      ...fieldFaults(`${name}.${key}`, field, known),
      ...siblingFieldFaults(name, key, field, fields, known),
      ...removalFaults(resource, key, field),
    ]),
    ...Object.entries(resource.actions as Record<string, Action>).flatMap(([action, { input }]) =>
      argumentFaults(`${name}, action ${action}:`, input, known),
    ),
    ...Object.entries(resource.documents).flatMap(([kind, { lines }]) =>
      lines ? needLineFaults(`${name}, document ${kind}:`, lines, known) : [],
    ),
    ...(sort in fields || sort in baseFields ? [] : [`${name} is sorted by "${sort}", which is no field of it`]),
    ...(menu && !known.menus.has(menu.under)
      ? [`${name} stands in the menu under "${menu.under}", which no module declares in its menus`]
      : []),
  ]
}

/** Checks the fields that document lines name in another resource. */
function needLineFaults(where: string, lines: PrintableDocumentLines, { resources }: DeclaredNames): string[] {
  const { columns, sums = {} } = lines
  const keys = [...columns, ...Object.keys(sums)]
  if ('in' in lines)
    return keys.filter((key) => !(key in lines.fields)).map((key) => `${where} its lines have no "${key}"`)
  const target = resources.get(lines.of)
  if (!target) return [`${where} its lines are of the resource "${lines.of}", which no module serves`]
  return [lines.by, ...(lines.sort ? [lines.sort] : []), ...keys]
    .filter((key) => !(key in target.fields) && !(key in baseFields))
    .map((key) => `${where} "${key}" is no field of ${lines.of}`)
}

/** A kind of document is requested by name only, so it must be unique. */
function duplicateDocuments(resources: readonly Any[]): string[] {
  const kinds = resources.flatMap(({ documents }) => Object.keys(documents))
  return kinds.filter((kind, at) => kinds.indexOf(kind) < at).map((kind) => `the document ${kind} is declared twice`)
}

function fieldFaults(
  where: string,
  { kind, dict, default: preset, to, resourceByValue }: FieldReferences,
  known: DeclaredNames,
): string[] {
  const keys = known.dictionaries.get(dict ?? '')
  const strange = keys ? [preset ?? []].flat().filter((one) => !keys.has(String(one))) : []
  const unknown = [...new Set([to, ...Object.values(resourceByValue ?? {})])].filter(
    (one) => one && !known.resources.has(one),
  )
  return [
    ...(isKnownFieldKind(kind) ? [] : [`${where} is of the kind "${kind}", which kit/fields/kinds.ts does not list`]),
    ...(dict && !known.dictionaries.has(dict)
      ? [`${where} chooses from the dictionary "${dict}", which no module declares in its dictionaries`]
      : []),
    ...strange.map((one) => `${where} has the default "${String(one)}", which is no entry of the dictionary "${dict}"`),
    ...unknown.map((one) => `${where} points to the resource "${one}", which no module serves`),
  ]
}

/** Checks that a field's `onRemoval` rule is possible for its own rows. */
function removalFaults(resource: Any, key: string, { onRemoval, required }: FieldReferences): string[] {
  const where = `${resource.name}.${key}`
  return [
    ...(onRemoval === 'empty' && required
      ? [`${where} is required, so it cannot be emptied when what it names is removed`]
      : []),
    ...(onRemoval === 'empty' && resource.appendOnly
      ? [`${where} stands in rows nobody changes, so it cannot be emptied when what it names is removed`]
      : []),
    ...(onRemoval === 'remove' && resource.remove === false
      ? [`${where} stands in rows that are never removed, so they cannot go with what they name`]
      : []),
  ]
}

/** Checks `same` and `by`, which name another field of the resource. */
function siblingFieldFaults(
  name: string,
  key: string,
  field: FieldReferences,
  fields: object,
  known: DeclaredNames,
): string[] {
  const sibling = field.same ?? field.by
  const target = field.same && field.to ? known.resources.get(field.to) : undefined
  return [
    ...(sibling && !(sibling in fields) ? [`${name}.${key} goes by "${sibling}", which is no field of ${name}`] : []),
    ...(target && !(field.same! in target.fields)
      ? [`${name}.${key} goes by "${field.same}", which is no field of ${target.name}`]
      : []),
  ]
}

const argumentFaults = (where: string, input: object | undefined, known: DeclaredNames): string[] =>
  Object.entries((input ?? {}) as Record<string, FieldReferences>).flatMap(([key, field]) =>
    fieldFaults(`${where} ${key}`, field, known),
  )

const inRoute = ({ method, path, input, documentedInput }: Route, known: DeclaredNames): string[] => [
  ...argumentFaults(`${method} ${path}:`, input, known),
  ...argumentFaults(`${method} ${path}:`, documentedInput, known),
]

function moduleFaults(module: ModuleDefinition, known: DeclaredNames): string[] {
  const menus = (module.menus ?? []).filter(({ under }) => under && !known.menus.has(under))
  const needs = (module.todos ?? []).filter(({ resource }) => !known.resources.has(resource))
  return [
    ...menus.map((one) => `menu ${one.code} of ${module.name} stands under "${one.under}", which no module declares`),
    ...needs.map(
      (one) => `to-do ${one.key} of ${module.name} counts the resource "${one.resource}", which no module serves`,
    ),
  ]
}
