import { setImmediate } from 'node:timers/promises'
import { fieldKindOf } from '../../fields/kinds.ts'
import type { Field, Fields } from '../../fields/base/field-kind.ts'
import type { Resource } from '../../resource/define-resource.ts'
import type { ResponseSchema } from '../../resource/response-schema.ts'
import { servedRowSchema } from '../resource/served-row-schema.ts'
import type { AccessRule, Route, ModuleRegistry } from '../module/module.ts'
import { isPublicAccess, isTerminalAccess } from '../request/permit.ts'

/** Keys of the dictionaries declared by modules, by dictionary; those of tenants are not included. */
type Choices = ReadonlyMap<string, readonly string[]>

const choicesOf = ({ modules }: ModuleRegistry): Choices =>
  new Map(
    modules.flatMap(({ dictionaries = [] }) =>
      dictionaries.filter(({ biz }) => !biz).map(({ code, entries }) => [code, entries.map(({ key }) => key)] as const),
    ),
  )

/** Schema of a parameter or field as input: choices as an enum, with the empty value if it is not required. */
function inputSchema(field: Field, choices: Choices): Record<string, unknown> {
  const schema = fieldKindOf(field).schema(field)
  const keys = fieldKindOf(field).many ? undefined : choices.get(field.dict ?? '')
  if (!keys) return schema
  const open = keys.filter((key) => !field.without?.includes(key))
  if (field.numeric) return { ...schema, enum: [...open.map(Number), ...(field.required ? [] : [-1])] }
  return { ...schema, enum: [...open, ...(field.required ? [] : [''])] }
}

const schemaOfFields = (fields: Fields, choices?: Choices) => {
  const isWritten = choices !== undefined
  const shown = Object.entries(fields).filter(
    ([, field]) =>
      !field.secret && !(isWritten && (field.computed || ['hidden', 'read'].includes(field.form ?? 'edit'))),
  )
  const required = isWritten ? shown.filter(([, field]) => field.required).map(([key]) => key) : []
  return {
    type: 'object',
    properties: Object.fromEntries(
      shown.map(([key, field]) => [
        key,
        {
          ...(choices ? inputSchema(field, choices) : fieldKindOf(field).schema(field)),
          title: `${field.label.zh} · ${field.label.en}`,
          ...(field.help ? { description: field.help.en } : {}),
        },
      ]),
    ),
    ...(required.length ? { required } : {}),
  }
}

const doorOf = (can: AccessRule): string =>
  typeof can === 'string'
    ? `permission \`${can}\``
    : Array.isArray(can)
      ? `permission ${can.map((code) => `\`${code as string}\``).join(' or ')}`
      : 'open' in can
        ? `open: ${can.open}`
        : 'signedIn' in can
          ? `any signed-in user: ${can.signedIn}`
          : 'platform' in can
            ? `platform administrators: ${can.platform}`
            : `terminals: ${(can as { terminal: string }).terminal}`

const envelope = (data: object) => ({
  type: 'object',
  properties: { code: { type: 'integer' }, success: { type: 'boolean' }, msg: { type: 'string' }, data },
})
type Served = Resource<any, any>
/**
 * A route with what its documentation needs: its resource if any, whether it is one of that resource's direct routes,
 * and the last part of its path.
 */
type OperationSource = { one: Route; resource: Served | undefined; isStandard: boolean; last: string; choices: Choices }

function placeOf(byPath: ReadonlyMap<string, Served>, one: Route, choices: Choices): OperationSource {
  const [, base = '', last = ''] = /^(.*)\/([^/]+)$/.exec(one.path) ?? []
  const resource =
    byPath.get(base) ?? [...byPath.values()].find((candidate) => one.path.startsWith(`${candidate.path}/`))
  return { one, resource, isStandard: resource?.path === base, last, choices }
}

const refOf = (resource: Served) => `#/components/schemas/${resource.name}`
const isList = ({ one, resource }: OperationSource): boolean =>
  !!resource && one.title.zh === `${resource.label.zh}列表`
const takesOf = ({ input, documentedInput }: Route): Fields | undefined => input ?? documentedInput

