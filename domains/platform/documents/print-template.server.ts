import { sql } from '#kit/server/database/db.ts'
import { mayList } from '#kit/server/resource/may-list.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import { invalidField, serve, type Call } from '#kit/server/module.ts'
import { kindsOf, type ResolvedDocument } from './kinds.ts'
import { printTemplate } from './print-template.resource.ts'
import { checkedParts } from './template.ts'

async function foundFor(call: Call, name: string): Promise<ResolvedDocument> {
  const found = kindsOf(call).find(({ kind }) => kind === name)
  if (!found || !(await mayList(call, found.served))) throw invalidField(printTemplate, 'kind', 'not_a_choice')
  return found
}

export const printTemplateServer = serve(printTemplate, {
  beforeSave: async (draft, was, call) => {
    const found = await foundFor(call, was?.kind ?? draft.kind!)
    Object.assign(draft, checkedParts(found, draft))
  },
  afterSave: async (row, _was, call) => {
    if (!row.isDefault) return
    const { db } = call
    await db.advisoryLock(`prints/${row.kind}`)
    const others = await db.find(printTemplate, sql`r.kind = ${row.kind} and r.is_default and r.id <> ${row.id}`)
    const changed = []
    for (const other of others) changed.push(await db.update(printTemplate, other.id, { isDefault: false }))
    publishChanged(call, printTemplate, changed)
  },
  present: (wire, rows, call) => {
    const labels = new Map(kindsOf(call).map(({ kind, document }) => [kind, document.label[call.lang]]))
    rows.forEach((row, at) => {
      wire[at]!.kindName = labels.get(row.kind) ?? row.kind
    })
  },
})
