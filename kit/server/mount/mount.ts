import type { FastifyInstance } from 'fastify'
import { isEmptyInput, isMinusOneInput } from '../../fields/base/field-kind.ts'
import { f } from '../../resource/f.ts'
import { permissionCodeOf, type Action, type Resource } from '../../resource/define-resource.ts'
import { emptyObjectSchema, arraySchema, type ResponseSchema } from '../../resource/response-schema.ts'
import { pageSchema, savedSchema, withProperties } from '../../resource/row-schema.ts'
import { actionInput, handleActionCall } from '../resource/action-of.ts'
import { validateDeclarations } from './validate-declarations.ts'
import { handleDetailCall } from '../resource/detail-of.ts'
import { handleListCall } from '../resource/list-of.ts'
import { Refused, type RefusalCode } from '../base/refused.ts'
import { idsParameterOf, requireIdList, handleRemoveCall } from '../resource/remove-of.ts'
import { createPipeline } from '../request/pipeline.ts'
import {
  withExtensions,
  type Call,
  type ModuleDefinition,
  type Route,
  type ServedResource,
  type ModuleRegistry,
  type RequestedOperation,
} from '../module/module.ts'
import type { Services } from '../module/services.ts'
import { requestBodyObject, parseRowIds } from '../request/requested-operation.ts'
import { sheetRoutes } from '../sheets/routes.ts'
import { servedRowSchema } from '../resource/served-row-schema.ts'
import { submitOperationOf, handleSubmitCall, submitTitle } from '../resource/submit-of.ts'

const words = (resource: Resource<any, any>, zh: string, en: string) => ({
  zh: `${resource.label.zh}${zh}`,
  en: `${resource.label.en}: ${en}`,
})

const ROW = { id: f.ref('', { label: { zh: '编号', en: 'ID' }, required: true }) }
const ROWS = { ids: f.refs('', { label: { zh: '编号', en: 'IDs' }, required: true }) }

/** Returns what an action call asks for: its declared input and its rows, from query before body. */
function actedBy({ resource }: ServedResource, name: string, action: Action, call: Call): RequestedOperation {
  const { given, fields, input: values } = actionInput(action, call)
  if (action.on === 'toolbar') return { values, fields, ids: [] }
  const ids = action.on === 'row' ? parseRowIds({ id: given.id }) : requireIdList(resource, given.ids)
  return { values: { ...values, ids }, fields, ids, operation: name }
}

/** For `submit` of a resource with a `createPath`: refuses a call without an id, as it would add a row. */
function changing(call: Call): Call {
  const { id } = requestBodyObject(call)
  if (isEmptyInput(id) || isMinusOneInput(id)) throw new Refused('missing_parameter', { name: 'id' })
  return call
}

/** Returns the reason why a standard route can be granted to nobody; undefined if a role can have it. */
function closedTo({ resource, hooks }: ServedResource, call: 'submit' | 'remove'): Route['denyReason'] {
  const closed = (code: RefusalCode) => ({ code, label: resource.label, list: permissionCodeOf(resource, 'list') })
  const isGrantable = (...verbs: ('add' | 'edit' | 'delete')[]) =>
    verbs.some((verb) => resource.buttons[verb] || Object.hasOwn(resource.permissions, verb))
  if (call === 'remove') {
    if (resource.remove === false) return closed('kept_for_good')
    return isGrantable('delete') ? undefined : closed('goes_by_itself')
  }
  if (resource.tenancy === 'platform') return closed('platform_only')
  const isHandMade = (resource.writer === 'office' || hooks.allowManualEdit) && isGrantable('add', 'edit')
  return isHandMade ? undefined : closed('not_by_hand')
}

/** Routes of a resource: the standard ones, import and export, and its declared actions. */
export function resourceRoutes(served: ServedResource): Route[] {
  const { resource, hooks } = served
  const has = (call: 'list' | 'detail' | 'submit' | 'remove') => !hooks.without?.includes(call)
  return [
    ...(has('list') ? [listRoute(served)] : []),
    ...(has('detail') ? [detailRoute(served)] : []),
    ...(has('submit') ? [submitRoute(served)] : []),
    ...(resource.createPath ? [addRoute(served, resource.createPath)] : []),
    ...(has('remove') ? [removeRoute(served)] : []),
    ...sheetRoutes(served),
    ...Object.entries(resource.actions as Record<string, Action>).map((action) => actionRoute(served, ...action)),
  ]
}

const listRoute = (served: ServedResource): Route => {
  const { resource, hooks } = served
  return {
    method: 'GET',
    path: `${resource.path}/${resource.list.path}`,
    title: words(resource, '列表', 'list'),
    can: permissionCodeOf(resource, 'list'),
    ...(hooks.list
      ? {}
      : {
          tx: false,
          answers: resource.list.paged ? pageSchema(servedRowSchema(served)) : arraySchema(servedRowSchema(served)),
        }),
    handle: (call) => (hooks.list ? hooks.list(call) : handleListCall(served, call)),
  }
}

const detailRoute = (served: ServedResource): Route => ({
  method: 'GET',
  path: `${served.resource.path}/detail`,
  title: words(served.resource, '详情', 'detail'),
  can: permissionCodeOf(served.resource, 'list'),
  tx: false,
  answers: servedRowSchema(served),
  handle: (call) => handleDetailCall(served, call),
})