/** A schema as the documentation prints it: those with a name of their own by reference. */
const printed = (schema: ResponseSchema): object => {
  if (schema.ref) return { $ref: `#/components/schemas/${schema.ref}` }
  const { properties, items, oneOf, additionalProperties, patternProperties } = schema
  const each = (some: Readonly<Record<string, ResponseSchema>>) =>
    Object.fromEntries(Object.entries(some).map(([key, one]) => [key, printed(one)]))
  return {
    ...schema,
    ...(properties && { properties: each(properties) }),
    ...(patternProperties && { patternProperties: each(patternProperties) }),
    ...(items && { items: printed(items) }),
    ...(additionalProperties && { additionalProperties: printed(additionalProperties) }),
    ...(oneOf && { oneOf: oneOf.map(printed) }),
  }
}

const IDS = { name: 'ids', in: 'query', required: true, schema: { type: 'string' }, description: 'comma list' }
const ID = { name: 'id', in: 'query', schema: { type: 'string' } }
const PAGING = [
  ['current', 'integer'],
  ['size', 'integer'],
  ['ascs', 'string'],
  ['descs', 'string'],
].map(([name, type]) => ({ name, in: 'query', schema: { type } }))

function parametersOf(place: OperationSource): object[] {
  const { one, isStandard, last } = place
  const inPath = [...one.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  return [
    ...inPath,
    ...(isStandard && last === 'remove' ? [IDS] : []),
    ...(isStandard && last === 'detail' ? [ID] : []),
    ...(place.resource && isList(place) ? [...PAGING, ...searchesOf(place.resource, place.choices)] : []),
    ...argumentsOf(one, place.choices),
  ]
}

const searchesOf = (resource: Served, choices: Choices): object[] =>
  Object.entries(resource.fields as Fields)
    .filter(([, field]) => field.search)
    .map(([name, field]) => ({
      name,
      in: 'query',
      schema: inputSchema(field, choices),
      description: field.label.en,
    }))

const argumentsOf = (one: Route, choices: Choices): object[] =>
  Object.entries(takesOf(one) ?? {})
    // Structured data can only be sent in the body, everything else also in the query (wire contract §1.1).
    .filter(([, field]) => one.method === 'GET' || fieldKindOf(field).document !== 'data')
    .map(([name, field]) => ({
      name,
      in: 'query',
      required: one.method === 'GET' && !!field.required,
      schema: inputSchema(field, choices),
      description: `${field.label.zh} · ${field.label.en}${field.help ? `. ${field.help.en}` : ''}`,
    }))

const FILE = { type: 'object', properties: { file: { type: 'string', format: 'binary' } } }

function bodyOf({ one, resource, isStandard, last, choices }: OperationSource): object {
  const takes = takesOf(one)
  if (one.uploadMaxBytes) return { requestBody: { content: { 'multipart/form-data': { schema: FILE } } } }
  if (one.raw)
    return {
      requestBody: { content: { '*/*': { schema: { type: 'string', format: 'binary' } } } },
    }
  const schema =
    resource && isStandard && last === 'submit'
      ? { $ref: `${refOf(resource)}_write` }
      : takes && one.method !== 'GET' && schemaOfFields(takes, choices)
  return schema ? { requestBody: { content: { 'application/json': { schema } } } } : {}
}

const securityOf = ({ can }: Route): object[] =>
  isPublicAccess(can) ? [] : isTerminalAccess(can) ? [{ terminal: [] }] : [{ token: [] }]

/** Success response: JSON with status 200, unless the route says otherwise. */
function doneOf({ one }: OperationSource): object {
  const { answers = {}, answersAs = {}, rawResponse } = one
  const { status = 200, type = 'application/json' } = answersAs
  if (status === 204) return { 204: { description: 'Done' } }
  const schema = rawResponse || answersAs.type ? printed(answers) : envelope(printed(answers))
  return { [status]: { description: 'Done', content: { [type]: { schema } } } }
}

function operationOf(place: OperationSource): object {
  const { one, resource } = place
  return {
    tags: [resource ? resource.label.en : (one.path.split('/')[2] ?? 'other')],
    summary: `${one.title.zh} · ${one.title.en}`,
    description: `Who: ${doorOf(one.can)}.`,
    parameters: parametersOf(place),
    ...bodyOf(place),
    responses: {
      ...doneOf(place),
      400: { $ref: '#/components/responses/refused' },
    },
    security: securityOf(one),
  }
}

function pathsOf(registry: ModuleRegistry, routes: readonly Route[]): Record<string, Record<string, unknown>> {
  const byPath = new Map([...registry.served.values()].map(({ resource }) => [resource.path, resource] as const))
  const choices = choicesOf(registry)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const one of routes) {
    const operation = operationOf(placeOf(byPath, one, choices))
    const key = one.path.replace(/:(\w+)/g, '{$1}')
    const name = key.replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase()).replace(/[^\w]+/g, '_')
    for (const method of one.method === 'ANY' ? ['get', 'post'] : [one.method.toLowerCase()])
      (paths[key] ??= {})[method] = { operationId: method + name, ...operation }
  }
  return paths
}

