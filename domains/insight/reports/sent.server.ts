import { f } from '#kit/resource/index.ts'
import { accessSnapshotOf, hasAtLeastAccess, type AccessSnapshot } from '#kit/server/database/data-scope.ts'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { ReportResult } from '#kit/resource/answer.ts'
import { requireListPermission } from '#kit/server/resource/may-list.ts'
import { defineRoute, type Call, type Route } from '#kit/server/module/module.ts'
import { downloadResponse } from '#kit/server/sheets/write-sheet.ts'
import { requireReportableResource } from './reportable-resources.ts'
import { requireExportPermission } from './report.server.ts'
import { reportSent } from './report-sent.resource.ts'
import { buildReportWorkbook } from './workbook.ts'

const id = f.ref('', { label: { zh: '编号', en: 'ID' }, required: true })

/** Returns a delivery to the caller; refuses if they may no longer see as much as it contains. */
async function ownSent(call: Call, kind: 'page' | 'workbook') {
  const { db, caller } = call
  const [sent] = await db.find(
    reportSent,
    sql`r.id = ${call.input.id} and r.user_id = ${caller.userId} and r.kind = ${kind} and r.state = 'sent'`,
  )
  if (!sent?.family) throw new Refused('not_found', { label: reportSent.label })
  const served = requireReportableResource(call, sent.family)
  await requireListPermission(call, served)
  if (!hasAtLeastAccess(accessSnapshotOf(served.resource, caller), sent.reach as AccessSnapshot))
    throw new Refused('task_reach')
  return { sent, served }
}

export const sentReportRoutes: Route[] = [
  defineRoute({
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
  defineRoute({
    method: 'GET',
    path: `${reportSent.path}/file`,
    title: { zh: '收到的报表文件', en: 'Delivered report file' },
    can: 'reportSent',
    input: { id },
    handle: async (call) => {
      const { sent, served } = await ownSent(call, 'workbook')
      await requireExportPermission(call, served)
      const name = sent.name ?? ''
      const book = await buildReportWorkbook(sent.content as ReportResult, name, call.lang)
      return call.reply(downloadResponse(`${name} ${(sent.sendTime ?? '').slice(0, 10)}`, book))
    },
  }),
]