/** Shape of what saving a row answers: its id and version, and what the resource adds. */
const savedAnswerOf = ({ hooks }: ServedResource): ResponseSchema =>
  hooks.answer ? withProperties(savedSchema, hooks.answer.schema) : savedSchema

const submitRoute = (served: ServedResource): Route => {
  const { resource } = served
  return {
    method: 'POST',
    path: `${resource.path}/submit`,
    title: submitTitle(resource),
    can: [permissionCodeOf(resource, 'add'), permissionCodeOf(resource, 'edit')],
    denyReason: closedTo(served, 'submit'),
    asks: (call) => submitOperationOf(served, call),
    answers: savedAnswerOf(served),
    handle: (call) => handleSubmitCall(served, resource.createPath ? changing(call) : call),
  }
}

/** Route that adds a row; ignores the id of a row it was copied from. */
const addRoute = (served: ServedResource, last: string): Route => ({
  method: 'POST',
  path: `${served.resource.path}/${last}`,
  title: words(served.resource, '添加', 'add'),
  can: permissionCodeOf(served.resource, 'add'),
  documentedInput: served.resource.fields,
  asks: (call) => submitOperationOf(served, { ...call, body: { ...requestBodyObject(call), id: '' } }),
  answers: savedAnswerOf(served),
  handle: (call) => handleSubmitCall(served, { ...call, body: { ...requestBodyObject(call), id: '' } }),
})

const removeRoute = (served: ServedResource): Route => ({
  method: 'POST',
  path: `${served.resource.path}/remove`,
  title: words(served.resource, '删除', 'remove'),
  can: permissionCodeOf(served.resource, 'delete'),
  denyReason: closedTo(served, 'remove'),
  asks: (call) => {
    const ids = requireIdList(served.resource, idsParameterOf(call))
    return { values: { ids }, fields: {}, ids, operation: 'remove' }
  },
  answers: emptyObjectSchema,
  handle: (call) => handleRemoveCall(served, call),
})

const actionRoute = (served: ServedResource, name: string, action: Action): Route => ({
  method: action.method ?? 'POST',
  path: `${served.resource.path}/${action.path ?? name}`,
  title: words(served.resource, action.label.zh, action.label.en),
  can: permissionCodeOf(served.resource, action.can ?? name),
  documentedInput: { ...(action.on === 'toolbar' ? {} : action.on === 'row' ? ROW : ROWS), ...action.input },
  asks: (call) => actedBy(served, name, action, call),
  ...(action.comesTo && { comesTo: () => action.comesTo! }),
  answers: action.answer ?? emptyObjectSchema,
  handle: (call) => handleActionCall(served, name, action, call),
})

/** Modules with the extensions of other modules merged into their resources. */
function joined(modules: readonly ModuleDefinition[]): ModuleDefinition[] {
  const extensions = modules.flatMap((module) => module.extends ?? [])
  return modules.map((module) => ({
    ...module,
    resources: module.resources?.map((served) => withExtensions(served, extensions)),
  }))
}

export function createModuleRegistry(given: readonly ModuleDefinition[]): ModuleRegistry {
  const modules = joined(given)
  const served = new Map<string, ServedResource>()
  for (const module of modules) {
    for (const one of module.resources ?? []) {
      if (served.has(one.resource.name)) throw new Error(`resource "${one.resource.name}" is declared twice`)
      served.set(one.resource.name, one)
    }
  }
  const resource = (name: string) => {
    const found = served.get(name)?.resource
    if (!found) throw new Error(`no resource "${name}"`)
    return found
  }
  const faults = validateDeclarations(modules, served)
  if (faults.length) throw new Error(`The declarations do not fit together:\n${faults.join('\n')}`)
  const routes = allRoutes(modules)
  return { modules, served, resource, routes, addresses: addressesOf(routes) }
}

/** Paths of routes that can be called under several: those with `aliasOf`, and those with the same handler. */
function addressesOf(routes: readonly Route[]): ReadonlyMap<string, readonly string[]> {
  const calls = new Map<unknown, Set<string>>()
  const firsts = new Map(routes.map((one) => [`${one.method} ${one.path}`, one]))
  const firstOf = (one: Route): Route => {
    const first = one.aliasOf === undefined ? undefined : firsts.get(`${one.method} ${one.aliasOf}`)
    return first && first !== one ? firstOf(first) : one
  }
  for (const one of routes) {
    const { handle, path } = firstOf(one)
    calls.set(handle, (calls.get(handle) ?? new Set([path])).add(one.path))
  }
  return new Map(
    [...calls.values()]
      .filter((paths) => paths.size > 1)
      .flatMap((paths) => [...paths].map((path) => [path, [...paths]] as const)),
  )
}

const allRoutes = (modules: readonly ModuleDefinition[]): Route[] =>
  modules.flatMap((module) => [...(module.resources ?? []).flatMap(resourceRoutes), ...(module.routes ?? [])])

export function mountModules(app: FastifyInstance, services: Services, more: readonly Route[]): readonly Route[] {
  const pipeline = createPipeline(app, services)
  const seen = new Set<string>()
  for (const one of [...services.registry.routes, ...more]) {
    const key = `${one.method} ${one.path}`
    if (seen.has(key)) throw new Error(`route ${key} is mounted twice`)
    seen.add(key)
    pipeline.mount(one)
  }
  return pipeline.mounted
}
