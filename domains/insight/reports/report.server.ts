import { salesKeeper } from '#domains/insight/statistics/api.ts'
import type { Fields } from '#kit/fields/field-kind.ts'
import { f } from '#kit/resource/index.ts'
import { permissionOf } from '#kit/resource/define-resource.ts'
import { canReadField } from '#kit/server/database/data-scope.ts'
import { isSecret } from '#kit/server/database/rows.ts'
import { authorise } from '#kit/server/request/pipeline.ts'
import type { Answer } from '#kit/resource/answer.ts'
import { answerOf } from '#kit/server/reports/answer.ts'
import { dimensionsFor, measuresFor, readQuestion, timesFor } from '#kit/server/reports/plan.ts'
import { viewsOf } from '#kit/server/lists/views.ts'
import { Refused } from '#kit/server/refused.ts'
import { mayList } from '#kit/server/resource/may-list.ts'
import { route, type Call, type Route, type ServedResource } from '#kit/server/module.ts'
import { sheetAnswer } from '#kit/server/sheets/write-sheet.ts'
import { reportedFamilies, reportedFamily } from './families.ts'
import { reportView } from './report-view.resource.ts'
import { workbookOf } from './workbook.ts'

/** The answer to a question, from kept sums where they say the same. */
export const answered = (call: Call, given: unknown): Promise<Answer> => {
  const question = readQuestion(given)
  return answerOf(call, reportedFamily(call, question.family), question, [salesKeeper])
}

/** Whether somebody may take rows of a family away as a file, and so figures of them. */
export const requireExport = ({ caller, services }: Pick<Call, 'caller' | 'services'>, { resource }: ServedResource) =>
  authorise(caller, permissionOf(resource, 'export'), `${resource.path}/export`, services)

const questionField = f.json({ label: reportView.fields.question.label, required: true, max: 20_000 })

/** What a report may be made of, as far as its maker may see it. */
async function familiesFor(call: Call): Promise<object[]> {
  const { caller } = call
  const found: object[] = []
  for (const served of reportedFamilies(call)) {
    const { resource } = served
    if (!(await mayList(call, served))) continue
    const fields = Object.entries(resource.fields as Fields).filter(
      ([key, field]) => !field.computed && !isSecret(field) && canReadField(resource, key, caller),
    )
    const measures = measuresFor(resource, caller)
    found.push({
      resource: {
        name: resource.name,
        code: resource.code,
        label: resource.label,
        fields: Object.fromEntries(fields.map(([key, field]) => [key, { ...field, sample: undefined }])),
        measures: Object.fromEntries(measures),
        dimensions: [...new Set(dimensionsFor(resource, caller).map(({ fieldKey }) => fieldKey))],
      },
      times: timesFor(resource, caller),
    })
  }
  return found
}

/** A question handed over in an address. */
function questionOf({ query }: Call): unknown {
  try {
    return JSON.parse(query.question ?? '') as unknown
  } catch {
    throw new Refused('report_part', { name: 'question' })
  }
}

export const reportRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/report/families',
    title: { zh: '可做报表的数据', en: 'Report data' },
    can: 'reportView',
    tx: false,
    handle: familiesFor,
  }),
  route({
    method: 'POST',
    path: '/api/report/ask',
    title: { zh: '计算报表', en: 'Run report' },
    can: 'reportView',
    tx: false,
    log: false,
    input: { question: questionField },
    handle: async (call) => answered(call, call.input.question),
  }),
  route({
    method: 'GET',
    path: '/api/report/views',
    title: { zh: '可定时的列表视图', en: 'List views for schedules' },
    can: 'reportTiming',
    handle: async (call) =>
      (await viewsOf(call)).map(({ id, name, family }) => ({ id, name, label: family.label[call.lang] })),
  }),
  route({
    method: 'GET',
    path: '/api/report/workbook',
    title: { zh: '导出报表', en: 'Export report' },
    can: 'reportView_export',
    tx: false,
    documentedInput: { question: questionField, name: reportView.fields.name },
    handle: async (call) => {
      const question = readQuestion(questionOf(call))
      await requireExport(call, reportedFamily(call, question.family))
      const answer = await answered(call, question)
      const name = (call.query.name ?? '').trim().slice(0, 60) || answer.label
      return call.reply(sheetAnswer(name, await workbookOf(answer, name, call.lang)))
    },
  }),
]
