import { f, type PatchOf, type RowOf } from '#kit/resource/index.ts'
import { parseFieldInput } from '#kit/fields/kinds.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { invalidInputRefusal, defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import { issueFileTicket } from '#kit/server/sheets/routes.ts'
import { streamZip, createZipOutputEntry } from '#kit/server/sheets/zip.ts'
import { lockVisibleRow } from '#kit/server/resource/submit-of.ts'
import { inTenantOf } from '#kit/server/resource/remove-of.ts'
import { code, codeFieldFormats } from './code.resource.ts'
import { createResourceDesigns, generateResources, collectDownloadFiles, type ModelWithColumns } from './design.ts'
import { generatorCatalogueOf } from './generator-catalogue.ts'
import { model } from './model.resource.ts'
import { rowToModelColumn, findModelColumnRows } from './model.server.ts'
import type { ModelColumn } from './part.ts'
import type { GeneratedFile } from './print.ts'

type CodeRow = RowOf<typeof code>
const AT_ONCE_MAX = 50

async function modelWith(db: Db, id: string): Promise<ModelWithColumns & { table: string }> {
  const row = await db.get(model, id)
  if (!row) throw new Refused('not_found', { label: model.label })
  return { model: row, parts: (await findModelColumnRows(db, id)).map(rowToModelColumn), table: row.modelTable ?? '' }
}

/** Fills in the resource a foreign key refers to, where its table belongs to a known resource. */
function withReferences(parts: readonly ModelColumn[], resources: ReadonlyMap<string, string>): ModelColumn[] {
  return parts.map((part) =>
    part.refTable && !part.refTo ? { ...part, refTo: resources.get(part.refTable) ?? '' } : part,
  )
}

/** Loads the models of an entry: the main one, and that of its line items if it has them. */
async function modelsOf(db: Db, row: CodeRow, services: Call['services']) {
  const main = await modelWith(db, row.modelId)
  const lines = row.templateType === 'sub' && row.subModelId ? await modelWith(db, row.subModelId) : undefined
  const { resources } = generatorCatalogueOf(services.registry)
  const resolveReferences = (one: ModelWithColumns) => ({ ...one, parts: withReferences(one.parts, resources) })
  return { main: resolveReferences(main), lines: lines && resolveReferences(lines) }
}

async function filesOfAll(db: Db, rows: readonly CodeRow[], services: Call['services']): Promise<GeneratedFile[]> {
  const all = []
  for (const row of rows) {
    const { main, lines } = await modelsOf(db, row, services)
    all.push(...generateResources(createResourceDesigns(row, main, lines)))
  }
  return collectDownloadFiles(all)
}

async function zipped(files: readonly GeneratedFile[]): Promise<Buffer> {
  const entries = await Promise.all(files.map(({ path, text }) => createZipOutputEntry(path, text)))
  const pieces: Buffer[] = []
  for await (const piece of streamZip(entries)) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function freeName(db: Db, name: string): Promise<string> {
  const like = `${name.replace(/[\\%_]/g, '\\$&')}-copy%`
  const taken = await db.query<{ codeName: string }>(
    sql`select code_name from develop_code where tenant_id = ${db.tenantId} and is_deleted = 0
      and code_name like ${like}`,
  )
  const names = new Set(taken.map(({ codeName }) => codeName))
  let free = `${name}-copy`
  for (let n = 2; names.has(free); n++) free = `${name}-copy${n}`
  return free.slice(-60)
}

/**
 * Refuses an entry whose paths or table name have a wrong format. Accepts those of older clients (with `packageName`),
 * whose values are not used here.
 */
function refuseUnused(draft: PatchOf<typeof code>, was: CodeRow | undefined): void {
  if (draft.packageName ?? was?.packageName) return
  const problems: Parameters<typeof invalidInputRefusal>[0] = {}
  for (const key of Object.keys(codeFieldFormats) as (keyof typeof codeFieldFormats)[]) {
    const field = { ...code.fields[key], ...codeFieldFormats[key] }
    const parsed = parseFieldInput(draft[key], field)
    if ('problem' in parsed) problems[key] = { problem: parsed.problem, field }
  }
  if (Object.keys(problems).length) throw invalidInputRefusal(problems)
}

export const codeGenerationServer = serve(code, {
  beforeSave: refuseUnused,
  actions: {
    gen: async (rows, _input, call) => {
      if (rows.length > AT_ONCE_MAX) throw new Refused('code_many', { max: AT_ONCE_MAX })
      const content = await zipped(await filesOfAll(call.db, rows, call.services))
      const name = rows.length === 1 ? `code ${rows[0]!.codeName}` : `code ${rows.length}`
      return {
        ticket: await issueFileTicket(call.services, { name, extension: 'zip', type: 'application/zip', content }),
      }
    },
    copy: async (row, _input, { db }) => {
      const { id: _id, tenantId: _tenant, createUser: _user, createDept: _dept, createTime: _time, ...rest } = row
      const { updateUser: _by, updateTime: _at, version: _version, ...draft } = rest
      const made = await db.insert(code, { ...draft, codeName: await freeName(db, row.codeName) })
      return { id: made.id }
    },
  },
})

/** Drops properties that are null or undefined, as the API does. */
const wired = (answer: object): unknown => JSON.parse(JSON.stringify(answer, (_key, one: unknown) => one ?? undefined))

export const codeGenerationRoutes = [
  defineRoute({
    method: 'GET',
    path: `${code.path}/parts`,
    title: { zh: '代码预览', en: 'Code preview' },
    can: 'code',
    input: { id: f.ref(code.name, { label: code.label, required: true }) },
    handle: (call) => {
      const { id } = call.input
      return inTenantOf(call, code, id, async (db) => {
        const row = (await lockVisibleRow(codeGenerationServer, { ...call, db }, id)) as unknown as CodeRow
        const { main, lines } = await modelsOf(db, row, call.services)
        return wired({ main, ...(lines && { lines }) })
      })
    },
  }),
]
