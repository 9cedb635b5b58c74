import { hasWords, kindOf } from '../../fields/kinds.ts'
import type { Fields } from '../../fields/field-kind.ts'
import { labelKeyOf, type Resource } from '../../resource/define-resource.ts'
import type { Can, Route } from '../room.ts'
import type { Registry } from '../services.ts'

const schemaOfFields = (fields: Fields, isWritten: boolean) => {
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
          ...kindOf(field).schema(field),
          title: `${field.label.zh} · ${field.label.en}`,
          ...(field.help ? { description: field.help.en } : {}),
        },
      ]),
    ),
    ...(required.length ? { required } : {}),
  }
}

function rowSchema(resource: Resource<any, any>) {
  const row = schemaOfFields(resource.fields, false)
  const words = Object.entries(resource.fields as Fields).filter(([, field]) => hasWords(field))
  return {
    ...row,
    properties: {
      id: { type: 'string' },
      ...(resource.tenancy === 'platform' ? {} : { tenantId: { type: 'string' } }),
      ...row.properties,
      ...Object.fromEntries(
        words.map(([key, field]) => [labelKeyOf(key, field), { type: 'string', description: `words of ${key}` }]),
      ),
      createTime: { type: 'string' },
      updateTime: { type: 'string' },
      version: { type: 'integer' },
    },
  }
}

const doorOf = (can: Can): string =>
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
const page = (ref: string) => ({
  type: 'object',
  properties: {
    records: { type: 'array', items: { $ref: ref } },
    total: { type: 'integer' },
    size: { type: 'integer' },
    current: { type: 'integer' },
    pages: { type: 'integer' },
  },
})

/** The OpenAPI 3.1 document of every mounted route; nothing in it is written by hand. */
export function openApi(registry: Registry, routes: readonly Route[], version: string): Record<string, unknown> {
  const byPath = new Map<string, Resource<any, any>>(
    [...registry.served.values()].map(({ resource }) => [resource.path, resource]),
  )
  const paths: Record<string, Record<string, unknown>> = {}
  for (const one of routes) {
    const takes = one.input ?? one.takes
    const [, base = '', last = ''] = /^(.*)\/([^/]+)$/.exec(one.path) ?? []
    const resource =
      byPath.get(base) ?? [...byPath.values()].find((candidate) => one.path.startsWith(`${candidate.path}/`))
    const ref = resource && `#/components/schemas/${resource.name}`
    const isStandard = resource?.path === base
    const data =
      isStandard && last === 'detail'
        ? { $ref: ref! }
        : resource && one.title.zh === `${resource.label.zh}列表`
          ? page(ref!)
          : {}
    const parameters: object[] = [...one.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }))
    if (isStandard && last === 'remove')
      parameters.push({
        name: 'ids',
        in: 'query',
        required: true,
        schema: { type: 'string' },
        description: 'comma list',
      })
    if (isStandard && last === 'detail') parameters.push({ name: 'id', in: 'query', schema: { type: 'string' } })
    if (resource && one.title.zh === `${resource.label.zh}列表`) {
      for (const [name, type] of [
        ['current', 'integer'],
        ['size', 'integer'],
        ['ascs', 'string'],
        ['descs', 'string'],
      ])
        parameters.push({ name, in: 'query', schema: { type } })
      for (const [key, field] of Object.entries(resource.fields as Fields))
        if (field.search)
          parameters.push({ name: key, in: 'query', schema: kindOf(field).schema(field), description: field.label.en })
    }
    for (const [key, field] of Object.entries(takes ?? {})) {
      // Structured data belongs in a body; everything else is taken from either (wire contract §1.1).
      if (one.method !== 'GET' && kindOf(field).document === 'data') continue
      parameters.push({
        name: key,
        in: 'query',
        required: one.method === 'GET' && !!field.required,
        schema: kindOf(field).schema(field),
        description: `${field.label.zh} · ${field.label.en}${field.help ? `. ${field.help.en}` : ''}`,
      })
    }
    const body =
      isStandard && last === 'submit'
        ? { $ref: `${ref!}_write` }
        : takes && one.method !== 'GET'
          ? schemaOfFields(takes, true)
          : undefined
    const operation = {
      tags: [resource ? resource.label.en : (one.path.split('/')[2] ?? 'other')],
      summary: `${one.title.zh} · ${one.title.en}`,
      description: `Who: ${doorOf(one.can)}.`,
      parameters,
      ...(one.uploadMaxBytes
        ? {
            requestBody: {
              content: {
                'multipart/form-data': {
                  schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } },
                },
              },
            },
          }
        : body
          ? { requestBody: { content: { 'application/json': { schema: body } } } }
          : {}),
      responses: {
        200: { description: 'Done', content: { 'application/json': { schema: one.bare ? {} : envelope(data) } } },
        400: { $ref: '#/components/responses/refused' },
      },
      security:
        typeof one.can === 'object' && 'open' in one.can
          ? []
          : typeof one.can === 'object' && 'terminal' in one.can
            ? [{ terminal: [] }]
            : [{ token: [] }],
    }
    const key = one.path.replace(/:(\w+)/g, '{$1}')
    const name = key.replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase()).replace(/[^\w]+/g, '_')
    for (const method of one.method === 'ANY' ? ['get', 'post'] : [one.method.toLowerCase()])
      (paths[key] ??= {})[method] = {
        operationId: method + name,
        ...operation,
      }
  }
  const schemas: Record<string, object> = {}
  for (const { resource } of registry.served.values()) {
    schemas[resource.name] = rowSchema(resource)
    const write = schemaOfFields(resource.fields, true)
    schemas[`${resource.name}_write`] = {
      ...write,
      properties: {
        id: { type: 'string', description: 'absent or empty: add' },
        version: { type: 'integer', description: 'of the row as read; a newer one refuses' },
        ...write.properties,
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Unattended store back office',
      version,
      description:
        'Answers are wrapped as {code, success, data, msg}; 200 alone is success. Money is a decimal string of ' +
        'yuan, times are yyyy-MM-dd HH:mm:ss in Asia/Shanghai, ids are strings.',
    },
    paths,
    components: {
      schemas,
      responses: {
        refused: {
          description: "Refused: the reason, a sentence in the reader's language, and a sentence per field",
          content: {
            'application/json': {
              schema: envelope({
                type: 'object',
                properties: { reason: { type: 'string' }, fields: { type: 'object' } },
              }),
            },
          },
        },
      },
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'Blade-Auth', description: 'bearer <access token>' },
        terminal: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'credentials of a register' },
      },
    },
  }
}
