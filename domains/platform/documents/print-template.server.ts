import { sql } from '#kit/server/database/db.ts'
import { hasListPermission } from '#kit/server/resource/may-list.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { invalidFieldRefusal, serve, type Call } from '#kit/server/module/module.ts'
import { listDocumentKinds, type ResolvedDocument } from './kinds.ts'
import { printTemplate } from './print-template.resource.ts'
import { parseTemplateParts } from './template.ts'

async function foundFor(call: Call, name: string): Promise<ResolvedDocument> {
  const found = listDocumentKinds(call).find(({ kind }) => kind === name)
  if (!found || !(await hasListPermission(call, found.served)))
    throw invalidFieldRefusal(printTemplate, 'kind', 'not_a_choice')
  return found
}

export const printTemplateServer = serve(printTemplate, {
  beforeSave: async (draft, was, call) => {
    const found = await foundFor(call, was?.kind ?? draft.kind!)
    Object.assign(draft, parseTemplateParts(found, draft))
  },
  afterSave: async (row, _was, call) => {
    if (!row.isDefault) return
    const { db } = call
    await db.advisoryLock(`prints/${row.kind}`)
    const others = await db.find(printTemplate, sql`r.kind = ${row.kind} and r.is_default and r.id <> ${row.id}`)
    const changed = []
    for (const other of others) changed.push(await db.update(printTemplate, other.id, { isDefault: false }))
    publishRowsChanged(call, printTemplate, changed)
  },
  present: (wire, rows, call) => {
    const labels = new Map(listDocumentKinds(call).map(({ kind, document }) => [kind, document.label[call.lang]]))
    rows.forEach((row, at) => {
      wire[at]!.kindName = labels.get(row.kind) ?? row.kind
    })
  },
})