function schemasOf(registry: ModuleRegistry): Record<string, object> {
  const choices = choicesOf(registry)
  const schemas: Record<string, object> = {}
  for (const served of registry.served.values()) {
    const { resource } = served
    const { ref: _name, ...row } = servedRowSchema(served)
    schemas[resource.name] = row
    const write = schemaOfFields(resource.fields, choices)
    schemas[`${resource.name}_write`] = {
      ...write,
      properties: {
        id: { type: 'string', description: 'absent or empty: add' },
        version: { type: 'integer', description: 'of the row as read; a newer one refuses' },
        ...write.properties,
      },
    }
  }
  return schemas
}

const REFUSED = {
  description: "Refused: the reason, a sentence in the reader's language, and a sentence per field",
  content: {
    'application/json': {
      schema: envelope({ type: 'object', properties: { reason: { type: 'string' }, fields: { type: 'object' } } }),
    },
  },
}

const SECURITY_SCHEMES = {
  token: { type: 'apiKey', in: 'header', name: 'Blade-Auth', description: 'bearer <access token>' },
  terminal: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'credentials of a register' },
}

const ABOUT = {
  openapi: '3.1.0',
  title: 'Unattended store back office',
  description:
    'Answers are wrapped as {code, success, data, msg}; 200 alone is success. Money is a decimal string of ' +
    'yuan, times are yyyy-MM-dd HH:mm:ss in Asia/Shanghai, ids are strings.',
}

/** Builds the OpenAPI 3.1 document of all routes from their declarations. */
export const buildOpenApiDocument = (
  registry: ModuleRegistry,
  routes: readonly Route[],
  version: string,
): Record<string, unknown> => ({
  openapi: ABOUT.openapi,
  info: { title: ABOUT.title, version, description: ABOUT.description },
  paths: pathsOf(registry, routes),
  components: { schemas: schemasOf(registry), responses: { refused: REFUSED }, securitySchemes: SECURITY_SCHEMES },
})

const ROUTES_AT_ONCE = 25

/** Builds the same document as text, in parts with pauses, so that other requests are answered meanwhile. */
export async function buildOpenApiText(
  registry: ModuleRegistry,
  routes: readonly Route[],
  version: string,
): Promise<string> {
  const { paths: _paths, ...others } = buildOpenApiDocument(registry, [], version)
  const paths: Record<string, Record<string, unknown>> = {}
  for (let at = 0; at < routes.length; at += ROUTES_AT_ONCE) {
    for (const [path, item] of Object.entries(pathsOf(registry, routes.slice(at, at + ROUTES_AT_ONCE))))
      paths[path] = { ...paths[path], ...item }
    await setImmediate()
  }
  const parts: string[] = []
  for (const [path, item] of Object.entries(paths)) {
    parts.push(`${JSON.stringify(path)}:${JSON.stringify(item)}`)
    if (parts.length % ROUTES_AT_ONCE === 0) await setImmediate()
  }
  return `${JSON.stringify(others).slice(0, -1)},"paths":{${parts.join(',')}}}`
}
