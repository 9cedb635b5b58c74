import { salesRollupSource } from '#domains/insight/statistics/api.ts'
import type { Fields } from '#kit/fields/base/field-kind.ts'
import { f } from '#kit/resource/index.ts'
import { permissionCodeOf } from '#kit/resource/define-resource.ts'
import { canReadField } from '#kit/server/database/data-scope.ts'
import { isSecretField } from '#kit/server/database/row-sql.ts'
import { authoriseCall } from '#kit/server/request/pipeline.ts'
import type { ReportResult } from '#kit/resource/answer.ts'
import { runReport } from '#kit/server/reports/answer.ts'
import { allowedDimensions, allowedMeasures, parseReportQuery, allowedTimeFields } from '#kit/server/reports/plan.ts'
import { findSavedViews } from '#kit/server/lists/views.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { hasListPermission } from '#kit/server/resource/may-list.ts'
import { defineRoute, type Call, type Route, type ServedResource } from '#kit/server/module/module.ts'
import { downloadResponse } from '#kit/server/sheets/write-sheet.ts'
import { listReportableResources, requireReportableResource } from './reportable-resources.ts'
import { reportView } from './report-view.resource.ts'
import { buildReportWorkbook } from './workbook.ts'

/** Runs a report query, from the roll-up sums where they give the same result. */
export const runRequestedReport = (call: Call, given: unknown): Promise<ReportResult> => {
  const question = parseReportQuery(given)
  return runReport(call, requireReportableResource(call, question.family), question, [salesRollupSource])
}

/** Refuses callers who may not export the rows of the resource, and so no figures of them either. */
export const requireExportPermission = (
  { caller, services }: Pick<Call, 'caller' | 'services'>,
  { resource }: ServedResource,
) => authoriseCall(caller, permissionCodeOf(resource, 'export'), `${resource.path}/export`, services)

const questionField = f.json({ label: reportView.fields.question.label, required: true, max: 20_000 })

/** Returns the resources reports can be made of, with the fields and figures the caller may see. */
async function reportableResources(call: Call): Promise<object[]> {
  const { caller } = call
  const found: object[] = []
  for (const served of listReportableResources(call)) {
    const { resource } = served
    if (!(await hasListPermission(call, served))) continue
    const fields = Object.entries(resource.fields as Fields).filter(
      ([key, field]) => !field.computed && !isSecretField(field) && canReadField(resource, key, caller),
    )
    const measures = allowedMeasures(resource, caller)
    found.push({
      resource: {
        name: resource.name,
        code: resource.code,
        label: resource.label,
        fields: Object.fromEntries(fields.map(([key, field]) => [key, { ...field, sample: undefined }])),
        measures: Object.fromEntries(measures),
        dimensions: [...new Set(allowedDimensions(resource, caller).map(({ fieldKey }) => fieldKey))],
      },
      times: allowedTimeFields(resource, caller),
    })
  }
  return found
}

/** Parses the query of a report from the URL. */
function questionOf({ query }: Call): unknown {
  try {
    return JSON.parse(query.question ?? '') as unknown
  } catch {
    throw new Refused('report_part', { name: 'question' })
  }
}

export const reportRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/report/families',
    title: { zh: '可做报表的数据', en: 'Report data' },
    can: 'reportView',
    tx: false,
    handle: reportableResources,
  }),
  defineRoute({
    method: 'POST',
    path: '/api/report/ask',
    title: { zh: '计算报表', en: 'Run report' },
    can: 'reportView',
    tx: false,
    log: false,
    input: { question: questionField },
    handle: async (call) => runRequestedReport(call, call.input.question),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/report/views',
    title: { zh: '可定时的列表视图', en: 'List views for schedules' },
    can: 'reportTiming',
    handle: async (call) =>
      (await findSavedViews(call)).map(({ id, name, family }) => ({ id, name, label: family.label[call.lang] })),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/report/workbook',
    title: { zh: '导出报表', en: 'Export report' },
    can: 'reportView_export',
    tx: false,
    documentedInput: { question: questionField, name: reportView.fields.name },
    handle: async (call) => {
      const question = parseReportQuery(questionOf(call))
      await requireExportPermission(call, requireReportableResource(call, question.family))
      const answer = await runRequestedReport(call, question)
      const name = (call.query.name ?? '').trim().slice(0, 60) || answer.label
      return call.reply(downloadResponse(name, await buildReportWorkbook(answer, name, call.lang)))
    },
  }),
]
