import { f } from '#kit/resource/index.ts'
import { accessReachOf, canReach, type AccessReach } from '#kit/server/database/data-scope.ts'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import type { Answer } from '#kit/resource/answer.ts'
import { requireList } from '#kit/server/resource/may-list.ts'
import { route, type Call, type Route } from '#kit/server/module.ts'
import { sheetAnswer } from '#kit/server/sheets/write-sheet.ts'
import { reportedFamily } from './families.ts'
import { requireExport } from './report.server.ts'
import { reportSent } from './report-sent.resource.ts'
import { workbookOf } from './workbook.ts'

const id = f.ref('', { label: { zh: '编号', en: 'ID' }, required: true })

/** What was sent to the caller, while they may still see as much as it holds. */
async function ownSent(call: Call, kind: 'page' | 'workbook') {
  const { db, caller } = call
  const [sent] = await db.find(
    reportSent,
    sql`r.id = ${call.input.id} and r.user_id = ${caller.userId} and r.kind = ${kind} and r.state = 'sent'`,
  )
  if (!sent?.family) throw new Refused('not_found', { label: reportSent.label })
  const served = reportedFamily(call, sent.family)
  await requireList(call, served)
  if (!canReach(accessReachOf(served.resource, caller), sent.reach as AccessReach)) throw new Refused('task_reach')
  return { sent, served }
}

export const sentRoutes: Route[] = [
  route({
    method: 'GET',
    path: `${reportSent.path}/page`,
    title: { zh: '收到的报表页面', en: 'Delivered report page' },
    can: 'reportSent',
    input: { id },
    handle: async (call) => {
      const { sent } = await ownSent(call, 'page')
      return { name: sent.name, sendTime: sent.sendTime, answer: sent.content }
    },
  }),
  route({
    method: 'GET',
    path: `${reportSent.path}/file`,
    title: { zh: '收到的报表文件', en: 'Delivered report file' },
    can: 'reportSent',
    input: { id },
    handle: async (call) => {
      const { sent, served } = await ownSent(call, 'workbook')
      await requireExport(call, served)
      const name = sent.name ?? ''
      const book = await workbookOf(sent.content as Answer, name, call.lang)
      return call.reply(sheetAnswer(`${name} ${(sent.sendTime ?? '').slice(0, 10)}`, book))
    },
  }),
]
